import { hashPassword } from "../../../access/passwords.ts";
import { errors, type ApiError } from "../../../foundation/errors.ts";
import { writeAsCommand } from "../../../records/write.ts";
import { platformCid, type Store } from "../../../store/index.ts";
import { platformRecords } from "../../../access/effective-grants.ts";
import { passwordProblems } from "./password-rule.ts";
import { isCurrent, userOfToken, type PasswordTokenKind } from "../../../access/password-tokens.ts";
import { users, type StoredUser, type User } from "../../../access/users.ts";

const minimumLength = 12;
const maximumLength = 128;

/** A password, and the token from the mail that allows the user to set it. */
export interface NewPassword {
  readonly kind: PasswordTokenKind;
  readonly token: string;
  readonly password: string;
}

/** The user whose password was set. */
export type SignedUp = Pick<User, "uuid" | "uid" | "cid" | "status">;

/**
 * Sets the password of the user with the token, which can be used once. Activation makes the user active.
 * Throws a 400 with the place `token` or `password` for an invalid one, and changes nothing.
 */
export async function setPassword(store: Store, input: NewPassword, now: Date): Promise<SignedUp> {
  const { kind, token, password } = input;
  const problems = [...lengthProblems(password), ...passwordProblems(password, "password")];
  if (problems.length > 0) throw errors.invalidRequest(problems);
  const uuid = userOfToken(token) ?? "";
  const stored = await platformRecords(store).records(users).getComplete([uuid], now);
  requireToken(stored.get(uuid), input, now);
  const hash = await hashPassword(password);
  const command = { store, cid: platformCid, name: commands[kind], now };
  return writeAsCommand(command, async (writing) => {
    const records = writing.records(users);
    // Another process may have used the token since the check above.
    const user = requireToken((await records.stored.getForUpdate([uuid])).get(uuid), input, now);
    const { password_token: _used, ...rest } = user;
    const { uid, cid } = user;
    const status = kind === "activation" ? "active" : user.status;
    const changed = { ...rest, status, updated_at: now.toISOString(), password: hash };
    await records.replace([changed], { cid });
    return { uuid, uid, cid, status };
  });
}

const commands: { readonly [Kind in PasswordTokenKind]: string } = {
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
    throw invalidToken(
      "unknown, already used or expired; reset_password of userActionV1 sends a new one",
    );
  }
  if (stored.kind === kind) return user;
  throw invalidToken(`expected one for ${commands[kind]}, this is for ${commands[stored.kind]}`);
}

const invalidToken = (message: string): ApiError =>
  errors.invalidRequest([{ at: "token", message }]);

/** The limits of the document, because no request schema validates the input of the command line. */
function lengthProblems(password: string) {
  const { length } = [...password];
  if (length >= minimumLength && length <= maximumLength) return [];
  const message = `expected a text of ${minimumLength} to ${maximumLength} characters`;
  return [{ at: "password", message }];
}
