import { caseReader } from "../../domain/case-management/access-tags/reader.ts";
import { caseFiles, fileFields } from "../../domain/case-management/files/files.ts";
import type { Answer } from "../../calls/answer.ts";
import type { Call } from "../../calls/call.ts";
import { listRecords } from "../../records/list.ts";

type FilesCall = Call<"combined.file-details.get.v1" | "queries.file-details.get.v1">;

/** A page of the files that the caller sees, newest first. */
export const listFiles = async (call: FilesCall, shape: "ids" | "records"): Promise<Answer> =>
  listRecords(call, {
    resource: caseFiles,
    shape,
    records: "own",
    fields: fileFields,
    order: () => [{ field: "uploaded_on", direction: "desc" }],
    source: call.context.store.records(caseFiles, await caseReader(call)),
  });
