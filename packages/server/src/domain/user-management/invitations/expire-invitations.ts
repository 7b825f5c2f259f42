import { dueEffect } from "../../../jobs/due-effect.ts";
import { writeWithin } from "../../../records/write.ts";
import { platformCid } from "../../../store/index.ts";
import { expired, invitations } from "./invitations.ts";

/**
 * Reads show an invitation as expired as soon as its time has passed. This effect stores the status and
 * writes the audit entry.
 */
export const expireInvitations = dueEffect(invitations, "expiry", ({ transaction, record, now }) =>
  writeWithin(
    transaction,
    { cid: platformCid, name: "invitations expire", now },
    async (writing) => {
      await writing.records(invitations).replace([expired(record)], { cid: record.target_cid });
    },
  ),
);
