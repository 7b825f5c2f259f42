import { errors } from "../../../foundation/errors.ts";
import { write, type WritingCall } from "../../../records/write.ts";
import type { RecordText } from "../../../store/index.ts";
import { caseReader } from "../access-tags/reader.ts";
import {
  evidenceNotFound,
  refuseTooMuch,
  storedEvidence,
  withAnalysis,
  withMore,
} from "../evidence/collect.ts";
import { identifyCaller } from "../identity.ts";
import type { StoredCase } from "../kinds/cases.ts";
import { changeCase, type CaseChange } from "./change-case.ts";
import { tagProblems, withTags } from "./tags.ts";

/** Changes one case of the caller. */
async function change(
  call: WritingCall,
  id: string,
  changeOf: (writing: Parameters<Parameters<typeof write>[1]>[0]) => CaseChange,
): Promise<RecordText> {
  const author = { identity: await identifyCaller(call), reader: await caseReader(call) };
  return write(call, (writing) => changeCase(writing, author, id, changeOf(writing)));
}

/** 400 if the tags of the case become too long. */
export const addTags = (
  call: WritingCall,
  id: string,
  more: readonly string[],
): Promise<RecordText> =>
  change(call, id, () => ({
    apply: (stored) => {
      const tags = withTags(stored.tags, more);
      const problems = tagProblems(tags, "body.tags");
      if (problems.length > 0) throw errors.invalidRequest(problems);
      return { ...stored, tags };
    },
  }));

export const removeTags = (
  call: WritingCall,
  id: string,
  removed: readonly string[],
): Promise<RecordText> =>
  change(call, id, () => ({
    apply: (stored) => ({ ...stored, tags: stored.tags.filter((tag) => !removed.includes(tag)) }),
  }));

/** 404 for evidence that does not exist, 400 for too much evidence. */
export const addEvidence = (
  call: WritingCall,
  id: string,
  kind: "alerts" | "events",
  ids: readonly string[],
): Promise<RecordText> =>
  change(call, id, ({ transaction }) => ({
    apply: async (stored) => {
      const storedIds = await storedEvidence(transaction, [{ [kind]: ids }]);
      const missing = ids.filter((each) => !storedIds[kind].has(each));
      if (missing.length > 0) throw evidenceNotFound(kind, missing);
      const evidence = withMore(stored.evidence, { [kind]: ids });
      if (evidence === stored.evidence) return stored;
      refuseTooMuch(evidence, `body.${kind}`);
      return withAnalysis(transaction, analysedAgain({ ...stored, evidence }));
    },
  }));

/** The case with the number of its next analysis. */
export const analysedAgain = (stored: StoredCase): StoredCase => ({
  ...stored,
  consistency: { consistent: true, version: stored.consistency.version + 1 },
});
