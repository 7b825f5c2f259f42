import { hashPassword } from "../../access/passwords.ts";
import { errors, type ApiError } from "../../errors.ts";
import { platformCid, type Store } from "../../store/types.ts";
import { platformRecords } from "../../access/effective-grants.ts";
import { passwordProblems } from "./password-rule.ts";
import { isCurrent, userOfToken, type PasswordTokenKind } from "../../access/password-tokens.ts";
import { users, type StoredUser, type User } from "../../access/users.ts";

const shortest = 12;
const longest = 128;

/** What someone sends who has read the mail. */
export interface NewPassword {
  readonly kind: PasswordTokenKind;
  readonly token: string;
  readonly password: string;
}

/** Who has a password now. */
export type SignedUp = Pick<User, "uuid" | "uid" | "cid" | "status">;

/**
 * Sets the password of the user whose mail has this token, which is used up by it; one who is activated
 * becomes active. Changes nothing, with an error that names `token` or `password`, where either is no good.
 */
export async function setPassword(store: Store, given: NewPassword, now: Date): Promise<SignedUp> {
  const { kind, token, password } = given;
  const problems = [...lengthProblems(password), ...passwordProblems(password, "password")];
  if (problems.length > 0) throw errors.invalidRequest(problems);
  const named = userOfToken(token) ?? "";
  const found = await platformRecords(store).records(users).whole([named], now);
  requireToken(found.get(named), given, now);
  const hashed = await hashPassword(password);
  return store.write(platformCid, async (transaction) => {
    const records = transaction.records(users);
    // Someone else may have used it meanwhile.
    const user = requireToken((await records.take([named])).get(named), given, now);
    const { password_token: _used, ...rest } = user;
    const status = kind === "activation" ? "active" : user.status;
    await records.replace(
      [{ ...rest, status, updated_at: now.toISOString(), password: hashed }],
      now,
    );
    await transaction.audit({
      at: now,
      actor: "cli",
      operation: operations[kind],
      trace_id: null,
      comment: null,
      ids: [user.uuid],
      cid: user.cid,
    });
    return { uuid: user.uuid, uid: user.uid, cid: user.cid, status };
  });
}

const operations: { readonly [Kind in PasswordTokenKind]: string } = {
  activation: "users activate",
  password_reset: "users reset-password",
};

function requireToken(
  user: StoredUser | undefined,
  { kind, token }: NewPassword,
  now: Date,
): StoredUser {
  const stored = user?.password_token;
  if (user === undefined || stored === undefined || !isCurrent(stored, token, now)) {
    throw refused("unknown, used already or expired; reset_password of userActionV1 mails another");
  }
  if (stored.kind === kind) return user;
  throw refused(`expected one for ${operations[kind]}, this is for ${operations[stored.kind]}`);
}

const refused = (message: string): ApiError => errors.invalidRequest([{ at: "token", message }]);

/** As the document has it, which requests are held to before. */
function lengthProblems(password: string) {
  const { length } = [...password];
  if (length >= shortest && length <= longest) return [];
  return [{ at: "password", message: `expected a text of ${shortest} to ${longest} characters` }];
}
