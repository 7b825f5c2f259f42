import { createHmac, timingSafeEqual } from "node:crypto";
import { errors, type ApiError } from "../../../errors.ts";
import { newUuid } from "../../../identifiers.ts";
import type { Resource } from "../../../store/types.ts";

/** Lifetime of a ticket in seconds. */
const ticketSeconds = 15 * 60;
const prefix = "sct_";

/** A ticket that was used, kept until it would have expired. */
export interface UsedTicket {
  readonly id: string;
  readonly expires_at: string;
}

export const usedTickets: Resource<UsedTicket> = {
  name: "used_scan_tickets",
  collection: "container",
  fields: { expires_at: { type: "timestamp" } },
  id: "id",
  indexes: [],
  due: { expiry: { at: ({ expires_at }) => expires_at } },
};

/** A signed permission to send one inventory for a tenant. */
export function newTicket(cid: string, key: string, now: Date): string {
  const expires = now.getTime() + ticketSeconds * 1_000;
  const content = Buffer.from(JSON.stringify({ cid, id: newUuid(), expires })).toString(
    "base64url",
  );
  return `${prefix}${content}.${signatureOf(content, key)}`;
}

export type ReadTicket =
  { readonly ticket: UsedTicket } | { readonly refused: "invalid" | "expired" | "foreign" };

const refusals = {
  invalid: "is not a scan ticket of this server",
  expired: "has expired",
  foreign: "is a ticket of another tenant",
  used: "was used before",
} as const;

/** 403 that says why a ticket is not accepted, and where to get another. */
export const ticketRefused = (reason: keyof typeof refusals, ticket: string): ApiError =>
  errors.forbidden(
    `header X-Scan-Ticket: the value ${refusals[reason]}; ` +
      "send HEAD to the same path, and send the value of this header in the response",
    ticket,
  );

/** Checks a ticket for a tenant. */
export function readTicket(text: string, cid: string, key: string, now: Date): ReadTicket {
  const [content = "", signature = "", ...rest] = text.slice(prefix.length).split(".");
  const valid = text.startsWith(prefix) && rest.length === 0 && isSigned(content, signature, key);
  if (!valid) return { refused: "invalid" };
  const ticket = JSON.parse(Buffer.from(content, "base64url").toString()) as {
    readonly cid: string;
    readonly id: string;
    readonly expires: number;
  };
  if (ticket.cid !== cid) return { refused: "foreign" };
  if (ticket.expires <= now.getTime()) return { refused: "expired" };
  return { ticket: { id: ticket.id, expires_at: new Date(ticket.expires).toISOString() } };
}

function isSigned(content: string, signature: string, key: string): boolean {
  const expected = Buffer.from(signatureOf(content, key));
  const bytes = Buffer.from(signature);
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

/** The purpose is signed as well, so that no other signature of the server is a ticket. */
const signatureOf = (content: string, key: string): string =>
  createHmac("sha256", key).update(`image scan ticket\n${content}`).digest("base64url");
