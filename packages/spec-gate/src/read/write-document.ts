import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import type { LoadedDocument, LoadedFile } from "./loaded-document.ts";

/** Runs a function with a temporary folder, and removes the folder afterwards. */
export async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "spec-gate-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Writes a document with all its files in their original layout; returns the path of the main file.
 */
export function writeDocument(document: LoadedDocument, folder: string): string {
  const files = [...document.files.values()];
  const [main] = files;
  if (main === undefined) throw new Error("the document has no file");
  if (files.length === 1) {
    const path = join(folder, "openapi.json");
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, JSON.stringify(main.root));
    return path;
  }
  const top = files.map(pathOf).map(posix.dirname).reduce(commonFolder);
  for (const file of files) {
    const path = join(folder, posix.relative(top, pathOf(file)));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, file.text);
  }
  return join(folder, posix.relative(top, pathOf(main)));
}

function pathOf({ location }: LoadedFile): string {
  // Each host has its own folder, because only references within a host are followed.
  if (location.kind === "url") {
    const { host, pathname } = new URL(location.url);
    return `/${encodeURIComponent(host)}${pathname}`;
  }
  const path = location.path.replaceAll("\\", "/");
  return location.kind === "git" ? `/${path}` : path;
}

function commonFolder(left: string, right: string): string {
  let folder = left;
  while (!`${right}/`.startsWith(folder === "/" ? "/" : `${folder}/`))
    folder = posix.dirname(folder);
  return folder;
}
