import { createHash } from "node:crypto";
import type { Findings } from "./findings.ts";
import { cannotScan, type Limits } from "./limits.ts";
import type { LayerFile } from "./manifests.ts";
import { isRead, readerOf, readFindings } from "./packages/readers.ts";
import { readTar, type TarEntry } from "./read-tar.ts";
import { unpack, type Usage } from "./unpack.ts";

/** The files that one layer adds to the image, and those of lower layers that it hides. */
export interface Layer {
  readonly findings: ReadonlyMap<string, Findings>;
  /** Files and links; they hide entries of lower layers with the same path or below it. */
  readonly files: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
  /** Removed by a whiteout. */
  readonly removed: ReadonlySet<string>;
  /** Folders whose content in lower layers is hidden. */
  readonly opaque: ReadonlySet<string>;
  /** Hard links to files that were not read, by file. */
  readonly unread: ReadonlyMap<string, readonly string[]>;
}

const whiteout = ".wh.";
const opaqueMarker = ".wh..wh..opq";

/**
 * Reads a layer in one pass. `links` adds paths to files: each file is then also read as if it had
 * the paths of its hard links.
 */
export async function readLayer(
  chunks: AsyncIterable<Buffer>,
  file: LayerFile,
  limits: Limits,
  usage: Usage,
  links: ReadonlyMap<string, readonly string[]> = new Map(),
): Promise<Layer> {
  const findings = new Map<string, Findings>();
  const files = new Set<string>();
  const folders = new Set<string>();
  const removed = new Set<string>();
  const opaque = new Set<string>();
  const unread = new Map<string, string[]>();
  const name = `the layer ${file.digest}`;
  const stored = createHash("sha256");
  const unpacked = createHash("sha256");
  const tar = unpack(
    hashing(chunks, stored, file.isStoredDigest),
    { name, size: file.size },
    limits,
    usage,
  );

  const takeLink = ({ path, target }: TarEntry): void => {
    if (readerOf(path) === undefined) return;
    unread.set(target, [...(unread.get(target) ?? []), path]);
  };
  await readTar(hashing(tar, unpacked, !file.isStoredDigest), name, limits, {
    entry: (entry) => {
      usage.entries += 1;
      if (usage.entries > limits.entries) {
        throw cannotScan(`its layers have more than ${limits.entries} entries`);
      }
      const { path, type } = entry;
      const slash = path.lastIndexOf("/");
      const base = path.slice(slash + 1);
      if (base.startsWith(whiteout)) {
        const folder = path.slice(0, Math.max(slash, 0));
        if (base === opaqueMarker) opaque.add(folder);
        else removed.add(`${slash < 0 ? "" : `${folder}/`}${base.slice(whiteout.length)}`);
        return "skip";
      }
      if (type === "folder") {
        folders.add(path);
        return "skip";
      }
      files.add(path);
      if (type === "link") takeLink(entry);
      if (type !== "file") return "skip";
      return links.has(path) || isRead(entry, limits) ? "whole" : "skip";
    },
    whole: async (entry, content) => {
      findings.set(entry.path, await readFindings(entry, content, limits, usage));
      for (const path of links.get(entry.path) ?? []) {
        findings.set(path, await readFindings({ ...entry, path }, content, limits, usage));
      }
    },
  });
  checkDigest(file, file.isStoredDigest ? stored : unpacked);
  return { findings, files, folders, removed, opaque, unread: links.size > 0 ? new Map() : unread };
}

async function* hashing(
  chunks: AsyncIterable<Buffer>,
  hash: ReturnType<typeof createHash>,
  isNeeded: boolean,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    if (isNeeded) hash.update(chunk);
    yield chunk;
  }
}

/** Digests of other algorithms are not checked. */
function checkDigest({ digest }: LayerFile, hash: ReturnType<typeof createHash>): void {
  if (!digest.startsWith("sha256:") || digest === `sha256:${hash.digest("hex")}`) return;
  throw cannotScan(`the layer ${digest} does not match its digest`);
}
