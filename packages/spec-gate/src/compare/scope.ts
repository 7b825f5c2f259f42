import type { LoadedDocument } from "../read/loaded-document.ts";
import { CannotJudge } from "../read/cannot-judge.ts";
import { matchesGlob } from "../glob.ts";
import type { Operation } from "./document-model.ts";

/** Which operations are compared, and which starts of their paths do not count. */
export interface Scope {
  /** Patterns of paths that are left out. */
  readonly paths?: readonly string[];
  /** Operations and paths with one of these extensions are left out. */
  readonly marked?: readonly string[];
  readonly stripPrefixes?: readonly string[];
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
      .filter((each) => path === each || path.startsWith(`${each}/`))
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
