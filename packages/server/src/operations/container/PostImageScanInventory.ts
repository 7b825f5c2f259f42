import { findAdvisories } from "../../domain/container/advisories/find-advisories.ts";
import {
  mostPackages,
  packagesIn,
  scanImage,
  storeReport,
} from "../../domain/container/scans/make-scan.ts";
import { refuseUsedTicket, storeScan } from "../../domain/container/scans/store-scan.ts";
import { readTicket, ticketRefused } from "../../domain/container/scans/ticket.ts";
import { errors } from "../../foundation/errors.ts";
import type { Handler } from "../../calls/handler.ts";

export const PostImageScanInventory: Handler<"PostImageScanInventory"> = async (call) => {
  const { body, caller, context, headers, now } = call;
  const { cid } = caller;
  const read = readTicket(headers["X-Scan-Ticket"], cid, context.linkKey, now);
  if ("refused" in read) throw ticketRefused(read.refused, headers["X-Scan-Ticket"]);
  await refuseUsedTicket(call, read.ticket);
  const named = body.scan_request.ScanInfo?.cid ?? cid;
  if (named !== cid) {
    const message = `is ${named}; expected the tenant of the token, ${cid}`;
    throw errors.invalidRequest([{ at: "body.scan_request.ScanInfo.cid", message }]);
  }
  const packages = packagesIn(body);
  if (packages > mostPackages) {
    const message = `has ${packages} packages and libraries; expected at most ${mostPackages}`;
    throw errors.invalidRequest([{ at: "body.inventory", message }]);
  }
  const { scan, report } = await scanImage(body, {
    cid,
    now,
    find: findAdvisories(context.store, cid, now),
  });
  if (body.ephemeral_scan === true) await storeScan(call, read.ticket, null);
  else {
    const stored = { ...scan, ...(await storeReport(context.blobs, report)) };
    await storeScan(call, read.ticket, { scan: stored, report });
  }
  const { scan_uuid, image_id, image_digest, scanned_at } = scan;
  const { vulnerability_count, detection_count } = scan;
  return {
    kind: "envelope",
    affected: body.ephemeral_scan === true ? 0 : 1,
    resources: {
      uuid: scan_uuid,
      image_id,
      image_digest,
      scanned_at,
      vulnerability_count,
      detection_count,
    },
  };
};
