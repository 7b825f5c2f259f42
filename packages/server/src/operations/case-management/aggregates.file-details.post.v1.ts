import { where } from "@security-platform/fql";
import { caseReader } from "../../domain/case-management/access-tags/reader.ts";
import { caseFiles, fileFields, fileNoun } from "../../domain/case-management/files/files.ts";
import type { Handler } from "../../calls/handler.ts";
import { aggregateRecords } from "../../records/aggregate.ts";
import { filterReader } from "../../records/filters.ts";
import { answerFrom } from "../../records/get.ts";

export const aggregatesFileDetailsPostV1: Handler<"aggregates.file-details.post.v1"> = async (
  call,
) => {
  const { context, query, body, now } = call;
  const ids = [...new Set(query.ids)];
  const records = context.store.records(caseFiles, await caseReader(call));
  await answerFrom(records, fileNoun, ids, now);
  const filter = filterReader(fileFields).predicate(query.filter, now);
  const base = ids.length === 0 ? filter : where.all(where.anyOf("id", ids), filter);
  return aggregateRecords(body, { records, fields: fileFields, base, now });
};
