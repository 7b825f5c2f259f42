import { dueEffect } from "../../../jobs/due-effect.ts";
import { usedTickets } from "./ticket.ts";

/** Deletes a used ticket after its expiry. */
export const expireScanTickets = dueEffect(
  usedTickets,
  "expiry",
  async ({ transaction, record, now }) => transaction.records(usedTickets).remove([record.id], now),
);
