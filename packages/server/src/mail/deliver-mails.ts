import { PermanentJobError, type JobKind } from "../jobs/job-kind.ts";
import { platformCid, type Store, type Transaction } from "../store/index.ts";
import { MailRefusedError, type Mailer } from "./mailer.ts";
import { deliveryKind, outbox, type Mail } from "./outbox.ts";

type Delivery = { readonly id: string };

/** Tokens and invitations are valid for a week at most. */
const sentWithin = 7 * 24 * 60 * 60_000;

/**
 * Sends the mails of the outbox. The transaction that ends the job marks a mail that the server has accepted.
 * If the process dies in between, the mail is sent again with the same Message-ID.
 */
export const deliverMails = (store: Store, mailer: Mailer): JobKind<Delivery> => ({
  name: deliveryKind,
  // Takes about half a day, for a mail server that is down.
  attempts: 20,
  run: async ({ payload: { id }, now }) => {
    const mails = await store.records(outbox, { cid: platformCid }).getComplete([id], now);
    const mail = mails.get(id);
    if (mail?.state !== "waiting") return { commit: async () => ({ state: mail?.state ?? null }) };
    if (now.getTime() - Date.parse(mail.created_at) > sentWithin) {
      return { commit: (transaction) => mark(transaction, { ...mail, state: "expired" }, now) };
    }
    const messageId = await mailer
      .send({ ...mail, date: new Date(mail.created_at) })
      .catch((error: unknown) => {
        if (!(error instanceof MailRefusedError)) throw error;
        throw new PermanentJobError(error.message, { cause: error });
      });
    return {
      commit: async (transaction) => ({
        ...(await mark(transaction, { ...mail, state: "sent", sent_at: now.toISOString() }, now)),
        message_id: messageId,
      }),
    };
  },
  gaveUp: async ({ payload: { id }, error, now }, transaction) => {
    const mail = (await transaction.records(outbox).getForUpdate([id])).get(id);
    if (mail?.state === "waiting")
      await mark(transaction, { ...mail, state: "failed", error }, now);
  },
});

async function mark(
  transaction: Transaction,
  mail: Mail,
  now: Date,
): Promise<{ readonly state: Mail["state"] }> {
  await transaction.records(outbox).replace([mail], now);
  return { state: mail.state };
}
