import { where } from "@security-platform/fql";
import { caseReader } from "../../domain/case-management/access-tags/reader.ts";
import { uploadFile } from "../../domain/case-management/files/add-file.ts";
import { deleteFiles, describeFile } from "../../domain/case-management/files/change-files.ts";
import { archiveLink, linksTo } from "../../domain/case-management/files/file-links.ts";
import { caseFiles, fileFields, fileNoun } from "../../domain/case-management/files/files.ts";
import {
  addFetchedFile,
  hostFileMetadata,
  requestHostFile,
} from "../../domain/case-management/files/host-retrieval.ts";
import type { Answer } from "../../answer.ts";
import type { Call } from "../../call.ts";
import type { OperationHandlers } from "../../handler.ts";
import { filterReader } from "../../records/filters.ts";
import { aggregateRecords } from "../../records/aggregate.ts";
import { answerFrom } from "../../records/get.ts";
import { listRecords } from "../../records/list.ts";
import type { RecordText } from "../../store/index.ts";

const one = async (text: Promise<RecordText>): Promise<Answer> => ({
  kind: "records",
  records: [await text],
});

const linkRecords = (links: readonly string[]): Answer => ({
  kind: "records",
  records: links.map((link) => JSON.stringify({ link })),
});

/** A page of the files that the caller sees, newest first. */
const listFiles =
  (shape: "ids" | "records") =>
  async (call: Call<"combined.file-details.get.v1" | "queries.file-details.get.v1">) =>
    listRecords(call, {
      resource: caseFiles,
      shape,
      records: "own",
      fields: fileFields,
      order: () => [{ field: "uploaded_on", direction: "desc" }],
      source: call.context.store.records(caseFiles, await caseReader(call)),
    });

export const fileHandlers = {
  "aggregates.file-details.post.v1": async (call) => {
    const { context, query, body, now } = call;
    const ids = [...new Set(query.ids)];
    const records = context.store.records(caseFiles, await caseReader(call));
    await answerFrom(records, fileNoun, ids, now);
    const filter = filterReader(fileFields).predicate(query.filter, now);
    const base = ids.length === 0 ? filter : where.all(where.anyOf("id", ids), filter);
    return aggregateRecords(body, { records, fields: fileFields, base, now });
  },
  "combined.file-details.get.v1": listFiles("records"),
  "entities.file-details.get.v1": async (call) => {
    const { context, query, now } = call;
    const seen = context.store.records(caseFiles, await caseReader(call));
    return answerFrom(seen, fileNoun, [...new Set(query.ids)], now);
  },
  "entities.file-details.patch.v1": (call) => one(describeFile(call, call.body)),
  "entities.files.delete.v1": async (call) => ({
    kind: "ids",
    ids: await deleteFiles(call, call.query.ids),
  }),
  "entities.files_bulk-download.post.v1": async (call) =>
    linkRecords([await archiveLink(call, call.body.ids, "body.ids")]),
  "entities.files_download.get.v1": async (call) =>
    linkRecords(await linksTo(call, [call.query.id], "query.id")),
  "entities.files_download.post.v1": async (call) =>
    linkRecords(await linksTo(call, call.body.ids, "body.ids")),
  "entities.files_upload.post.v1": (call) => one(uploadFile(call)),
  "entities.get-rtr-file-metadata.post.v1": async (call) => ({
    kind: "records",
    records: [JSON.stringify(await hostFileMetadata(call, call.body))],
  }),
  "entities.retrieve-rtr-file.post.v1": (call) => one(requestHostFile(call, call.body)),
  "entities.retrieve-rtr-recent-file.post.v1": (call) => one(addFetchedFile(call, call.body)),
  "queries.file-details.get.v1": listFiles("ids"),
} satisfies Partial<OperationHandlers>;
