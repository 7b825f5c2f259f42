import { mailboxOf, smtpOptions, type MailConfig } from "@security-platform/server/internal";
import { InvalidArgumentError, Option, type Command } from "commander";
import { CommandError, exitCodes } from "../../terminal/exit-codes.ts";
import type { ServeOptions } from "./serve-options.ts";

/** `--smtp-url` and `--mail-from`. */
export function addMailOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--smtp-url <url>",
        "mail server, smtp://user:password@host:port or smtps://…; pass a password in the " +
          "variable (default: mails stay in the outbox)",
      )
        .env("SECPLAT_SMTP_URL")
        .argParser(reading(smtpOptions))
        .helpGroup("Mail:"),
    )
    .addOption(
      new Option("--mail-from <address>", "sender of mails: an address, or Name <address>")
        .env("SECPLAT_MAIL_FROM")
        .argParser(reading(mailboxOf))
        .helpGroup("Mail:"),
    );
}

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

/** Validates an option's text with `check`. */
const reading =
  (check: (text: string) => unknown) =>
  (text: string): string => {
    try {
      check(text);
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof URIError)) throw error;
      throw new InvalidArgumentError(`${capitalised(error.message)}.`);
    }
    return text;
  };

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
