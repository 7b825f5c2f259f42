import type { CalledOperation } from "@security-platform/spec";
import { commandOf } from "../../calls/operations.ts";
import { isRead, offeredOperations } from "./operation-names.ts";

/** An operation in the results of a search. */
export interface FoundOperation {
  readonly operation: string;
  readonly summary: string;
  readonly request: string;
  readonly changes_records: boolean;
  readonly deprecated?: string;
}

/** Maximum number of results. */
const most = 25;

/**
 * The operations whose names and texts contain most of the words, the best first. Newer versions come before
 * deprecated ones.
 */
export function searchOperations(query: string): {
  readonly operations: readonly FoundOperation[];
  readonly left_out: number;
} {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])].map(stemOf);
  const scored = offeredOperations()
    .map((operation) => ({ operation, score: scoreOf(operation, words) }))
    .filter(({ score }) => words.length === 0 || score > 0)
    .toSorted((one, other) => other.score - one.score);
  return {
    operations: scored.slice(0, most).map(({ operation }) => describe(operation)),
    left_out: Math.max(0, scored.length - most),
  };
}

/** `policies` and `policy` are the same word, and so are `hosts` and `host`. */
const stemOf = (word: string): string => word.replace(/ies$/, "y").replace(/(?<!s)s$/, "");

/** Words in summaries and names count more than words in texts. Among equals, the shorter summary is the better. */
function scoreOf(operation: CalledOperation, words: readonly string[]): number {
  const { id, path, summary, description = "", replacedBy } = operation;
  const summaryWords = wordsOf(summary);
  const names = wordsOf(`${commandOf(operation)} ${id} ${path}`);
  const texts = wordsOf(description);
  const scores = words.map((word) =>
    summaryWords.has(word) ? 5 : names.has(word) ? 4 : texts.has(word) ? 1 : 0,
  );
  const sum = scores.reduce<number>((total, each) => total + each, 0);
  if (sum === 0) return 0;
  return sum - (replacedBy === undefined ? 0 : 0.5) - summaryWords.size / 100;
}

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    (
      text
        .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu) ?? []
    ).map(stemOf),
  );

const describe = (operation: CalledOperation): FoundOperation => ({
  operation: operation.id,
  summary: operation.summary,
  request: `${operation.method.toUpperCase()} ${operation.path}`,
  changes_records: !isRead(operation),
  ...(operation.replacedBy === undefined ? {} : { deprecated: `use ${operation.replacedBy}` }),
});
