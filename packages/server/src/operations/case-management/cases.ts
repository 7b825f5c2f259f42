import { caseReader } from "../../domain/case-management/access-tags/reader.ts";
import { caseNoun, cases } from "../../domain/case-management/cases/cases.ts";
import { createCase } from "../../domain/case-management/cases/create-case.ts";
import {
  addEvidence,
  addTags,
  removeTags,
} from "../../domain/case-management/cases/extend-case.ts";
import { listCases } from "../../domain/case-management/cases/list-cases.ts";
import { mergeCases } from "../../domain/case-management/cases/merge-cases.ts";
import { updateCase } from "../../domain/case-management/cases/update-case.ts";
import type { Answer } from "../../answer.ts";
import type { OperationHandlers } from "../../handler.ts";
import { answerFrom, eachOnce } from "../../records/get.ts";
import type { RecordText } from "../../store/index.ts";

const one = async (text: Promise<RecordText>): Promise<Answer> => ({
  kind: "records",
  records: [await text],
});

const idsOf = (selectors: readonly { readonly id: string }[]): readonly string[] =>
  selectors.map(({ id }) => id);

export const casesHandlers = {
  "entities.alert-evidence.post.v1": (call) =>
    one(addEvidence(call, call.body.id, "alerts", idsOf(call.body.alerts))),
  "entities.case-tags.delete.v1": (call) => one(removeTags(call, call.query.id, call.query.tag)),
  "entities.case-tags.post.v1": (call) => one(addTags(call, call.body.id, call.body.tags)),
  "entities.cases.patch.v2": (call) => one(updateCase(call, call.body)),
  "entities.cases.post.v2": async (call) => {
    const { context, body, now } = call;
    const seen = context.store.records(cases, await caseReader(call));
    return answerFrom(seen, caseNoun, eachOnce(body.ids), now);
  },
  "entities.cases.put.v2": (call) => one(createCase(call, call.body)),
  "entities.event-evidence.post.v1": (call) =>
    one(addEvidence(call, call.body.id, "events", idsOf(call.body.events))),
  "entities.merge.post.v1": async (call) => {
    await mergeCases(call, call.body);
    return { kind: "envelope", affected: 2 };
  },
  "queries.cases.get.v1": (call) => listCases(call),
} satisfies Partial<OperationHandlers>;
