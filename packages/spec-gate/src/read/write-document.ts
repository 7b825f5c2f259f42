import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { isObject, type Json } from "../json.ts";
import type { LoadedDocument } from "./loaded-document.ts";
import type { LoadedFile } from "./loaded-file.ts";
import { locationText } from "./location.ts";
import { parseText } from "./parse.ts";

/** The variable of the environment with the name of a run, which its temporary folders have. */
export const runVariable = "SPEC_GATE_RUN";

const prefixOf = (run = ""): string => `spec-gate-${run}`;

/** Removes the temporary folders of a run that was ended. */
export function removeFolders(run: string): void {
  for (const name of readdirSync(tmpdir())) {
    if (name.startsWith(prefixOf(run)))
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}

/** Runs a function with a temporary folder, and removes the folder afterwards. */
export async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), prefixOf(process.env[runVariable])));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Writes a document with all its files in their original layout; returns the path of the main file.
 * Other programs follow every reference that they find, even in examples. So references to files
 * that the document does not have are left out.
 */
export function writeDocument(document: LoadedDocument, folder: string): string {
  const files = [...document.files.values()];
  const [main] = files;
  if (main === undefined) throw new Error("the document has no file");
  if (files.length === 1) {
    const path = join(folder, "openapi.json");
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, textOf(closed(document, main, main.root)));
    return path;
  }
  const top = files.map(pathOf).map(posix.dirname).reduce(commonFolder);
  for (const file of files) {
    const path = join(folder, posix.relative(top, pathOf(file)));
    mkdirSync(dirname(path), { recursive: true });
    // The parsed file is not used, because targets of other files may be included in it.
    const root = parseText(file.text, locationText(file.location));
    writeFileSync(path, textOf(closed(document, file, root)));
  }
  return join(folder, posix.relative(top, pathOf(main)));
}

/** A value of a file in which references lead to the written files, or are left out. */
function closed(document: LoadedDocument, file: LoadedFile, value: Json): Json {
  const copies = new Map<object, Json>();
  const close = (each: Json): Json => {
    if (each === null || typeof each !== "object") return each;
    const copy = copies.get(each) ?? copyOf(each);
    copies.set(each, copy);
    return copy;
  };
  const copyOf = (each: object & Json): Json => {
    if (!isObject(each)) return (each as readonly Json[]).map(close);
    const members = Object.entries(each).flatMap(([name, member]): [string, Json][] => {
      if (typeof member !== "string") {
        return [[name, name === "mapping" ? mappingIn(document, file, member) : close(member)]];
      }
      if (name === "externalValue") return [];
      const text = name === "$ref" ? referenceIn(document, file, member) : member;
      return text === undefined ? [] : [[name, text]];
    });
    return Object.fromEntries(members);
  };
  return close(value);
}

/** The mapping of a discriminator, whose values are names or references. */
function mappingIn(document: LoadedDocument, file: LoadedFile, mapping: Json): Json {
  if (!isObject(mapping)) return mapping;
  const members = Object.entries(mapping).flatMap(([name, target]): [string, Json][] => {
    if (typeof target !== "string") return [[name, closed(document, file, target)]];
    const text = /^[\w-]+$/.test(target) ? target : referenceIn(document, file, target);
    return text === undefined ? [] : [[name, text]];
  });
  return Object.fromEntries(members);
}

/**
 * A reference to the copy of its target; undefined if the document does not have the target, as with
 * text in an example that only looks like a reference.
 */
function referenceIn(
  document: LoadedDocument,
  file: LoadedFile,
  reference: string,
): string | undefined {
  const [path = "", ...fragment] = reference.split("#");
  if (path === "") return reference;
  const target = document.targetFile(file, path);
  if (target === undefined) return undefined;
  const way = posix.relative(posix.dirname(pathOf(file)), pathOf(target));
  return [`./${way}`, ...fragment].join("#");
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

/** Types do not depend on the exact value of a large integer. */
const textOf = (value: Json): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? Number(each) : each));
