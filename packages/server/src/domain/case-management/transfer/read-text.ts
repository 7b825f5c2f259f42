import { isAlias, LineCounter, parseDocument, visit, type Document } from "yaml";
import { positionsOf, type Positions } from "./positions.ts";
import { structureProblem } from "./structure.ts";

/** What is wrong in a line of a text. */
export interface LineProblem {
  readonly line: number;
  readonly message: string;
}

/** The parsed content of a text in YAML or JSON, as JSON. */
export interface ReadText {
  readonly json: string;
  readonly positions: Positions;
}

/** The content of a text in YAML or JSON, or what is wrong with it. */
export function readText(text: string): ReadText | readonly LineProblem[] {
  const lines = new LineCounter();
  const lineAt = (offset: number): number => lines.linePos(offset).line;
  try {
    const refused = structureProblem(text);
    if (refused !== null) return [refused];
    // JSON is YAML, too.
    const options = { lineCounter: lines, schema: "core", prettyErrors: false } as const;
    const document = parseDocument(text, options);
    const wrong = [...document.errors, ...document.warnings];
    if (wrong.length > 0) {
      return wrong.map(({ pos, message }) => ({ line: lineAt(pos[0]), message }));
    }
    const aliases = aliasProblems(document, lineAt);
    if (aliases.length > 0) return aliases;
    // Infinity and other values that JSON does not have become null, which no member may be.
    const json = JSON.stringify(document.toJS() ?? null);
    return { json, positions: positionsOf(document.contents, JSON.parse(json), lineAt) };
  } catch (error) {
    // The parser is recursive.
    if (!(error instanceof RangeError)) throw error;
    return [{ line: 1, message: "is nested too deeply" }];
  }
}

/** Aliases could refer in a circle, or make a small file large. */
function aliasProblems(
  document: Document.Parsed,
  lineAt: (offset: number) => number,
): readonly LineProblem[] {
  const problems: LineProblem[] = [];
  visit(document, (_key, node) => {
    if (!isAlias(node)) return;
    const message = "aliases are not supported; repeat the content";
    problems.push({ line: lineAt(node.range?.[0] ?? 0), message });
  });
  return problems;
}
