import { errors, type ApiError } from "../../../foundation/errors.ts";
import { newUuid } from "../../../foundation/identifiers.ts";
import type { Resource } from "../../../store/index.ts";
import { readSignedToken, signToken, type TokenForm } from "../signed-token.ts";

/** Lifetime of a ticket in seconds. */
const ticketSeconds = 15 * 60;
const form: TokenForm = { prefix: "sct_", purpose: "image scan ticket" };

/** A used ticket, kept until its expiry. */
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
  const content: TicketContent = { cid, id: newUuid(), expires };
  return signToken(form, content, key);
}

interface TicketContent {
  readonly cid: string;
  readonly id: string;
  /** Unix milliseconds. */
  readonly expires: number;
}

export type ReadTicket =
  { readonly ticket: UsedTicket } | { readonly refused: "invalid" | "expired" | "foreign" };

const refusals = {
  invalid: "is not a scan ticket of this server",
  expired: "has expired",
  foreign: "is a ticket of another tenant",
  used: "was used before",
} as const;

/** A 403 with the reason why a ticket is rejected, and how to get a new one. */
export const ticketRefused = (reason: keyof typeof refusals, ticket: string): ApiError =>
  errors.forbidden(
    `header X-Scan-Ticket: the value ${refusals[reason]}; ` +
      "send HEAD to the same path, and send the value of this header in the response",
    ticket,
  );

/** Checks a ticket for a tenant. */
export function readTicket(text: string, cid: string, key: string, now: Date): ReadTicket {
  const ticket = readSignedToken<TicketContent>(form, text, key);
  if (ticket === null) return { refused: "invalid" };
  if (ticket.cid !== cid) return { refused: "foreign" };
  if (ticket.expires <= now.getTime()) return { refused: "expired" };
  return { ticket: { id: ticket.id, expires_at: new Date(ticket.expires).toISOString() } };
}
