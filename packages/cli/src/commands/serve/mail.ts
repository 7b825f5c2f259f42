import type { MailConfig } from "@security-platform/server/internal";
import { CommandError, exitCodes } from "../../terminal/exit-codes.ts";
import type { ServeOptions } from "./serve-options.ts";

/** How to send mails; null without the options. One of them alone is an error. */
export function readMail({
  smtpUrl,
  mailFrom,
}: Pick<ServeOptions, "smtpUrl" | "mailFrom">): MailConfig | null {
  if (smtpUrl !== undefined && mailFrom !== undefined) return { url: smtpUrl, from: mailFrom };
  if (smtpUrl === undefined && mailFrom === undefined) return null;
  const [one, other] =
    mailFrom === undefined ? ["--smtp-url", "--mail-from"] : ["--mail-from", "--smtp-url"];
  throw new CommandError(`${one} needs ${other} as well`, exitCodes.usage);
}
