import { readFileSync } from "node:fs";
import { InvalidArgumentError } from "commander";
import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Node } from "yaml";
import { didYouMean } from "../options/read-choice.ts";
import { systemCode } from "../terminal/describe-error.ts";
import { CommandError, exitCodes } from "../terminal/exit-codes.ts";
import { printable } from "../terminal/printable.ts";
import type { Setting } from "./setting.ts";
import type { SettingsFile } from "./settings-file.ts";
import { settings } from "./table.ts";

/** A value in a file of settings. */
export interface FileValue {
  readonly value: unknown;
  /** `secplat.yaml:3:1` */
  readonly place: string;
}

const largestFile = 1024 * 1024;

/** The settings in a file, by their names. Throws a `CommandError` that names the place of each problem. */
export function readSettings({ name, path }: SettingsFile): ReadonlyMap<string, FileValue> {
  const lines = new LineCounter();
  const document = parseDocument(readText(name, path), { lineCounter: lines, prettyErrors: false });
  const placeOf = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${Math.max(line, 1)}:${Math.max(col, 1)}`;
  };
  const problems: string[] = [...document.errors, ...document.warnings].map(
    ({ pos: [start], message }) => `${placeOf(start)}: ${message}`,
  );
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
        problems.push(
          `${error.of === "value" ? placeOfValue(value as Node) : place}: ${error.message}`,
        );
      }
    }
  } else if (problems.length === 0 && contents !== null && !isEmpty(contents)) {
    problems.push(`${placeOf(contents.range?.[0] ?? 0)}: expected settings such as port: 8080`);
  }
  if (problems.length > 0) throw new CommandError(problems.join("\n"), exitCodes.usage);
  return values;

  function placeOfValue(value: Node | null): string {
    return placeOf(value?.range?.[0] ?? 0);
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
      `there is no setting "${printable(name)}".${didYouMean(name, [...byName.keys()]) || " secplat config print lists all."}`,
    );
  }
  const value = contentOf(node, document);
  if (value === null || (isSeq(node) && (value as readonly unknown[]).length === 0)) {
    throw new SettingError("key", `${name} has no value; expected ${expectedBy(setting)}`);
  }
  return [setting, readValue(setting, value)];
}

function contentOf(node: Node | null, document: ReturnType<typeof parseDocument>): unknown {
  try {
    return node === null ? null : node.toJS(document);
  } catch (error) {
    // An alias without an anchor, or one of too many.
    if (!(error instanceof ReferenceError)) throw error;
    throw new SettingError("value", error.message);
  }
}

/** The value as the command has it. Throws `SettingError`. */
function readValue(setting: Setting, value: unknown): unknown {
  const { name, type } = setting;
  const refuse = (): never => {
    const shown = "isSecret" in setting ? "" : ` '${printable(shortened(value))}'`;
    throw new SettingError(
      "value",
      `${name} cannot be${shown || " this"}. Expected ${expectedBy(setting)}.`,
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

const shortened = (value: unknown): string => {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
};

function parsed(setting: Setting, text: string, before?: unknown): unknown {
  if (setting.type === "switch") return text;
  const problem = setting.type === "text" ? setting.problem?.(text, setting.name) : undefined;
  if (typeof problem === "string") throw new SettingError("value", problem);
  if (setting.read === undefined) return text;
  try {
    return setting.read(text, before as never);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    const shown = "isSecret" in setting ? "this" : `'${printable(shortened(text))}'`;
    throw new SettingError("value", `${setting.name} cannot be ${shown}. ${error.message}`);
  }
}

function expectedBy(setting: Setting): string {
  switch (setting.type) {
    case "switch":
      return "true or false";
    case "integer":
      return `an integer from ${setting.minimum} to ${setting.maximum}`;
    case "list":
      return `a list of texts, each a ${setting.value}`;
    case "text":
      return setting.off === undefined ? "a text" : "a text or false";
  }
}
