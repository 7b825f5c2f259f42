import { where, type Fields } from "@security-platform/fql";
import { newUuid } from "../foundation/identifiers.ts";
import { platformCid, type Resource, type Store, type Transaction } from "../store/index.ts";

/** The reason for a mail. */
export type MailKind = "activation" | "password_reset" | "invitation";

/**
 * The state of a mail. `expired`: it was not sent within a week, and its content may be out of date.
 * `failed`: no further attempt is made.
 */
export type MailState = "waiting" | "sent" | "failed" | "expired";

/** A mail to deliver. */
export interface Mail {
  readonly id: string;
  /** The tenant that sends it. */
  readonly cid: string;
  readonly kind: MailKind;
  /** One e-mail address. */
  readonly to: string;
  readonly subject: string;
  /** May contain the token of an invitation or of a password. */
  readonly text: string;
  /** RFC 3339. */
  readonly created_at: string;
  /** Absent: the mail is not meant for delivery. */
  readonly state?: MailState;
  readonly sent_at?: string;
  /** Why it failed. */
  readonly error?: string;
}

const fields: Fields = {
  cid: { type: "string" },
  kind: { type: "string", values: ["activation", "password_reset", "invitation"] },
  to: { type: "string", case: "insensitive", sortable: true },
  created_at: { type: "timestamp", sortable: true },
};

/** Mails that the platform wrote. All belong to the platform's tenant, in which users are also written. */
export const outbox: Resource<Mail> = {
  name: "outbox",
  collection: "user_management",
  fields,
  id: "id",
  hidden: ["text"],
  sealed: ["text"],
  indexes: ["cid", "created_at"],
};

/** The kind of the jobs that deliver a mail of the outbox. The payload contains the mail's `id`. */
export const deliveryKind = "mails.deliver";

export type NewMail = Omit<Mail, "id" | "created_at" | "state" | "sent_at" | "error">;

/** Adds a mail to the outbox. It is stored and sent if and only if the transaction commits. */
export const enqueueMail = (transaction: Transaction, mail: NewMail, now: Date): Promise<void> =>
  enqueueMails(transaction, [mail], now);

export async function enqueueMails(
  transaction: Transaction,
  mails: readonly NewMail[],
  now: Date,
): Promise<void> {
  const created_at = now.toISOString();
  const written = mails.map(({ cid, kind, to, subject, text }): Mail => ({
    id: newUuid(),
    cid,
    kind,
    to,
    subject,
    text,
    created_at,
    state: "waiting",
  }));
  if (written.length === 0) return;
  await transaction.records(outbox).insert(written, now);
  for (const { id } of written) {
    await transaction.enqueue({ kind: deliveryKind, payload: { id } }, now);
  }
}

/** Mails of one tenant or of all tenants, newest first, for operators of the platform. */
export async function listMails(
  store: Store,
  now: Date,
  { cid, limit }: { readonly cid?: string | undefined; readonly limit: number },
): Promise<readonly Mail[]> {
  const records = store.records(outbox, { cid: platformCid });
  const { items } = await records.page({
    predicate: cid === undefined ? where.everything : where.equal("cid", cid),
    sort: [{ field: "created_at", direction: "desc" }],
    limit,
    shape: "ids",
    now,
  });
  const mails = await records.getComplete(items, now);
  return items.flatMap((id) => mails.get(id) ?? []);
}
