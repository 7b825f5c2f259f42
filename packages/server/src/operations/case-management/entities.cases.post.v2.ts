import { caseReader } from "../../domain/case-management/access-tags/reader.ts";
import { caseNoun, cases } from "../../domain/case-management/kinds/cases.ts";
import type { Handler } from "../../calls/handler.ts";
import { answerFrom, eachOnce } from "../../records/get.ts";

export const entitiesCasesPostV2: Handler<"entities.cases.post.v2"> = async (call) => {
  const { context, body, now } = call;
  const records = context.store.records(cases, await caseReader(call));
  return answerFrom(records, caseNoun, eachOnce(body.ids), now);
};
