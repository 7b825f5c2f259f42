import { caseReader } from "../../domain/case-management/access-tags/reader.ts";
import { caseNoun, cases } from "../../domain/case-management/cases/cases.ts";
import { listCases } from "../../domain/case-management/cases/list-cases.ts";
import type { OperationHandlers } from "../../handler.ts";
import { answerFrom } from "../../records/get.ts";

export const casesHandlers = {
  "entities.cases.post.v2": async (call) => {
    const { context, body, now } = call;
    const seen = context.store.records(cases, await caseReader(call));
    return answerFrom(seen, caseNoun, [...new Set(body.ids)], now);
  },
  "queries.cases.get.v1": (call) => listCases(call),
} satisfies Partial<OperationHandlers>;
