import { newTicket } from "../../domain/container/scans/ticket.ts";
import type { Handler } from "../../calls/handler.ts";

export const HeadImageScanInventory: Handler<"HeadImageScanInventory"> = ({
  caller,
  context,
  now,
}) => ({
  kind: "none",
  headers: { "x-scan-ticket": newTicket(caller.cid, context.linkKey, now) },
});
