import { where } from "@security-platform/fql";
import { writeWithin } from "../../../records/write.ts";
import type { Reaction } from "../../../store/types.ts";
import { withAnalysis } from "../evidence/collect.ts";
import type { EvidenceRecord } from "../evidence/evidence-records.ts";
import { cases } from "./cases.ts";
import { serverAuthor, storeChange } from "./change-case.ts";
import { analysedAgain } from "./extend-case.ts";

/** Repeats the analysis of cases whose alerts or events have changed. */
export const analyseAgain = (kind: "alerts" | "events"): Reaction<EvidenceRecord> => ({
  run: async (transaction, changes, now) => {
    const ids = changes.flatMap(({ before, after }) =>
      before === null || after === null ? [] : [after.id],
    );
    if (ids.length === 0) return;
    const having = await transaction.records(cases).findForUpdate(where.anyOf(kind, ids), now);
    const author = serverAuthor(transaction.cid);
    const command = { cid: transaction.cid, name: "cases analyse", now };
    await writeWithin(transaction, command, async (writing) => {
      const changed = [];
      for (const before of having) {
        // oxlint-disable-next-line no-await-in-loop -- one transaction
        changed.push({ before, after: await withAnalysis(transaction, analysedAgain(before)) });
      }
      await storeChange(writing, author, changed);
    });
  },
});
