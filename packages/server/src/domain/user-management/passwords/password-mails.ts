import { printable } from "../../../mail/printable.ts";
import type { NewMail } from "../../../mail/outbox.ts";
import { newPasswordToken, tokenText } from "../../../access/password-tokens.ts";
import type { StoredUser } from "../../../access/users.ts";

/** A user to store, and the mails to send to the user. */
export interface Mailed {
  readonly user: StoredUser;
  readonly mails: readonly NewMail[];
}

/** Adds an activation token to the user, and writes the mail that contains it. */
export function activating(user: StoredUser, now: Date): Mailed {
  const tenant = printable(user.cid_name);
  return withToken(user, now, {
    kind: "activation",
    subject: `Your account at ${tenant}`,
    message: `an account was created for you in the tenant ${tenant}. It becomes active when you set a password.`,
  });
}

/** Adds a token for a new password to the user, and writes the mail that contains it. */
export function resetting(user: StoredUser, now: Date): Mailed {
  const tenant = printable(user.cid_name);
  return withToken(user, now, {
    kind: "password_reset",
    subject: `Your password at ${tenant}`,
    message: `your password in the tenant ${tenant} was reset and is no longer valid. You can sign in again after you have set a new one.`,
  });
}

interface TokenMail {
  readonly kind: "activation" | "password_reset";
  readonly subject: string;
  readonly message: string;
}

function withToken(user: StoredUser, now: Date, { kind, subject, message }: TokenMail): Mailed {
  const { token, stored } = newPasswordToken(user.uuid, kind, now);
  const text = [greeting(user), message, tokenText(token, stored)].join("\n\n");
  return {
    user: { ...user, password_token: stored },
    mails: [{ cid: user.cid, to: user.uid, kind, subject, text }],
  };
}

const greeting = ({ name }: StoredUser): string =>
  `Hello${name === null ? "" : ` ${printable(name)}`},`;
