import { PermanentJobError, type JobKind, type RunningJob } from "../../../jobs/job-kind.ts";
import { MailRefusedError, type Mailer } from "../../../mail/mailer.ts";
import { OutgoingRefusedError, type Outgoing } from "../../../outgoing/outgoing.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import {
  deliveries,
  mailKind,
  postKind,
  type Delivery,
  type DeliveryAttempt,
} from "./deliveries.ts";
import { mailOf, postedMessage } from "./messages.ts";

type Payload = { readonly id: string };

/** The outcome of one attempt. */
interface Outcome extends Omit<DeliveryAttempt, "at"> {
  readonly delivered: boolean;
  /** Whether a retry would fail as well. */
  readonly final?: boolean;
}

type Send = (delivery: Delivery, job: RunningJob<Payload>) => Promise<Outcome>;

/** The pauses double up to an hour; about six hours in total. */
const attempts = 14;

/** Delivers messages to webhooks, Slack, Teams and PagerDuty. */
export const postMessages = (
  store: Store,
  outgoing: Outgoing,
  { pagerDutyUrl }: { readonly pagerDutyUrl: string },
): JobKind<Payload> =>
  delivering(postKind, store, async (delivery, { now, signal }) => {
    const message = postedMessage(delivery, { now, pagerDutyUrl });
    if (message === null) return { delivered: false, outcome: "nothing to send", final: true };
    const { url, headers, body } = message;
    try {
      return outcomeOf(await outgoing.post(url, { headers, body, signal }));
    } catch (error) {
      return failure(error, error instanceof OutgoingRefusedError);
    }
  });

/** Delivers messages by mail. */
export const mailMessages = (store: Store, mailer: Mailer): JobKind<Payload> =>
  delivering(mailKind, store, async (delivery) => {
    try {
      await mailer.send(mailOf(delivery));
      return { delivered: true, outcome: "delivered" };
    } catch (error) {
      return failure(error, error instanceof MailRefusedError);
    }
  });

/** Statuses besides 5xx after which a retry may succeed. */
const temporary: readonly number[] = [408, 409, 423, 425, 429];

function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return { delivered: true, outcome: "delivered", status };
  const isRedirect = status >= 300 && status < 400;
  const outcome = isRedirect
    ? `the receiver responded with ${status}; redirects are not followed`
    : `the receiver responded with ${status}`;
  const final = status < 500 && !temporary.includes(status);
  return { delivered: false, outcome, status, ...(final ? { final } : {}) };
}

function failure(error: unknown, final: boolean): Outcome {
  const outcome = error instanceof Error ? error.message || error.name : String(error);
  return { delivered: false, outcome, ...(final ? { final } : {}) };
}

/**
 * A message is sent at least once, always with the same id, because a process may end after sending
 * it and before storing the outcome.
 */
function delivering(name: string, store: Store, send: Send): JobKind<Payload> {
  return {
    name,
    attempts,
    run: async (job) => {
      const { payload, cid, now } = job;
      const { id } = payload;
      const delivery = (await store.records(deliveries, { cid }).getComplete([id], now)).get(id);
      if (delivery?.state !== "waiting") return;
      const { delivered, final = false, ...outcome } = await send(delivery, job);
      const attempt = { at: now.toISOString(), ...outcome };
      // Without the lease: the message is sent even if another process has taken the job in the meantime.
      await store.write(cid, (transaction) => note(transaction, id, attempt, { delivered, now }));
      if (delivered) return;
      throw final ? new PermanentJobError(outcome.outcome) : new Error(outcome.outcome);
    },
    gaveUp: async ({ payload: { id }, now }, transaction) => {
      const records = transaction.records(deliveries);
      const delivery = (await records.getForUpdate([id])).get(id);
      if (delivery?.state !== "waiting") return;
      await records.replace([{ ...delivery, state: "failed" }], now);
    },
  };
}

/** Adds an attempt to those that are stored by now. A message that was delivered once remains delivered. */
async function note(
  transaction: Transaction,
  id: string,
  attempt: DeliveryAttempt,
  { delivered, now }: { readonly delivered: boolean; readonly now: Date },
): Promise<void> {
  const records = transaction.records(deliveries);
  const before = (await records.getForUpdate([id])).get(id);
  if (before === undefined) return;
  const after = { ...before, attempts: [...before.attempts, attempt] };
  if (!delivered || before.state === "delivered") {
    await records.replace([after], now);
    return;
  }
  const { settings: _settings, ...open } = after;
  await records.replace([{ ...open, state: "delivered", delivered_at: attempt.at }], now);
}
