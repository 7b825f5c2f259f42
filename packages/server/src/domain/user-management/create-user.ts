import { foldCase } from "@security-platform/fql";
import { hashPassword } from "../../access/passwords.ts";
import { errors } from "../../errors.ts";
import type { Call } from "../../call.ts";
import { auditEntry } from "../../records/audit.ts";
import { platformCid, type Tenant, type Transaction } from "../../store/types.ts";
import { newUser, type UserFacts } from "./new-user.ts";
import { enqueueMails } from "./outbox.ts";
import { activating } from "./password-mails.ts";
import { passwordProblems } from "./password-rule.ts";
import { uidDomainProblems } from "./uid-domains.ts";
import { users, userNoun, type StoredUser } from "../../access/users.ts";
import { tenantMeant, viewerOf } from "./viewer.ts";

/** What a caller tells of a new user. */
export interface UserInput {
  readonly uid: string;
  readonly first_name?: string | undefined;
  readonly last_name?: string | undefined;
  readonly password?: string | undefined;
  /** Default: the caller's tenant. */
  readonly cid?: string | undefined;
}

type CreateCall = Pick<
  Call<"createUserV1" | "CreateUser">,
  "operation" | "caller" | "context" | "now" | "traceId"
>;

/** Checks and, unless `validateOnly`, stores a new user, and writes the mail to one without a password. */
export async function createUser(
  call: CreateCall,
  { cid: asked, ...input }: UserInput,
  validateOnly = false,
): Promise<StoredUser | undefined> {
  const { context, now } = call;
  const cid = await tenantMeant(call, asked, "body.cid");
  const problems = [
    ...passwordProblems(input.password, "body.password"),
    ...(await uidDomainProblems(context.store, cid, input.uid, now)),
  ];
  if (problems.length > 0) throw errors.invalidRequest(problems);
  const made = await describe(call, cid, input, validateOnly);
  return context.store.write(platformCid, async (transaction) => {
    await refuseTaken(call, transaction, made.uid);
    if (validateOnly) return undefined;
    const { user, mails } = made.password === undefined ? activating(made, now) : signedUp(made);
    await transaction.records(users).insert([user], now);
    await enqueueMails(transaction, mails, now);
    await transaction.audit({ ...auditEntry(call, undefined, [made.uuid]), cid });
    return made;
  });
}

async function describe(
  { context, now }: CreateCall,
  cid: string,
  { password, ...rest }: UserInput,
  validateOnly: boolean,
): Promise<StoredUser> {
  const { directory } = context.store;
  const { family } = await viewerOf(directory, cid);
  const tenant: Pick<Tenant, "cid" | "name"> = (await directory.tenant(cid)) ?? { cid, name: "" };
  const hashed = password === undefined || validateOnly ? undefined : await hashPassword(password);
  const facts: UserFacts = { ...rest, ...(hashed === undefined ? {} : { password: hashed }) };
  return newUser(facts, tenant, family, now);
}

/** Names the user only to a tenant that knows it. */
async function refuseTaken(
  { caller }: CreateCall,
  transaction: Transaction,
  uid: string,
): Promise<void> {
  const records = transaction.records(users);
  const [uuid] = (await records.findDuplicates([foldCase(uid)])).values();
  if (uuid === undefined) return;
  const known = (await records.take([uuid])).get(uuid)?.associated_cids.includes(caller.cid);
  const message = `a ${userNoun} ${uid} exists already, and an address is used once on the platform; use another one`;
  throw errors.conflict([{ at: "body.uid", message, ...(known === true ? { id: uuid } : {}) }]);
}

const signedUp = (user: StoredUser) => ({ user, mails: [] });
