import { foldCase } from "@security-platform/fql";
import { hashPassword } from "../../../access/passwords.ts";
import { errors } from "../../../foundation/errors.ts";
import type { Context } from "../../../calls/context.ts";
import { defined } from "../../../records/defined.ts";
import type { WritingCall } from "../../../records/write.ts";
import type { Tenant, Transaction } from "../../../store/index.ts";
import { newUser } from "./new-user.ts";
import { enqueueMails } from "../../../mail/outbox.ts";
import { activating } from "../passwords/password-mails.ts";
import { passwordProblems } from "../passwords/password-rule.ts";
import { uidDomainProblems } from "./uid-domains.ts";
import { users, userNoun, type StoredUser } from "../../../access/users.ts";
import { viewerOf } from "../../../access/viewer.ts";
import { requestedCid } from "../tenants/managed-tenants.ts";
import { writeUsers } from "./write-users.ts";

/** The members of a request for a new user. */
export interface UserInput {
  readonly uid: string;
  readonly first_name?: string | undefined;
  readonly last_name?: string | undefined;
  readonly password?: string | undefined;
  /** Default: the caller's tenant. */
  readonly cid?: string | undefined;
}

interface CreatingCall extends WritingCall {
  readonly context: Pick<Context, "store" | "config">;
}

/**
 * Checks a new user and, unless `validateOnly`, stores it. A user without a password gets a mail to set
 * one. Returns undefined with `validateOnly`.
 */
export async function createUser(
  call: CreatingCall,
  { cid: requested, ...input }: UserInput,
  validateOnly = false,
): Promise<StoredUser | undefined> {
  const cid = await requestedCid(call, requested, "body.cid");
  const problems = [
    ...passwordProblems(input.password, "body.password"),
    ...(await uidDomainProblems(call.context.store, cid, input.uid, call.now)),
  ];
  if (problems.length > 0) throw errors.invalidRequest(problems);
  const created = await userFrom(call, cid, input, validateOnly);
  return writeUsers(call, async (writing) => {
    const { transaction, now } = writing;
    await requireUnusedUid(call, transaction, created.uid);
    if (validateOnly) return undefined;
    const { user, mails } =
      created.password === undefined ? activating(created, now) : { user: created, mails: [] };
    await writing.records(users).insert([user], { cid });
    await enqueueMails(transaction, mails, now);
    return created;
  });
}

async function userFrom(
  { context, now }: CreatingCall,
  cid: string,
  { password, ...input }: UserInput,
  validateOnly: boolean,
): Promise<StoredUser> {
  const { directory } = context.store;
  const { family } = await viewerOf(directory, cid);
  const tenant: Pick<Tenant, "cid" | "name"> = (await directory.tenant(cid)) ?? { cid, name: "" };
  const hash =
    password === undefined || validateOnly
      ? undefined
      : await hashPassword(password, context.config.passwordCost);
  return newUser({ ...input, ...defined({ password: hash }) }, tenant, family, now);
}

/** Throws a 409 for a uid that is in use. The error names the other user only if the tenant knows that user. */
async function requireUnusedUid(
  { caller }: WritingCall,
  transaction: Transaction,
  uid: string,
): Promise<void> {
  const records = transaction.records(users);
  const [uuid] = (await records.findDuplicates([foldCase(uid)])).values();
  if (uuid === undefined) return;
  const isKnown = (await records.getForUpdate([uuid]))
    .get(uuid)
    ?.associated_cids.includes(caller.cid);
  const message = `a ${userNoun} ${uid} already exists, and an e-mail address is unique on the platform; use another one`;
  throw errors.conflict([{ at: "body.uid", message, ...(isKnown === true ? { id: uuid } : {}) }]);
}
