import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { JsonSchema } from "@security-platform/spec";
import { isMap, isNode, isScalar, isSeq, type Document, type LineCounter } from "yaml";
import { findProblems } from "../../calls/check-value.ts";
import { isObject } from "../../calls/is-object.ts";
import { readYaml } from "../../input/read-yaml.ts";
import { didYouMean } from "../../options/read-choice.ts";
import { describeError } from "../../terminal/describe-error.ts";
import { CommandError, exitCodes } from "../../terminal/exit-codes.ts";
import { normalized } from "./compare.ts";
import { schemasOf } from "./file-schema.ts";
import type { Fields, FileSchema, Kind } from "./kind.ts";
import { kinds } from "./kinds.ts";
import { labelOf } from "./read-tenant.ts";

/** A file of the folder, with the lines of its values. */
export interface FolderFile {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  readonly lineOf: (path: readonly string[]) => number;
}

/** A record that a file describes. */
export interface FolderRecord extends FolderFile {
  readonly kind: Kind;
  readonly label: string;
  readonly fields: Fields;
  /** The content of the file. Paths of lines lead into it. */
  readonly content: Fields;
}

export interface Folder {
  readonly records: ReadonlyMap<Kind, ReadonlyMap<string, FolderRecord>>;
  /** The chosen kinds without a folder of their own. */
  readonly missing: readonly Kind[];
  /** The names of records in order, by kind and group. */
  readonly orders: ReadonlyMap<Kind, ReadonlyMap<string, readonly string[]>>;
  readonly orderFile?: Content;
}

type Content = FolderFile & Pick<FolderRecord, "fields" | "content">;

export const orderFileName = "precedence.yaml";

const isYaml = (name: string): boolean => /\.ya?ml$/i.test(name);

/** Collects the problems of a folder's files, so that all of them are reported. */
export class FolderProblems {
  readonly #lines: string[] = [];
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  add({ path, lineOf }: FolderFile, place: readonly string[], message: string): void {
    this.addLine(path, lineOf(place), message);
  }

  addLine(path: string, line: number, message: string): void {
    this.#lines.push(`${join(this.#folder, path)}:${line}: ${message}`);
  }

  throwIfAny(): void {
    if (this.#lines.length === 0) return;
    throw new CommandError(`nothing was changed\n${this.#lines.join("\n")}`, exitCodes.usage);
  }
}

/** Reads the files of the chosen kinds. `name`: the folder in messages. */
export function readFolder(
  name: string,
  workingFolder: string,
  chosen: readonly Kind[],
  problems: FolderProblems,
): Folder {
  const root = resolve(workingFolder, name);
  if (!existsSync(root) || !statSync(root).isDirectory()) {
    throw new CommandError(`there is no folder ${name}`, exitCodes.usage);
  }
  refuseUnknownFolders(root, problems);
  const records = new Map<Kind, ReadonlyMap<string, FolderRecord>>();
  for (const kind of chosen) records.set(kind, readKind(root, kind, problems));
  const read = readOrders(root, chosen, problems);
  const missing = chosen.filter((kind) => !existsSync(join(root, kind.name)));
  return { records, missing, ...read };
}

function refuseUnknownFolders(root: string, problems: FolderProblems): void {
  const names = kinds.flatMap(({ name, create }) => (create === undefined ? [] : [name]));
  for (const entry of readdirSync(root, { withFileTypes: true })) {
    const { name } = entry;
    if (!entry.isDirectory() || name.startsWith(".") || names.includes(name)) continue;
    const [file] = readdirSync(join(root, name)).filter(isYaml);
    if (file === undefined) continue;
    problems.addLine(
      `${name}/${file}`,
      1,
      `${name} is no kind of record.${didYouMean(name, names)}`,
    );
  }
}

function readKind(
  root: string,
  kind: Kind,
  problems: FolderProblems,
): ReadonlyMap<string, FolderRecord> {
  const records = new Map<string, FolderRecord>();
  const folder = join(root, kind.name);
  if (!existsSync(folder)) return records;
  for (const file of readdirSync(folder).filter(isYaml).toSorted()) {
    const read = readFields(root, `${kind.name}/${file}`, schemasOf(kind).file, problems);
    if (read === undefined) continue;
    const record = { ...read, kind, label: labelOf(kind, read.fields) };
    const other = records.get(record.label);
    if (other === undefined) records.set(record.label, record);
    else {
      problems.add(
        record,
        [kind.key.at(-1) ?? ""],
        `${other.path} also describes ${record.label}; remove one`,
      );
    }
  }
  return records;
}

function readOrders(
  root: string,
  chosen: readonly Kind[],
  problems: FolderProblems,
): Pick<Folder, "orders" | "orderFile"> {
  const orders = new Map<Kind, ReadonlyMap<string, readonly string[]>>();
  if (!existsSync(join(root, orderFileName))) return { orders };
  const list: FileSchema = {
    type: "array",
    items: { type: "string", minLength: 1, maxLength: 256 },
  };
  const ordered = kinds.filter(({ order }) => order !== undefined);
  const schema: FileSchema = {
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(
      ordered.map(({ name, order }) => [
        name,
        {
          type: "object",
          additionalProperties: false,
          properties: Object.fromEntries((order?.groups ?? []).map((group) => [group, list])),
        },
      ]),
    ),
  };
  const read = readFields(root, orderFileName, schema, problems);
  if (read === undefined) return { orders };
  for (const kind of chosen) {
    const groups = read.fields[kind.name] as
      Readonly<Record<string, readonly string[]>> | undefined;
    if (groups !== undefined) orders.set(kind, new Map(Object.entries(groups)));
  }
  return { orders, orderFile: read };
}

/** The content of a file; undefined after a problem. */
function readFields(
  root: string,
  path: string,
  schema: FileSchema,
  problems: FolderProblems,
): Content | undefined {
  const read = readYaml(readText(join(root, path)));
  if ("message" in read) {
    problems.addLine(path, read.line, `not YAML: ${read.message}`);
    return undefined;
  }
  const { document, lines, value: content } = read;
  const file: FolderFile = { path, lineOf: (place) => findLine(document, lines, place) };
  if (!isObject(content)) {
    problems.add(file, [], "expected the members of a record, such as name: Servers");
    return undefined;
  }
  const found = findProblems(schema as JsonSchema, content, "record");
  for (const { path: place, message } of found) problems.add(file, place.map(String), message);
  if (found.length > 0) return undefined;
  return { ...file, content, fields: (normalized(schema, content) ?? {}) as Fields };
}

function readText(path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    throw new CommandError(`cannot read ${path}: ${describeError(error)}`, exitCodes.usage);
  }
}

/** The line of a value, or of the nearest part of the document that contains it. */
function findLine(document: Document, lines: LineCounter, place: readonly string[]): number {
  let line = 1;
  let node: unknown = document.contents;
  for (const step of place) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === step);
      if (!isNode(pair?.key)) break;
      line = lines.linePos(pair.key.range?.[0] ?? 0).line;
      node = pair.value;
    } else {
      const item = isSeq(node) ? node.items[Number(step)] : undefined;
      if (!isNode(item)) break;
      line = lines.linePos(item.range?.[0] ?? 0).line;
      node = item;
    }
  }
  return line;
}
