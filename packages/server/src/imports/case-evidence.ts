import { runCaseAnalyses } from "../domain/case-management/cases/analyse-again.ts";
import {
  alerts,
  events,
  type EvidenceRecord,
} from "../domain/case-management/evidence/evidence-records.ts";
import type { Resource } from "../store/index.ts";
import type { Importer } from "./kind.ts";

const importerOf = (
  resource: Resource<EvidenceRecord>,
): Importer<EvidenceRecord, EvidenceRecord> => ({
  resource,
  finish: (store, clock, onProgress) =>
    runCaseAnalyses(store, clock, (done) => onProgress?.({ work: "analysing cases", done })),
  read: (record) => ({ record }),
});

/** Imports alerts, one per line. With `update`, cases that have them are analysed again. */
export const alertImporter = importerOf(alerts);

/** Imports events, in the same way as alerts. */
export const eventImporter = importerOf(events);
