import { dueEffect } from "../../../jobs/due-effect.ts";
import { writeWithin, type Writing } from "../../../records/write.ts";
import { serverAuthor, storeChange } from "../cases/change-case.ts";
import { cases, type StoredCase } from "../kinds/cases.ts";
import { filled } from "../kinds/store-cases.ts";
import { notifyGroup } from "../notifications/notify-group.ts";
import { advancedTimers } from "../kinds/timers.ts";

/** Runs when a timer is due: marks missed goals and executes the escalation steps. */
export const escalateCases = dueEffect(
  cases,
  "sla",
  async ({ transaction, record, now: instant }) => {
    // After downtime a server handles due times in the past, but the dates of the case must not
    // decrease.
    const last = new Date(record.updated_timestamp);
    const now = last > instant ? last : instant;
    const { cid } = record;
    await writeWithin(transaction, { cid, name: "cases escalate", now }, (writing) =>
      escalate(writing, record, instant),
    );
  },
);

async function escalate(writing: Writing, before: StoredCase, instant: Date): Promise<void> {
  const { after, steps } = advancedTimers(before, instant);
  if (JSON.stringify(after.sla) === JSON.stringify(before.sla)) {
    // No visible member has changed, so the version is kept.
    await writing.records(cases).replace([filled(after)]);
  } else {
    await storeChange(writing, serverAuthor(before.cid), [{ before, after }]);
  }
  for (const step of steps) {
    await notifyGroup(writing, after, step, instant);
  }
}
