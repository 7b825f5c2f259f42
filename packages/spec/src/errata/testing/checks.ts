import type { FqlTable } from "../../fql-table.ts";
import type { OpenApiDocument } from "../../document.ts";
import type { Operation } from "../../operation.ts";
import { isDeepStrictEqual } from "node:util";
import type { Check, DocumentCheck, Entry } from "../entry.ts";
import { valueAt } from "./value-at.ts";

/** The data that checks are evaluated on. */
export interface Subject {
  readonly document: OpenApiDocument;
  readonly operations: readonly Operation[];
  /** Filter tables by resource; the place `fql/users` is one of them. */
  readonly tables: Readonly<Record<string, FqlTable>>;
  /** Names of our lint rules. */
  readonly rules: readonly string[];
  /** Text of a file of the repository; undefined if the file does not exist. */
  readonly textOf: (file: string) => string | undefined;
}

/** The reasons why a check fails; empty if it passes. */
export function failuresOf(entry: Entry, check: Check, subject: Subject): readonly string[] {
  if ("rule" in check) {
    return subject.rules.includes(check.rule) ? [] : [`there is no lint rule ${check.rule}`];
  }
  if ("file" in check) {
    const text = subject.textOf(check.file);
    if (text === undefined) return [`there is no file ${check.file}`];
    return text.includes(JSON.stringify(check.title))
      ? []
      : [`${check.file} has no test "${check.title}"`];
  }
  return (check.in ?? [entry.place]).flatMap((place) => {
    const value = valueAt(subject, place, check.at);
    return wrong(check, value).map((failure) => `${place}, ${check.at}: ${failure}`);
  });
}

function wrong(check: DocumentCheck, value: unknown): readonly string[] {
  const failures: string[] = [];
  const actual = JSON.stringify(value)?.slice(0, 400);
  const expected = JSON.stringify(check.value ?? check.has ?? check.keys ?? check.lacks);
  const fail = (relation: string): void => {
    failures.push(`expected ${relation}${expected}, found ${actual}`);
  };
  if ("value" in check && !isDeepStrictEqual(value, check.value)) fail("");
  if (check.keys !== undefined && !sameKeys(value, check.keys)) fail("the keys ");
  if (check.has !== undefined && !check.has.every((item) => contains(value, item))) fail("all of ");
  if (check.lacks !== undefined && check.lacks.some((item) => contains(value, item))) {
    fail("none of ");
  }
  if (value === undefined) fail("something to hold ");
  return failures;
}

const sameKeys = (value: unknown, keys: readonly string[]): boolean =>
  value !== null &&
  typeof value === "object" &&
  isDeepStrictEqual(Object.keys(value).toSorted(), keys.toSorted());

/** A substring, a member of a list (or its name or status), or a key of an object. */
function contains(value: unknown, item: unknown): boolean {
  if (typeof value === "string") return value.includes(String(item));
  if (Array.isArray(value)) {
    return value.some(
      (each: { readonly name?: unknown; readonly status?: unknown } | null) =>
        each === item || (item !== null && (each?.name === item || each?.status === item)),
    );
  }
  return value !== null && typeof value === "object" && String(item) in value;
}
