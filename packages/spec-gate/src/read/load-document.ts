import { isObject, textOf, type Json, type JsonObject } from "../json.ts";
import { matchesGlob } from "../glob.ts";
import { boundaryOf, type BoundaryOptions } from "./boundary.ts";
import { CannotJudge } from "./cannot-judge.ts";
import { isInclusion, settleInclusions, type Inclusion, type Surroundings } from "./inclusions.ts";
import { LoadedDocument, localReference } from "./loaded-document.ts";
import type { LoadedFile, Origin } from "./loaded-file.ts";
import { locationText, parseLocation, relativeLocation, type Location } from "./location.ts";
import { parseLeniently, versionOf } from "./parse.ts";
import { readStandardInput, roomFor, type FileText, type Room } from "./read-file.ts";
import { fromRepository, problemText, readFiles, type Reading } from "./read-files.ts";

export interface LoadOptions extends Reading, BoundaryOptions {
  /** Maximum size of the document with all its files. */
  readonly megabytes?: number;
  /** Reads the document `-`. */
  readonly standardInput?: (room: Room) => FileText;
  /** Patterns of extensions that are not read. */
  readonly withoutExtensions?: readonly string[];
}

/** A document of more files is rejected: each file costs a call of the system or of a server. */
const mostFiles = 10_000;

/** The text of a document that is read already, and what messages call it. */
export interface GivenText {
  readonly name: string;
  readonly text: string;
  readonly notUtf8?: string;
}

/**
 * Reads a document and every file that it refers to. Throws `CannotJudge` if the document itself
 * cannot be read. An unreadable referenced file is an error where it is used. With `given`, the
 * location is only where references start.
 */
export async function loadDocument(
  text: string,
  options: LoadOptions,
  given?: GivenText,
): Promise<LoadedDocument> {
  const location = fromRepository(parseLocation(text), options.folder);
  const refusalOf = boundaryOf(location, options);
  const refusal = refusalOf(location);
  if (refusal !== undefined) throw new CannotJudge(problemText(location, refusal));
  const room = roomFor(options.megabytes);
  const isStandardInput = text === "-";
  const [first] = isStandardInput
    ? [(options.standardInput ?? readStandardInput)(room)]
    : given === undefined
      ? await readFiles([location], { ...options, refusalOf }, room)
      : [given];
  if (first === undefined || "problem" in first) {
    const found = first?.problem ?? "was not read";
    const isAbsent = found.startsWith("does not exist");
    const problem = isAbsent ? `${found}; expected a file, a URL or git:REVISION:PATH` : found;
    throw new CannotJudge(
      isStandardInput ? `the standard input ${problem}` : problemText(location, problem),
    );
  }
  const origins = new WeakMap<object, Origin>();
  const files = new Map<string, LoadedFile>();
  const problems = new Map<string, string>();
  const inclusions: Inclusion[] = [];
  const notes: string[] = [];
  const { withoutExtensions = [] } = options;
  const found = new Set<string>();
  const extensions = { patterns: withoutExtensions, found };
  const shared: Index = { origins, inclusions, notes, extensions, selves: new Set() };
  const name = given?.name ?? text;
  const { file: main, references } = parseFile(location, first, name, shared);
  const version = versionOf(main.root, name);
  files.set(locationText(location), main);
  let pending = pendingOf(references);
  while (pending.length > 0) {
    if (files.size + problems.size + pending.length > mostFiles) {
      throw new CannotJudge(`${name} refers to more than ${mostFiles} files`);
    }
    const allowed = pending.filter((each) => {
      const problem = refusalOf(each);
      if (problem !== undefined) problems.set(locationText(each), problem);
      return problem === undefined;
    });
    const texts = await readFiles(allowed, { ...options, refusalOf }, room);
    const next: Location[] = [];
    for (const [index, each] of allowed.entries()) {
      const read = texts[index];
      const key = locationText(each);
      if (read === undefined || "problem" in read) {
        problems.set(key, `leads to a file that ${read?.problem ?? "was not read"}`);
        continue;
      }
      try {
        const parsed = parseFile(each, read, key, shared);
        files.set(key, parsed.file);
        next.push(...parsed.references);
      } catch (error) {
        if (!(error instanceof CannotJudge)) throw error;
        problems.set(key, `leads to a file that cannot be parsed: ${error.message}`);
      }
    }
    pending = pendingOf(next).filter((each) => {
      const key = locationText(each);
      return !files.has(key) && !problems.has(key);
    });
  }
  const parts = { name, version, main, files, problems, origins };
  const document = new LoadedDocument({ ...parts, textNotes: notes, withoutExtensions: found });
  settleInclusions(document, inclusions);
  return document;
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
  const inclusions: Inclusion[] = [];
  const { file } = indexFile(location, "", root, {
    origins,
    inclusions,
    notes: [],
    extensions: { patterns: [], found: new Set() },
    selves: new Set(),
  });
  const version = versionOf(root, name);
  const files = new Map([[locationText(location), file]]);
  const problems = new Map<string, string>();
  const document = new LoadedDocument({ name, version, main: file, files, problems, origins });
  settleInclusions(document, inclusions);
  return document;
}

function pendingOf(references: readonly Location[]): readonly Location[] {
  return [...new Map(references.map((each) => [locationText(each), each])).values()];
}

interface Parsed {
  readonly file: LoadedFile;
  readonly references: readonly Location[];
}

interface LeftOut {
  readonly patterns: readonly string[];
  readonly found: Set<string>;
}

/** Data collected from all files of a document. */
interface Index {
  readonly origins: WeakMap<object, Origin>;
  readonly inclusions: Inclusion[];
  /** How the texts of the files were understood. */
  readonly notes: string[];
  /** Patterns of extensions that are not read, and those that were found. */
  readonly extensions: LeftOut;
  /** The URIs that the files declare as their own. */
  readonly selves: Set<string>;
}

function parseFile(
  location: Location,
  { text, notUtf8 }: Omit<GivenText, "name">,
  name: string,
  index: Index,
): Parsed {
  if (notUtf8 !== undefined) {
    index.notes.push(`${name}:${notUtf8}, and is read as U+FFFD; save the file as UTF-8`);
  }
  const parsed = parseLeniently(text, name);
  const [first] = parsed.movedLines;
  if (first !== undefined) {
    index.notes.push(
      `${name}:${first}: the line starts left of its key, which YAML forbids inside brackets; indent it`,
    );
  }
  return indexFile(location, parsed.text, parsed.value, index);
}

/** Keywords whose value is a map of names. */
export const maps = new Set(
  `properties patternProperties $defs definitions dependentSchemas schemas responses headers
  requestBodies securitySchemes links callbacks pathItems paths webhooks content encoding examples
  parameters mediaTypes additionalOperations`.split(/\s+/),
);

/** Keywords whose value is data: `$ref` in it is not a reference. */
const data = new Set([
  "example",
  "default",
  "const",
  "enum",
  "value",
  "dataValue",
  "mapping",
  "required",
]);

function indexFile(
  location: Location,
  text: string,
  root: Json,
  { origins, inclusions, extensions, selves }: Index,
): Parsed {
  const named = new Map<string, JsonObject>();
  const self = isObject(root) ? textOf(root["$self"]) : undefined;
  if (self !== undefined) selves.add(self);
  const file: LoadedFile = { location, text, root, named, self };
  const references: Location[] = [];
  const stack: ({ value: Json } & Surroundings)[] = [
    { value: root, parent: undefined, key: "", isMap: false, memberOf: undefined },
  ];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    const { value, parent, key, isMap } = item;
    if (value === null || typeof value !== "object") continue;
    if (parent !== undefined && isObject(value) && isInclusion(value, item)) {
      inclusions.push({ node: value, parent, key });
    }
    // A YAML alias refers to the same object again.
    if (origins.has(value)) continue;
    origins.set(value, { file, parent, key });
    if (Array.isArray(value)) {
      for (const [index, each] of (value as readonly Json[]).entries()) {
        const place = { parent: value, key: String(index), isMap: false, memberOf: undefined };
        stack.push({ value: each, ...place });
      }
      continue;
    }
    const node = value as JsonObject;
    if (!isMap && extensions.patterns.length > 0) removeExtensions(node, extensions);
    const path = referencePath(node, self);
    if (path !== "" && !selves.has(path)) references.push(relativeLocation(location, path));
    if (!isMap) register(node, named);
    for (const [name, member] of Object.entries(node)) {
      if (member === null || typeof member !== "object") continue;
      if (!isMap && data.has(name)) continue;
      stack.push({
        value: member,
        parent: node,
        key: name,
        isMap: !isMap && maps.has(name),
        memberOf: isMap ? key : undefined,
      });
    }
  }
  return { file, references };
}

function removeExtensions(node: JsonObject, { patterns, found }: LeftOut): void {
  for (const name of Object.keys(node)) {
    if (!name.startsWith("x-")) continue;
    const matching = patterns.filter((pattern) => matchesGlob(pattern, name));
    for (const pattern of matching) found.add(pattern);
    // The parsed text belongs to the document alone.
    if (matching.length > 0) delete (node as Record<string, Json>)[name];
  }
}

/** The file that the `$ref` of a node leads to; empty if that is its own file. */
function referencePath({ $ref }: JsonObject, self: string | undefined): string {
  return typeof $ref === "string" ? (localReference($ref, self).split("#")[0] ?? "") : "";
}

function register(node: JsonObject, named: Map<string, JsonObject>): void {
  const { $id, $anchor, $dynamicAnchor } = node;
  if (typeof $id === "string") named.set($id, node);
  for (const anchor of [$anchor, $dynamicAnchor]) {
    if (typeof anchor === "string") named.set(`#${anchor}`, node);
  }
}
