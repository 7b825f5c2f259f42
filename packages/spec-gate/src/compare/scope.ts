import type { LoadedDocument } from "../read/loaded-document.ts";
import { CannotJudge } from "../read/cannot-judge.ts";
import { matchesGlob } from "../glob.ts";
import { nearest } from "../nearest.ts";
import type { Operation } from "./document-model.ts";

/** Which operations are compared, and which starts of their paths do not count. */
export interface Scope {
  /** Patterns of paths that are left out. */
  readonly paths?: readonly string[];
  /** Operations and paths with one of these extensions are left out. */
  readonly marked?: readonly string[];
  readonly stripPrefixes?: readonly string[];
  /** Patterns of extensions that were not read. */
  readonly extensions?: readonly string[];
}

/** The operations in scope, by method and path without a prefix. */
export function inScope(
  operations: ReadonlyMap<string, Operation>,
  document: LoadedDocument,
  { paths = [], marked = [], stripPrefixes = [] }: Scope,
): ReadonlyMap<string, Operation> {
  if (paths.length + marked.length + stripPrefixes.length === 0) return operations;
  const scoped = new Map<string, Operation>();
  for (const [key, operation] of operations) {
    if (paths.some((pattern) => matchesGlob(pattern, operation.path))) continue;
    const value = marked
      .map((name) => operation.node[name] ?? operation.item[name])
      .find((each) => each !== undefined && each !== false);
    if (value !== undefined) continue;
    const [method = "", path = ""] = splitAt(key, key.indexOf(" ") + 1);
    const prefix = stripPrefixes
      .map(withoutSlashes)
      .filter((each) => hasPrefix(path, each))
      .toSorted((left, right) => right.length - left.length)[0];
    const short = `${method}${path.slice(prefix?.length ?? 0) || "/"}`;
    const other = scoped.get(short);
    if (other !== undefined) {
      throw new CannotJudge(
        `${document.name}: stripPrefixes makes ${other.name} and ${operation.name} the same operation; leave one of them out`,
      );
    }
    scoped.set(short, operation);
  }
  return scoped;
}

/** Notes about settings that match nothing in the documents. */
export function unusedSettings(
  documents: readonly LoadedDocument[],
  operations: readonly Operation[],
  { paths = [], marked = [], stripPrefixes = [], extensions = [] }: Scope = {},
): readonly string[] {
  const known = [...new Set(operations.map(({ path }) => path))];
  const note = (setting: string, value: string, what: string, like: readonly string[]): string => {
    const near = nearest(value, like);
    const cure = near === undefined ? "correct or remove it" : `did you mean ${near}?`;
    return `${setting}: ${value} matches ${what}; ${cure}`;
  };
  const starts = known.flatMap((path) =>
    [...path.matchAll(/(?!^)(?=\/|$)/g)].map(({ index }) => path.slice(0, index)),
  );
  const names = operations.flatMap(({ node, item }) =>
    [...Object.keys(node), ...Object.keys(item)].filter((name) => name.startsWith("x-")),
  );
  return [
    ...paths
      .filter((pattern) => !known.some((path) => matchesGlob(pattern, path)))
      .map((pattern) => note("leaveOut.paths", pattern, "no path", known)),
    ...marked
      .filter((name) => !names.includes(name))
      .map((name) => note("leaveOut.marked", name, "no operation or path", names)),
    ...extensions
      .filter((pattern) => !documents.some((document) => document.withoutExtensions.has(pattern)))
      .map((pattern) => note("leaveOut.extensions", pattern, "no extension", names)),
    ...stripPrefixes
      .filter((prefix) => !known.some((path) => hasPrefix(path, withoutSlashes(prefix))))
      .map((prefix) => note("stripPrefixes", prefix, "no path", starts)),
  ];
}

const hasPrefix = (path: string, prefix: string): boolean =>
  path === prefix || path.startsWith(`${prefix}/`);

const splitAt = (text: string, index: number): readonly [string, string] => [
  text.slice(0, index),
  text.slice(index),
];

/** Without slashes at the end. */
function withoutSlashes(prefix: string): string {
  let end = prefix.length;
  while (prefix[end - 1] === "/") end -= 1;
  return prefix.slice(0, end);
}
