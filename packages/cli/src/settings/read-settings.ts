import { readFileSync } from "node:fs";
import {
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Node,
  type YAMLError,
} from "yaml";
import { isDeep } from "../input/is-deep.ts";
import { didYouMean } from "../options/read-choice.ts";
import { systemCode } from "../terminal/describe-error.ts";
import { CommandError, exitCodes } from "../terminal/exit-codes.ts";
import { printable } from "../terminal/printable.ts";
import { quoted, mayHoldPassword, readValue } from "./read-value.ts";
import type { Setting } from "./setting-types.ts";
import type { SettingsFile } from "./settings-file.ts";
import { settings } from "./table.ts";

/** A value in a file of settings. */
export interface FileValue {
  readonly value: unknown;
  /** `secplat.yaml:3:1` */
  readonly place: string;
}

const largestFile = 1024 * 1024;

/** A problem of a value, and the setting that has it; null: a problem of something else. */
export interface SettingProblem {
  readonly setting: string | null;
  readonly message: string;
}

export interface FileSettings {
  /** The settings without a problem, by their names. */
  readonly values: ReadonlyMap<string, FileValue>;
  /** Each names its place. */
  readonly problems: readonly SettingProblem[];
}

/** The settings in a file, by their names. Throws a `CommandError` that names the place of each problem. */
export function readSettings(file: SettingsFile): ReadonlyMap<string, FileValue> {
  const { values, problems } = parseSettings(file);
  if (problems.length === 0) return values;
  throw new CommandError(problems.map(({ message }) => message).join("\n"), exitCodes.usage);
}

/** Reads a file of settings, and finds all its problems. */
export function parseSettings(file: SettingsFile): FileSettings {
  try {
    return settingsIn(file);
  } catch (error) {
    if (error instanceof CommandError) return withProblem(error.message);
    // Aliases and nested values are read by functions that call themselves.
    if (!(error instanceof RangeError)) throw error;
    return withProblem(`${file.name}: ${tooDeep}`);
  }
}

const withProblem = (message: string): FileSettings => ({
  values: new Map(),
  problems: [{ setting: null, message }],
});

function settingsIn({ name, path }: SettingsFile): FileSettings {
  const lines = new LineCounter();
  const document = parseDocument(readText(name, path), { lineCounter: lines, prettyErrors: false });
  const placeOf = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${Math.max(line, 1)}:${Math.max(col, 1)}`;
  };
  const placeOfValue = (value: Node | null): string => placeOf(value?.range?.[0] ?? 0);
  const { errors, warnings } = document;
  const exhausted = errors.find(({ code }) => code === "RESOURCE_EXHAUSTION");
  if (exhausted !== undefined) return withProblem(`${placeOf(exhausted.pos[0])}: ${tooDeep}`);
  const messages = new Set(
    [...errors, ...warnings].map(
      (problem) =>
        `${placeOf(problem.pos[0])}: ${repeatedName(document, problem, placeOf) ?? describe(problem)}`,
    ),
  );
  const problems: SettingProblem[] = [...messages].map((message) => ({ setting: null, message }));
  const values = new Map<string, FileValue>();
  const { contents } = document;
  if (problems.length === 0 && isMap(contents)) {
    for (const { key, value } of contents.items) {
      const node = key as Node;
      const place = placeOf(node.range?.[0] ?? 0);
      try {
        const [setting, read] = settingIn(node, value as Node | null, document);
        values.set(setting.name, { value: read, place });
      } catch (error) {
        if (!(error instanceof SettingError)) throw error;
        const where = error.of === "value" ? placeOfValue(value as Node) : place;
        const setting = isScalar(node) ? String(node.value) : null;
        problems.push({ setting, message: `${where}: ${error.message}` });
      }
    }
  } else if (problems.length === 0 && contents !== null && !isEmpty(contents)) {
    const place = placeOf(contents.range?.[0] ?? 0);
    problems.push({ setting: null, message: `${place}: expected settings such as port: 8080` });
  }
  return { values, problems };
}

const tooDeep = "too many nested values; expected settings such as port: 8080";

/** Which setting is set twice, and where it was set first; null for another problem, or one of nested values. */
function repeatedName(
  { contents }: ReturnType<typeof parseDocument>,
  { code, pos }: YAMLError,
  placeOf: (offset: number) => string,
): string | null {
  if (code !== "DUPLICATE_KEY" || !isMap(contents)) return null;
  const keys = contents.items.map(({ key }) => key as Node).filter((key) => isScalar(key));
  const second = keys.find(({ range }) => range?.[0] === pos[0]);
  const first = keys.find(({ value }) => value === second?.value);
  if (second === undefined || first === undefined) return null;
  const name = String(second.value);
  return `${mayHoldPassword(name) ? "a name" : printable(name)} is set twice, first at ${placeOf(first.range?.[0] ?? 0)}; remove one of them`;
}

/** The message of the parser without the text of the file, which may be a part of a password. */
function describe({ code, message }: YAMLError): string {
  switch (code) {
    case "MULTIPLE_DOCS":
      return "a second document begins here; write all settings in one, without ---";
    case "TAG_RESOLVE_FAILED":
      return "settings have no tags; quote a text that begins with !";
    case "DUPLICATE_KEY":
      return "a name is used twice; remove one of them";
    case "BAD_DQ_ESCAPE":
      return "Invalid escape sequence";
    case "UNEXPECTED_TOKEN":
      return message.replace(/: .*/s, "");
    default:
      return message;
  }
}

function readText(name: string, path: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new CommandError(
      `cannot read the settings in ${name}: ${systemCode(error) ?? "an unknown error"}; choose another file with --config`,
      exitCodes.usage,
    );
  }
  if (bytes.length > largestFile) {
    throw new CommandError(`${name} is larger than 1 MiB; expected settings`, exitCodes.usage);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new CommandError(`${name}: not valid UTF-8; convert the file first`, exitCodes.usage);
  }
}

const isEmpty = (node: Node): boolean => isScalar(node) && node.value === null;

class SettingError extends Error {
  readonly of: "key" | "value";
  constructor(of: "key" | "value", message: string) {
    super(message);
    this.of = of;
  }
}

const byName = new Map(settings.map((setting) => [setting.name, setting]));

function settingIn(
  key: Node,
  node: Node | null,
  document: ReturnType<typeof parseDocument>,
): readonly [Setting, unknown] {
  const name = isScalar(key) ? String(key.value) : "";
  const setting = byName.get(name);
  if (setting === undefined) {
    throw new SettingError(
      "key",
      `there is no setting "${mayHoldPassword(name) ? "…" : printable(name)}".${didYouMean(name, [...byName.keys()]) || " secplat config print lists all."}`,
    );
  }
  const value = contentOf(node, document);
  if (value === null || (isSeq(node) && (value as readonly unknown[]).length === 0)) {
    throw new SettingError("key", `${name} has no value; expected ${expectedBy(setting)}`);
  }
  return [setting, valueOf(setting, value)];
}

function contentOf(node: Node | null, document: ReturnType<typeof parseDocument>): unknown {
  try {
    const content: unknown = node === null ? null : node.toJS(document);
    // Such as a list that contains an alias of itself.
    if (isDeep(content)) throw new SettingError("value", tooDeep);
    return content;
  } catch (error) {
    // An alias without an anchor, or one of too many.
    if (!(error instanceof ReferenceError)) throw error;
    throw new SettingError(
      "value",
      "an alias needs an anchor before it, such as &name; quote a text that begins with *",
    );
  }
}

/** The value as the command has it. Throws `SettingError`. */
function valueOf(setting: Setting, value: unknown): unknown {
  const { name, type } = setting;
  const refuse = (): never => {
    const unquoted = type === "integer" ? /^\d+$/ : type === "switch" ? /^(?:true|false)$/ : null;
    const hint =
      typeof value === "string" && unquoted?.test(value) === true
        ? ", without quotes, which make it a text"
        : "";
    throw new SettingError(
      "value",
      `${name} cannot be ${quoted(setting, value)}. Expected ${expectedBy(setting)}${hint}.`,
    );
  };
  switch (type) {
    case "switch":
      return typeof value === "boolean" ? value : refuse();
    case "integer":
      return Number.isSafeInteger(value) ? parsed(setting, String(value)) : refuse();
    case "list": {
      const texts = Array.isArray(value) ? (value as readonly unknown[]) : [value];
      let list: unknown;
      for (const each of texts) {
        if (typeof each !== "string") return refuse();
        list = parsed(setting, each, list);
      }
      return list;
    }
    case "text":
      if (value === false && setting.off !== undefined) return false;
      return typeof value === "string" ? parsed(setting, value) : refuse();
  }
}

function parsed(setting: Parameters<typeof readValue>[0], text: string, before?: unknown): unknown {
  const read = readValue(setting, text, before);
  if ("value" in read) return read.value;
  throw new SettingError("value", read.problem(setting.name));
}

function expectedBy(setting: Setting): string {
  switch (setting.type) {
    case "switch":
      return "true or false";
    case "integer":
      return `an integer from ${setting.minimum} to ${setting.maximum}`;
    case "list":
      return `a list of texts, each ${/^[aeiou]/.test(setting.value) ? "an" : "a"} ${setting.value}`;
    case "text":
      return setting.off === undefined ? "a text" : "a text or false";
  }
}
