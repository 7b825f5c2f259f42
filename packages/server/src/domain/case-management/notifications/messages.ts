import { createHash, createHmac } from "node:crypto";
import { newIdentifier } from "../../../foundation/identifiers.ts";
import type { OutgoingMail } from "../../../mail/mailer.ts";
import type { Delivery } from "./deliveries.ts";
import { facts, headline } from "./events.ts";

/** An HTTP request with a message. */
export interface PostedMessage {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface MessageContext {
  /** When the message is sent; part of the signed text. */
  readonly now: Date;
  readonly pagerDutyUrl: string;
}

/**
 * The request that delivers a message to a channel other than e-mail; null for a channel without
 * settings.
 */
export function postedMessage(
  delivery: Delivery,
  { now, pagerDutyUrl }: MessageContext,
): PostedMessage | null {
  const { channel, settings = {} } = delivery;
  const { url = "", secret } = settings;
  switch (channel) {
    case "webhook": {
      const body = JSON.stringify({ id: delivery.id, ...delivery.event });
      return { url, body, headers: webhookHeaders(delivery.id, body, secret, now) };
    }
    case "slack":
      return { url, body: JSON.stringify(slackMessage(delivery)), headers: json };
    case "ms_teams":
      return { url, body: JSON.stringify(teamsMessage(delivery)), headers: json };
    case "pagerduty":
      return { url: pagerDutyUrl, body: JSON.stringify(alertEvent(delivery)), headers: json };
    default:
      return null;
  }
}

const json = {
  "content-type": "application/json; charset=utf-8",
  "user-agent": "security-platform",
} as const;

function webhookHeaders(id: string, body: string, secret: string | undefined, now: Date) {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  return {
    ...json,
    "x-webhook-id": id,
    "x-webhook-timestamp": timestamp,
    traceparent: traceparentOf(id),
    ...(secret === undefined
      ? {}
      : { "x-webhook-signature": `v1=${webhookSignature(secret, timestamp, body)}` }),
  };
}

/**
 * The receiver's part of a trace (https://www.w3.org/TR/trace-context/). All attempts of a delivery have one trace id, which
 * follows from the id of the delivery. Replaced if this server itself takes part in a trace.
 */
function traceparentOf(id: string): string {
  const trace = createHash("sha256").update(id).digest("hex").slice(0, 32);
  return `00-${trace}-${newIdentifier().slice(0, 16)}-00`;
}

/** HMAC-SHA-256 of the timestamp, a full stop and the body, in hex. */
export const webhookSignature = (secret: string, timestamp: string, body: string): string =>
  createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");

/** https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
function slackMessage({ event }: Delivery): object {
  const fields = facts(event).map(([name, value]) => ({
    type: "mrkdwn",
    text: `*${name}*\n${slackText(value)}`,
  }));
  const title = slackText(headline(event));
  return {
    text: title,
    blocks: [
      { type: "section", text: { type: "mrkdwn", text: `*${title}*` } },
      { type: "section", fields },
    ],
  };
}

/** Slack reads these three characters as markup. */
const slackText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** A message of a Teams workflow: https://learn.microsoft.com/en-us/connectors/teams/ */
function teamsMessage({ event }: Delivery): object {
  return {
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.4",
          body: [
            { type: "TextBlock", text: headline(event), weight: "Bolder", wrap: true },
            {
              type: "FactSet",
              facts: facts(event).map(([title, value]) => ({ title, value })),
            },
          ],
        },
      },
    ],
  };
}

/**
 * https://developer.pagerduty.com/docs/send-alert-event; the steps of one goal are one incident.
 */
function alertEvent({ event, settings = {} }: Delivery): object {
  const { case: about, goal, timestamp } = event;
  return {
    routing_key: settings.routing_key,
    event_action: "trigger",
    dedup_key: `${about.id}/${goal.type}`,
    payload: {
      summary: headline(event).slice(0, 1_024),
      source: about.reference_id,
      severity: settings.severity ?? "critical",
      timestamp,
      custom_details: Object.fromEntries(facts(event)),
    },
  };
}

/** The mail of a delivery. */
export const mailOf = ({ id, target, event, created_at }: Delivery): OutgoingMail => ({
  id,
  to: target,
  subject: headline(event),
  text: [headline(event), "", ...facts(event).map(([name, value]) => `${name}: ${value}`), ""].join(
    "\n",
  ),
  date: new Date(created_at),
});
