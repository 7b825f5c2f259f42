import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { BlobStore } from "../blobs/blob-store.ts";
import type { StoredCase } from "../domain/case-management/kinds/cases.ts";
import { contentMembers } from "../domain/case-management/files/content-members.ts";
import { caseFiles, newFile, type StoredFile } from "../domain/case-management/files/files.ts";
import type { Resource } from "../store/index.ts";
import { insertAll, type Count, type Filling } from "./filling.ts";

/** Number of cases of a tenant that have a file. */
export const casesWithFiles = 20;

/** Attaches a CSV file with the hosts of the case to each case. */
export async function fillCaseFiles(
  filling: Filling,
  blobs: BlobStore,
  owners: Iterable<StoredCase>,
  count: Count,
): Promise<void> {
  const files: StoredFile[] = [];
  for (const owner of owners) {
    files.push(await hostTable(blobs, owner));
  }
  // The cast drops the reader of files: only requests have one.
  await insertAll(filling, caseFiles as unknown as Resource<StoredFile>, files, count);
}

async function hostTable(blobs: BlobStore, owner: StoredCase): Promise<StoredFile> {
  const hosts = owner.analysis_results.hosts.records;
  const rows = hosts.map(({ aid = "", hostname = "" }) => `${aid},${hostname}\n`);
  const content = Buffer.from(`aid,hostname\n${rows.join("")}`);
  const blob = await blobs.put(Readable.from([content]));
  return newFile(
    owner,
    {
      id: createHash("sha256").update(`file of ${owner.id}`).digest("hex").slice(0, 32),
      by: owner.creator,
      name: "hosts.csv",
      description: "Hosts of the evidence",
      source: "upload",
      status: "available",
      ...(await contentMembers(blobs, blob)),
    },
    new Date(owner.created_timestamp),
  );
}
