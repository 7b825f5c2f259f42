import { Ajv, type DefinedError } from "ajv";
import { readFileSync } from "node:fs";
import { isObject, shown, type Json, type JsonObject } from "../json.ts";
import { CannotJudge } from "../read/cannot-judge.ts";
import { positionsOf } from "../read/lines.ts";
import { parseText } from "../read/parse.ts";
import { pointerOf, tokensOf } from "../read/pointer.ts";
import { nearest } from "../nearest.ts";
import { failureRules } from "../rules/rules.ts";
import type { Settings } from "./settings-file.ts";

/** Reads a configuration. Throws `CannotJudge` with the place, the value and what was expected. */
export function parseSettings(text: string, name: string): Settings {
  const parsed = parseText(text, name) ?? {};
  const schema = JSON.parse(
    readFileSync(new URL("../../config.schema.json", import.meta.url), "utf8"),
  ) as JsonObject;
  // The `title` of a schema says what is expected.
  const validate = new Ajv({ verbose: true, strict: false }).compile<Settings>(schema);
  if (validate(parsed)) return parsed;
  throw new CannotJudge(sentence(validate.errors as DefinedError[], parsed, text, name));
}

function sentence(
  errors: readonly DefinedError[],
  parsed: Json,
  text: string,
  name: string,
): string {
  const [error] = errors;
  if (error === undefined) return `${name}: not valid`;
  const keys = tokensOf(error.instancePath) ?? [];
  const at = (...more: readonly string[]): string => {
    const pointer = pointerOf([...keys, ...more]);
    const { line, column } = positionsOf(text, [pointer]).get(pointer) ?? { line: 1, column: 1 };
    return `${name}:${line}:${column}: ${wordsOf([...keys, ...more], parsed)}`;
  };
  const schema = error.parentSchema as JsonObject;
  if (error.keyword === "additionalProperties") {
    const { additionalProperty } = error.params;
    const known = Object.keys(schema["properties"] as JsonObject);
    return `${at(additionalProperty)}: there is no such setting; ${hint(additionalProperty, known)}`;
  }
  if (error.propertyName !== undefined && error.keyword === "enum") {
    const known = error.params.allowedValues as readonly string[];
    if (error.propertyName in failureRules) {
      return `${at(error.propertyName)}: ${error.propertyName} is a reason why a run fails, which has no severity; remove it`;
    }
    const noun = keys.at(-1) === "categories" ? "category" : "rule";
    return `${at(error.propertyName)}: there is no ${noun} ${error.propertyName}; ${hint(error.propertyName, known)}`;
  }
  if (error.keyword === "required") {
    return `${at()}: expected ${String(schema["title"])}, but ${error.params.missingProperty} is absent`;
  }
  const value = error.data as Json;
  const near =
    error.keyword === "enum"
      ? nearest(String(value), (error.params.allowedValues as readonly Json[]).map(String))
      : undefined;
  const question = near === undefined ? "" : `; did you mean ${near}?`;
  return `${at()}: expected ${String(schema["title"])}, got ${kindOrValue(value)}${question}`;
}

const kindOrValue = (value: Json): string => (value === "" ? "an empty text" : shown(value));

/** The nearest known word; or all of them, if they are few; or where they are listed. */
function hint(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  if (near !== undefined) return `did you mean ${near}?`;
  return known.length > 20 ? "spec-gate rules lists all" : `expected ${known.join(", ")}`;
}

/** `documents[0].base` */
function wordsOf(keys: readonly string[], parsed: Json): string {
  let words = "";
  let value: Json | undefined = parsed;
  for (const key of keys) {
    words += Array.isArray(value) ? `[${key}]` : words === "" ? key : `.${key}`;
    value = isObject(value)
      ? value[key]
      : Array.isArray(value)
        ? (value as readonly Json[])[Number(key)]
        : undefined;
  }
  return words === "" ? "the file" : words;
}
