import { caseReader } from "../../domain/case-management/access-tags/reader.ts";
import { caseFiles, fileNoun } from "../../domain/case-management/files/files.ts";
import type { Handler } from "../../calls/handler.ts";
import { answerFrom } from "../../records/get.ts";

export const entitiesFileDetailsGetV1: Handler<"entities.file-details.get.v1"> = async (call) => {
  const { context, query, now } = call;
  const records = context.store.records(caseFiles, await caseReader(call));
  return answerFrom(records, fileNoun, [...new Set(query.ids)], now);
};
