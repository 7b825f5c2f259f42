import { dueEffect } from "../../../jobs/due-effect.ts";
import { usedTickets } from "./ticket.ts";

/** Forgets a used ticket once it would have expired. */
export const expireScanTickets = dueEffect(
  usedTickets,
  "expiry",
  async ({ transaction, record, now }) => transaction.records(usedTickets).remove([record.id], now),
);
