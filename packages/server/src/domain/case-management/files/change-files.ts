import type { components } from "@security-platform/spec";
import { errors } from "../../../foundation/errors.ts";
import { requireEach } from "../../../records/get.ts";
import { write, type Writing, type WritingCall } from "../../../records/write.ts";
import { type RecordText, servedPart } from "../../../store/index.ts";
import { caseReader, type CaseReader } from "../access-tags/reader.ts";
import { caseFiles, fileNoun, withMembers, type StoredFile } from "./files.ts";

/** The file of entities.file-details.patch.v1. An equal description changes nothing. */
export async function describeFile(
  call: WritingCall,
  { id, description }: components["schemas"]["FileDetailUpdateRequest"],
): Promise<RecordText> {
  const reader = await caseReader(call);
  return write(call, async (writing) => {
    const [file] = await lockFiles(writing, reader, [id]);
    if (file === undefined) throw errors.recordsNotFound(fileNoun, [id]);
    if (file.description === description) return JSON.stringify(servedPart(caseFiles, file));
    const [text = ""] = await writing
      .records(caseFiles)
      .replace([withMembers(file, { description })]);
    return text;
  });
}

/** Deletes all or none. The blob store deletes content without references. */
export async function deleteFiles(
  call: WritingCall,
  ids: readonly string[],
): Promise<readonly string[]> {
  const each = [...new Set(ids)];
  const reader = await caseReader(call);
  await write(call, async (writing) => {
    await lockFiles(writing, reader, each);
    await writing.records(caseFiles).remove(each);
  });
  return each;
}

/**
 * Locked files in the order of `ids`: 404 for those that the reader does not see. A read-only case has
 * none, because its files have moved to the case that it was merged into.
 */
async function lockFiles(
  { transaction }: Writing,
  reader: CaseReader,
  ids: readonly string[],
): Promise<readonly StoredFile[]> {
  const filesById = await transaction.records(caseFiles, reader).getForUpdate(ids);
  return requireEach(filesById, ids, fileNoun);
}
