import { isDeepStrictEqual } from "node:util";
import { where } from "@security-platform/fql";
import type { Clock } from "../../../foundation/clock.ts";
import type { JobKind } from "../../../jobs/job-kind.ts";
import { runNow } from "../../../jobs/run-now.ts";
import { writeWithin } from "../../../records/write.ts";
import type { Reaction, Store, Transaction } from "../../../store/index.ts";
import { analysed, evidenceIdsOf, storedEvidence } from "../evidence/collect.ts";
import type { EvidenceRecord } from "../evidence/evidence-records.ts";
import { everyCase } from "../access-tags/reader.ts";
import { cases } from "../kinds/cases.ts";
import { serverAuthor, storeChange } from "./change-case.ts";
import { analysedAgain } from "./extend-case.ts";

const analyseCasesKind = "cases.analyse";

/** Cases per transaction. Each can have a hundred pieces of evidence. */
const batch = 50;

/** Changed alerts or events. */
type Payload = { readonly kind: "alerts" | "events"; readonly ids: readonly string[] };

/** A change of alerts or events enqueues a new analysis of the cases that have them. */
export const analyseAgain = (kind: Payload["kind"]): Reaction<EvidenceRecord> => ({
  run: async (transaction, changes, now) => {
    const ids = changes.flatMap(({ before, after }) =>
      before === null || after === null ? [] : [after.id],
    );
    if (ids.length === 0) return;
    const payload: Payload = { kind, ids };
    await transaction.enqueue({ kind: analyseCasesKind, key: analyseCasesKind, payload }, now);
  },
});

/**
 * Analyses the cases of changed alerts or events, in a transaction for each batch: other writes run
 * in between. An attempt that was cut off can be repeated, as cases with the same results stay
 * unchanged.
 */
export const analyseCases = (
  store: Store,
  onProgress?: (done: number) => void,
): JobKind<Payload> => {
  let done = 0;
  return {
    name: analyseCasesKind,
    run: async ({ cid, now, payload, signal, write }) => {
      let changed = 0;
      const concerned = where.anyOf(payload.kind, payload.ids);
      const records = store.records(cases, everyCase(cid));
      for await (const ids of records.scanIds(concerned, now, batch)) {
        signal.throwIfAborted();
        changed += await write((transaction) => analyseBatch(transaction, ids, now));
        done += ids.length;
        onProgress?.(done);
      }
      return { commit: async () => ({ changed }) };
    },
  };
};

/** Runs the analyses that imports have enqueued, for commands that work without a server. */
export const runCaseAnalyses = (
  store: Store,
  clock: Clock,
  onProgress?: (done: number) => void,
): Promise<void> => runNow(store, clock, analyseCases(store, onProgress));

/** Returns the number of changed cases. */
async function analyseBatch(
  transaction: Transaction,
  ids: readonly string[],
  now: Date,
): Promise<number> {
  const { cid } = transaction;
  const stored = [...(await transaction.records(cases).getForUpdate(ids)).values()];
  const evidence = await storedEvidence(
    transaction,
    stored.map((each) => evidenceIdsOf(each.evidence)),
  );
  const changes = stored.flatMap((before) => {
    const after = analysed(evidence, before);
    return isDeepStrictEqual(after, before) ? [] : [{ before, after: analysedAgain(after) }];
  });
  await writeWithin(transaction, { cid, name: "cases analyse", now }, async (writing) => {
    await storeChange(writing, serverAuthor(cid), changes);
  });
  return changes.length;
}
