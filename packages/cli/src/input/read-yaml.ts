import { LineCounter, parseDocument, visit, type Document } from "yaml";

/** Why a text is not YAML that can be read, and its line. */
export interface YamlProblem {
  readonly line: number;
  readonly message: string;
}

export interface YamlText {
  readonly document: Document;
  readonly lines: LineCounter;
  readonly value: unknown;
}

/** More aliases than these are an attempt to exhaust the memory. */
const mostAliases = 100;

const tooDeep = "it has too many nested values";

/** The content of a YAML text, which may also be JSON, or its first problem. */
export function readYaml(text: string): YamlText | YamlProblem {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, logLevel: "error" });
  const [error] = document.errors;
  if (error !== undefined) {
    const [reason = ""] =
      error.code === "RESOURCE_EXHAUSTION" ? [tooDeep] : error.message.split("\n");
    return { line: error.linePos?.[0].line ?? 1, message: reason.replace(/:$/, "") };
  }
  try {
    return (
      aliasProblem(document, lines) ?? {
        document,
        lines,
        value: document.toJS({ maxAliasCount: mostAliases }) as unknown,
      }
    );
  } catch (thrown) {
    if (thrown instanceof ReferenceError) {
      return { line: 1, message: "its aliases stand for too many values" };
    }
    // Nested values are read by functions that call themselves.
    if (thrown instanceof RangeError) return { line: 1, message: tooDeep };
    throw thrown;
  }
}

/** The first alias without an anchor before it. The library looks for the anchor only when it needs the value. */
function aliasProblem(document: Document, lines: LineCounter): YamlProblem | undefined {
  let problem: YamlProblem | undefined;
  visit(document, {
    Alias: (_key, alias) => {
      if (alias.resolve(document) !== undefined) return undefined;
      const { line } = lines.linePos(alias.range?.[0] ?? 0);
      const message = `the alias *${alias.source} has no anchor before it; quote a text that begins with *`;
      problem = { line, message };
      return visit.BREAK;
    },
  });
  return problem;
}
