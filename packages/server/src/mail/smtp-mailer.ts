import type { Transporter } from "nodemailer";
import { isMailAddress } from "@security-platform/spec/schemas";
import type { MailConfig } from "../foundation/config.ts";
import { MailRefusedError, type Mailer, type OutgoingMail } from "./mailer.ts";

const waitMilliseconds = 30_000;
const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Sends mails through an SMTP server. */
export class SmtpMailer implements Mailer {
  readonly #options: ReturnType<typeof smtpOptions>;
  readonly #from: Mailbox;
  #transport: Promise<Transporter> | undefined;

  /** Throws `TypeError` for an invalid URL or sender. */
  constructor({ url, from }: MailConfig) {
    this.#from = mailboxOf(from);
    this.#options = smtpOptions(url);
  }

  async send({ id, to, subject, text, date }: OutgoingMail): Promise<string> {
    const problem = problemOf({ to, subject });
    if (problem !== null) throw new MailRefusedError(problem);
    const messageId = `<${id}@${this.#from.address.split("@").at(-1) ?? ""}>`;
    this.#transport ??= transportOf(this.#options);
    const transport = await this.#transport;
    try {
      await transport.sendMail({
        messageId,
        date,
        from: this.#from,
        to: { name: "", address: to },
        subject,
        text,
        // RFC 3834: prevents automatic replies, such as vacation notices.
        headers: { "Auto-Submitted": "auto-generated" },
      });
    } catch (error) {
      throw isRefusal(error) ? new MailRefusedError(error.message, { cause: error }) : error;
    }
    return messageId;
  }
}

/** The library is large, and few servers send mails. */
async function transportOf(options: ReturnType<typeof smtpOptions>): Promise<Transporter> {
  const { createTransport } = await import("nodemailer");
  return createTransport(options);
}

/** Server, credentials and time limits of an SMTP URL. Throws `TypeError` without repeating the password. */
export function smtpOptions(text: string) {
  if (!/^smtps?:\/\/[^/?#\s]+\/?$/.test(text) || !URL.canParse(text)) {
    throw new TypeError("expected smtp://user:password@host:port or smtps://…");
  }
  const { protocol, hostname, port, username, password } = new URL(text);
  const secure = protocol === "smtps:";
  const hasCredentials = username !== "";
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (secure ? 465 : 587) : Number(port),
    secure,
    // Never send a password unencrypted, except to this machine.
    requireTLS: hasCredentials && !secure && !loopback.test(hostname),
    ...(hasCredentials
      ? { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }
      : {}),
    connectionTimeout: waitMilliseconds,
    greetingTimeout: waitMilliseconds,
    socketTimeout: waitMilliseconds,
    // Texts come from tenants, so nothing in them may attach a file or URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

interface Mailbox {
  readonly name: string;
  readonly address: string;
}

const control = /\p{Cc}/u;

/** Reads `Name <address>` or an address. Throws `TypeError`. */
export function mailboxOf(text: string): Mailbox {
  const { name = "", address = text } =
    /^(?<name>[^<>]*)<(?<address>[^<>]+)>$/.exec(text)?.groups ?? {};
  if (control.test(text) || !isMailAddress(address)) {
    throw new TypeError("expected an address such as platform@example.com, or Name <address>");
  }
  return { name: name.trim(), address };
}

/** The reason for which a mail must not be sent: it could add headers or recipients. */
function problemOf({ to, subject }: Pick<OutgoingMail, "to" | "subject">): string | null {
  if (!isMailAddress(to)) return `to: expected one e-mail address, got ${JSON.stringify(to)}`;
  if (control.test(subject)) return "subject: control characters are not allowed";
  return null;
}

/**
 * Whether the receiving server refuses this mail or address permanently (RFC 5321 §4.2.1), and not the
 * sender.
 */
function isRefusal(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { responseCode, command } = error as { responseCode?: number; command?: string };
  return (responseCode ?? 0) >= 500 && ["RCPT TO", "DATA"].includes(command ?? "");
}
