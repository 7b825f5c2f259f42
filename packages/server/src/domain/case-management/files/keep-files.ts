import { where } from "@security-platform/fql";
import type { Readable } from "node:stream";
import type { BlobStore } from "../../../blobs/blob-store.ts";
import { findInAnyTenant, listNewest } from "../../../records/across-tenants.ts";
import { writeAsCommand } from "../../../records/write.ts";
import type { Store } from "../../../store/index.ts";
import { everyCase } from "../access-tags/reader.ts";
import { cases } from "../kinds/cases.ts";
import { refuseReadOnly, lockCase } from "../cases/change-case.ts";
import { contentMembers } from "./content-members.ts";
import { nameProblem } from "./file-name.ts";
import { caseFiles, newFile, type FileDetail } from "./files.ts";

/** Why a command fails; the message is for its user. */
export class CaseFileError extends Error {
  override readonly name = "CaseFileError";
}

const recordsOf = (store: Store) => (cid: string) => store.records(caseFiles, everyCase(cid));

/** Files of cases of one tenant or of all tenants, newest first. For operators. */
export function listCaseFiles(
  store: Store,
  now: Date,
  {
    cid,
    caseId,
    limit,
  }: {
    /** Default: all tenants. */
    readonly cid?: string | undefined;
    readonly caseId?: string | undefined;
    readonly limit: number;
  },
): Promise<readonly FileDetail[]> {
  const predicate = caseId === undefined ? where.everything : where.equal("case_id", caseId);
  const query = { cid, predicate, newestBy: "uploaded_on", limit } as const;
  return listNewest<FileDetail>(store, recordsOf(store), query, now);
}

/** A file of any tenant; null for an unknown id. */
export async function findCaseFile(
  store: Store,
  id: string,
  now: Date,
): Promise<FileDetail | null> {
  const text = await findInAnyTenant(store, recordsOf(store), id, now);
  return text === null ? null : (JSON.parse(text) as FileDetail);
}

/** The content of a file. Throws `CaseFileError` if there is none. */
export async function openCaseFile(blobs: BlobStore, file: FileDetail): Promise<Readable> {
  const { id, status, hash_value } = file;
  if (status === "available" && hash_value !== undefined) return blobs.open(hash_value);
  throw new CaseFileError(`the content of file ${id} is not available: its status is ${status}`);
}

export interface AddedFile {
  readonly cid: string;
  /** Id or reference id of the case. */
  readonly caseId: string;
  readonly name: string;
  readonly description: string;
  readonly content: AsyncIterable<Uint8Array>;
}

/**
 * Adds a file to a case. Throws `CaseFileError` for an unknown case, an invalid name and an empty
 * file.
 */
export async function addCaseFile(
  { store, blobs, now }: { readonly store: Store; readonly blobs: BlobStore; readonly now: Date },
  { cid, caseId, name, description, content }: AddedFile,
): Promise<FileDetail> {
  const problem = nameProblem(name);
  if (problem !== null) throw new CaseFileError(`${name}: ${problem}`);
  const reader = everyCase(cid);
  const { items } = await store.records(cases, reader).page({
    predicate: where.any(where.equal("id", caseId), where.equal("reference_id", caseId)),
    sort: [],
    limit: 1,
    shape: "ids",
    now,
  });
  const [id] = items;
  if (id === undefined) throw new CaseFileError(`there is no case ${caseId}`);
  const blob = await blobs.put(content);
  if (blob.bytes === 0) throw new CaseFileError(`${name} is empty`);
  const members = await contentMembers(blobs, blob);
  const command = { store, cid, name: "cases files add", now };
  return writeAsCommand(command, async (writing) => {
    const owner = await lockCase(writing, { reader }, id);
    refuseReadOnly(owner, "");
    const file = newFile(
      owner,
      { name, description, by: "cli", source: "upload", status: "available", ...members },
      now,
    );
    const [text = ""] = await writing.records(caseFiles).insert([file]);
    return JSON.parse(text) as FileDetail;
  });
}
