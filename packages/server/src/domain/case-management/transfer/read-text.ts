import { isScalar, LineCounter, parseDocument, visit, type Document } from "yaml";
import type { Positions } from "./line-of.ts";
import { positionsOf } from "./positions.ts";
import { checkStructure } from "./structure.ts";

/** What is wrong in a line of a text. */
export interface LineProblem {
  readonly line: number;
  readonly message: string;
}

/** The parsed content of a text in YAML or JSON, as JSON. */
export interface ReadText {
  readonly json: string;
  readonly positions: Positions;
  /** Number of tokens: a measure of the work. */
  readonly tokens: number;
}

/** Maximum number of problems of a text. A response has fewer. */
const mostProblems = 500;

/** The content of a text in YAML or JSON, or what is wrong with it. */
export function readText(text: string, tokensAllowed?: number): ReadText | readonly LineProblem[] {
  const tokens = checkStructure(text, tokensAllowed);
  if (typeof tokens === "object") return [tokens];
  const lines = new LineCounter();
  const lineAt = (offset: number): number => lines.linePos(offset).line;
  // JSON is also YAML.
  const document = withoutStackTraces(() =>
    parseDocument(text, {
      lineCounter: lines,
      schema: "core",
      prettyErrors: false,
      // It compares each key with all others.
      uniqueKeys: false,
    }),
  );
  const wrong = [...document.errors, ...document.warnings].slice(0, mostProblems);
  if (wrong.length > 0) {
    return wrong.map(({ pos, message }) => ({ line: lineAt(pos[0]), message }));
  }
  const repeated = repeatedKeys(document, lineAt);
  if (repeated.length > 0) return repeated;
  // Infinity and other values that JSON does not have become null, which no member may be.
  const json = JSON.stringify(document.toJS() ?? null);
  return { json, tokens, positions: positionsOf(document.contents, JSON.parse(json), lineAt) };
}

/** The parser makes an error for each fault, and its stack takes most of the time. */
function withoutStackTraces<Result>(parse: () => Result): Result {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return parse();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function repeatedKeys(
  document: Document.Parsed,
  lineAt: (offset: number) => number,
): readonly LineProblem[] {
  const problems: LineProblem[] = [];
  visit(document, {
    Map: (_key, { items }) => {
      const keys = new Set<string>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const name = String(key.value);
        if (keys.has(name) && problems.length < mostProblems) {
          problems.push({ line: lineAt(key.range?.[0] ?? 0), message: "Map keys must be unique" });
        }
        keys.add(name);
      }
    },
  });
  return problems;
}
