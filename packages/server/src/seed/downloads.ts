import { Readable } from "node:stream";
import type { BlobStore } from "../blobs/blob-store.ts";
import { storedDownload, type StoredDownload } from "../domain/downloads/downloads.ts";
import { Random } from "./random.ts";

const versions = ["1.9.0", "1.10.0"] as const;
const systems = [
  { os: "linux", arch: "amd64", file_type: "sh" },
  { os: "linux", arch: "arm64", file_type: "sh" },
  { os: "darwin", arch: "arm64", file_type: "sh" },
  { os: "windows", arch: "amd64", file_type: "ps1" },
] as const;
const checks = 400;

interface SeededFile {
  readonly members: Omit<StoredDownload, "id" | "version_order" | "file_hash" | "size">;
  readonly content: string;
}

/** Number of files that each tenant of a world may download. */
export const downloadCount = versions.length * systems.length + 1;

/** Stores the files of a world and returns their records, the same for all its tenants. */
export async function seededDownloads(
  blobs: BlobStore,
  seed: number,
): Promise<readonly StoredDownload[]> {
  const records: StoredDownload[] = [];
  for (const { members, content } of files(new Random(seed, "downloads"))) {
    const { sha256, bytes } = await blobs.put(Readable.from([Buffer.from(content)]));
    records.push(storedDownload({ ...members, file_hash: sha256, size: bytes }));
  }
  return records;
}

function* files(random: Random): Generator<SeededFile> {
  const rules = Array.from({ length: checks }, () => random.hex(32));
  for (const file_version of versions) {
    for (const { os, arch, file_type } of systems) {
      yield {
        members: {
          file_name: `posture-scan_${file_version}_${os}_${arch}.${file_type}`,
          file_version,
          category: "fcs",
          os,
          arch,
          file_type,
        },
        content: scriptOf(`posture-scan ${file_version} for ${os} on ${arch}`, rules, file_type),
      };
    }
  }
  yield {
    members: {
      file_name: "posture-rules.txt",
      file_version: "2026.10.1",
      category: "rules",
      file_type: "txt",
    },
    content: rules.map((rule) => `${rule}\n`).join(""),
  };
}

function scriptOf(title: string, rules: readonly string[], file_type: "sh" | "ps1"): string {
  const start = file_type === "sh" ? "#!/bin/sh\n" : "";
  const lines = rules.map((rule) => `# rule ${rule}\n`).join("");
  return `${start}# ${title}\n${lines}echo "${title}: nothing found"\n`;
}
