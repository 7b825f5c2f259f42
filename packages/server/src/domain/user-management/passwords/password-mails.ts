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
  const { token, stored } = newPasswordToken(user.uuid, "activation", now);
  const { cid_name } = user;
  return {
    user: { ...user, password_token: stored },
    mails: [
      {
        ...mailTo(user),
        kind: "activation",
        subject: `Your account at ${printable(cid_name)}`,
        text: [
          greeting(user),
          `an account was created for you in the tenant ${printable(cid_name)}. It becomes active when you set a password.`,
          tokenText(token, stored),
        ].join("\n\n"),
      },
    ],
  };
}

/** Adds a token for a new password to the user, and writes the mail that contains it. */
export function resetting(user: StoredUser, now: Date): Mailed {
  const { token, stored } = newPasswordToken(user.uuid, "password_reset", now);
  const { cid_name } = user;
  return {
    user: { ...user, password_token: stored },
    mails: [
      {
        ...mailTo(user),
        kind: "password_reset",
        subject: `Your password at ${printable(cid_name)}`,
        text: [
          greeting(user),
          `your password in the tenant ${printable(cid_name)} was reset and is no longer valid. You can sign in again after you have set a new one.`,
          tokenText(token, stored),
        ].join("\n\n"),
      },
    ],
  };
}

const mailTo = ({ cid, uid }: StoredUser) => ({ cid, to: uid });

const greeting = ({ name }: StoredUser): string =>
  `Hello${name === null ? "" : ` ${printable(name)}`},`;
