import { errors } from "../../../foundation/errors.ts";
import type { Call } from "../../../calls/call.ts";
import { write, type Writing, type WritingCall } from "../../../records/write.ts";
import type { Context } from "../../../calls/context.ts";
import type { RecordText } from "../../../store/index.ts";
import { caseReader } from "../access-tags/reader.ts";
import { caseNoun, cases } from "../kinds/cases.ts";
import { refuseReadOnly, lockCase } from "../cases/change-case.ts";
import { identifyCaller } from "../identity.ts";
import { contentMembers } from "./content-members.ts";
import { nameProblem } from "./file-name.ts";
import { caseFiles, newFile, type NewFile, type StoredFile } from "./files.ts";

type AddingCall = WritingCall & { readonly context: Context };

/**
 * 404 for a case that the caller does not see, 409 for a read-only one. Reads, and changes nothing.
 */
export async function requireOpenCase(call: AddingCall, id: string): Promise<void> {
  const { context, now } = call;
  const records = context.store.records(cases, await caseReader(call));
  const stored = (await records.getComplete([id], now)).get(id);
  if (stored === undefined) throw errors.recordsNotFound(caseNoun, [id]);
  refuseReadOnly(stored, "body.case_id");
}

/** Adds a file to a case. `also` runs in the same transaction. */
export async function addFile(
  call: AddingCall,
  caseId: string,
  file: Omit<NewFile, "by">,
  also: (writing: Writing, added: StoredFile) => Promise<unknown> = async () => undefined,
): Promise<RecordText> {
  const reader = await caseReader(call);
  const { key: by } = await identifyCaller(call);
  return write(call, async (writing) => {
    const stored = await lockCase(writing, { reader }, caseId);
    refuseReadOnly(stored, "body.case_id");
    const added = newFile(stored, { ...file, by }, writing.now);
    const [text = ""] = await writing.records(caseFiles).insert([added]);
    await also(writing, added);
    return text;
  });
}

/**
 * The file of entities.files_upload.post.v1. A rejected upload leaves nothing in the blob store.
 */
export async function uploadFile(call: Call<"entities.files_upload.post.v1">): Promise<RecordText> {
  const { context, body, files } = call;
  const { file } = files;
  const { name, sha256, bytes } = file;
  const problem = nameProblem(name);
  if (problem !== null) throw errors.invalidRequest([{ at: "body.file", message: problem }]);
  await requireOpenCase(call, body.case_id);
  await file.keep();
  return addFile(call, body.case_id, {
    name,
    description: body.description ?? "",
    source: "upload",
    status: "available",
    ...(await contentMembers(context.blobs, { sha256, bytes })),
  });
}
