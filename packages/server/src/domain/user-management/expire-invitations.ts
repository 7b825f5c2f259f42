import { dueEffect } from "../../jobs/due-effect.ts";
import { writeWithin } from "../../records/write.ts";
import { platformCid } from "../../store/types.ts";
import { expired, invitations } from "./invitations.ts";

/** A pending invitation is stored as what it has read as since its instant, and the trail has it. */
export const expireInvitations = dueEffect(invitations, "expiry", ({ transaction, record, now }) =>
  writeWithin(
    transaction,
    { cid: platformCid, name: "invitations expire", now },
    async (writing) => {
      await writing.records(invitations).replace([expired(record)], { cid: record.target_cid });
    },
  ),
);
