import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { BlobStore } from "../blobs/blob-store.ts";
import type { StoredCase } from "../domain/case-management/kinds/cases.ts";
import { contentMembers } from "../domain/case-management/files/content-members.ts";
import { caseFiles, newFile, type StoredFile } from "../domain/case-management/files/files.ts";
import type { Resource } from "../store/index.ts";
import { caseFileContents, type CaseFileContent } from "./case-file-contents.ts";
import { insertAll, type Count, type Filling } from "./filling.ts";

/** Number of cases of a tenant that have a file. */
export const casesWithFiles = 20;

/** A file that is attached to a case. */
export interface AttachedFile extends CaseFileContent {
  readonly id: string;
  readonly owner: StoredCase;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Attaches a file to each case. */
export async function fillCaseFiles(
  filling: Filling,
  blobs: BlobStore,
  owners: Iterable<StoredCase>,
  count: Count,
): Promise<void> {
  const files = [...owners].flatMap((owner, index): AttachedFile[] => {
    const make = caseFileContents[index % caseFileContents.length];
    if (make === undefined) return [];
    const id = createHash("sha256").update(`file of ${owner.id}`).digest("hex").slice(0, 32);
    return [{ ...make(owner), id, owner, at: Date.parse(owner.created_timestamp) }];
  });
  await attachFiles(filling, blobs, files, count);
}

/** Stores files that the creators of their cases have uploaded. Existing records stay unchanged. */
export async function attachFiles(
  filling: Filling,
  blobs: BlobStore,
  attached: readonly AttachedFile[],
  count: Count,
): Promise<void> {
  const files: StoredFile[] = [];
  for (const { id, owner, at, name, description, content } of attached) {
    const blob = await blobs.put(Readable.from([content]));
    const members = await contentMembers(blobs, blob);
    const source = { source: "upload", status: "available" } as const;
    files.push(
      newFile(
        owner,
        { id, by: owner.creator, name, description, ...source, ...members },
        new Date(at),
      ),
    );
  }
  // The cast drops the reader of files: only requests have one.
  await insertAll(filling, caseFiles as unknown as Resource<StoredFile>, files, count);
}
