import type { Json, JsonObject } from "../json.ts";
import { CannotJudge } from "./cannot-judge.ts";
import { LoadedDocument, type LoadedFile, type Origin } from "./loaded-document.ts";
import { locationText, parseLocation, relativeLocation, type Location } from "./location.ts";
import { parseText, versionOf } from "./parse.ts";
import { problemText, readFiles, type Reading } from "./read-files.ts";

export interface LoadOptions extends Reading {
  /** Reads files of other hosts, where a reference leads to one. */
  readonly allowRemoteReferences?: boolean;
}

/**
 * Reads a document and every file that it refers to. Throws `CannotJudge` when the document itself
 * cannot be read; a file behind a reference that cannot be read is an error where it is used.
 */
export async function loadDocument(text: string, options: LoadOptions): Promise<LoadedDocument> {
  const location = parseLocation(text);
  const [first] = await readFiles([location], options);
  if (first === undefined || "problem" in first) {
    throw new CannotJudge(problemText(location, first?.problem ?? "was not read"));
  }
  const origins = new WeakMap<object, Origin>();
  const files = new Map<string, LoadedFile>();
  const problems = new Map<string, string>();
  const { file: main, references } = parseFile(location, first.text, text, origins);
  const version = versionOf(main.root, text);
  files.set(locationText(location), main);
  let pending = pendingOf(references);
  while (pending.length > 0) {
    const wanted = pending.filter((each) => {
      const problem = refusal(location, each, options);
      if (problem !== undefined) problems.set(locationText(each), problem);
      return problem === undefined;
    });
    const texts = await readFiles(wanted, options);
    const found: Location[] = [];
    for (const [index, each] of wanted.entries()) {
      const read = texts[index];
      const name = locationText(each);
      if (read === undefined || "problem" in read) {
        problems.set(name, `leads to a file that ${read?.problem ?? "was not read"}`);
        continue;
      }
      try {
        const parsed = parseFile(each, read.text, name, origins);
        files.set(name, parsed.file);
        found.push(...parsed.references);
      } catch (error) {
        if (!(error instanceof CannotJudge)) throw error;
        problems.set(name, `leads to a file that cannot be parsed: ${error.message}`);
      }
    }
    pending = pendingOf(found).filter((each) => {
      const name = locationText(each);
      return !files.has(name) && !problems.has(name);
    });
  }
  return new LoadedDocument({ name: text, version, main, files, problems, origins });
}

/**
 * A document that is already parsed, as one file. It may share objects with another document, which
 * are then not read again: `sharing` must have the same components.
 */
export function documentOf(
  root: JsonObject,
  name: string,
  sharing?: LoadedDocument,
): LoadedDocument {
  const origins = sharing?.origins ?? new WeakMap<object, Origin>();
  const location = parseLocation(name);
  const { file } = indexFile(location, "", root, origins);
  const version = versionOf(root, name);
  const files = new Map([[locationText(location), file]]);
  return new LoadedDocument({ name, version, main: file, files, problems: new Map(), origins });
}

function pendingOf(references: readonly Location[]): readonly Location[] {
  return [...new Map(references.map((each) => [locationText(each), each])).values()];
}

/** Only what is beside the document is read without being allowed to. */
function refusal(main: Location, target: Location, options: LoadOptions): string | undefined {
  if (target.kind !== "url" || options.allowRemoteReferences === true) return undefined;
  if (main.kind === "url" && new URL(main.url).origin === new URL(target.url).origin) {
    return undefined;
  }
  return `leads to another host, ${new URL(target.url).host}; allow it with --allow-remote-refs`;
}

interface Parsed {
  readonly file: LoadedFile;
  readonly references: readonly Location[];
}

function parseFile(
  location: Location,
  text: string,
  name: string,
  origins: WeakMap<object, Origin>,
): Parsed {
  return indexFile(location, text, parseText(text, name), origins);
}

/** Keywords whose value maps names to what the keyword holds. */
const maps = new Set(
  `properties patternProperties $defs definitions dependentSchemas schemas responses headers
  requestBodies securitySchemes links callbacks pathItems paths webhooks content encoding examples
  parameters`.split(/\s+/),
);

/** Keywords whose value is data: a reference in there is none. */
const data = new Set(["example", "default", "const", "enum", "value", "mapping", "required"]);

function indexFile(
  location: Location,
  text: string,
  root: Json,
  origins: WeakMap<object, Origin>,
): Parsed {
  const named = new Map<string, JsonObject>();
  const file: LoadedFile = { location, text, root, named };
  const references: Location[] = [];
  const stack: { value: Json; parent: object | undefined; key: string; names: boolean }[] = [
    { value: root, parent: undefined, key: "", names: false },
  ];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    const { value, parent, key, names } = item;
    if (value === null || typeof value !== "object" || origins.has(value)) continue;
    origins.set(value, { file, parent, key });
    if (Array.isArray(value)) {
      for (const [index, each] of (value as readonly Json[]).entries()) {
        stack.push({ value: each, parent: value, key: String(index), names: false });
      }
      continue;
    }
    const node = value as JsonObject;
    if (!names) register(node, location, named, references);
    for (const [name, member] of Object.entries(node)) {
      if (member === null || typeof member !== "object") continue;
      if (!names && data.has(name)) continue;
      stack.push({ value: member, parent: node, key: name, names: !names && maps.has(name) });
    }
  }
  return { file, references };
}

function register(
  node: JsonObject,
  location: Location,
  named: Map<string, JsonObject>,
  references: Location[],
): void {
  const { $ref, $id, $anchor, $dynamicAnchor } = node;
  if (typeof $ref === "string") {
    const [path = ""] = $ref.split("#");
    if (path !== "") references.push(relativeLocation(location, path));
  }
  if (typeof $id === "string") named.set($id, node);
  for (const anchor of [$anchor, $dynamicAnchor]) {
    if (typeof anchor === "string") named.set(`#${anchor}`, node);
  }
}
