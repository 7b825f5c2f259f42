import type { CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { LanguageSupport, StreamLanguage } from "@codemirror/language";
import { linter, type Diagnostic } from "@codemirror/lint";
import type { Extension } from "@codemirror/state";
import {
  checkFilter,
  FqlSyntaxError,
  parseFilter,
  type Fields,
  type FqlIssue,
} from "@security-platform/fql";

const language = StreamLanguage.define<{ readonly quote: string }>({
  name: "fql",
  startState: () => ({ quote: "" }),
  token(stream) {
    if (stream.match(/^'(?:\\.|[^'\\])*'?|^"(?:\\.|[^"\\])*"?/)) return "string";
    if (stream.match(/^[A-Za-z_][\w.]*(?=\s*:)/)) return "propertyName";
    if (stream.match(/^(?:true|false|null)\b/i)) return "bool";
    if (stream.match(/^-?\d+(?:\.\d+)?\b/)) return "number";
    if (stream.match(/^[:!~*<>=+,()[\]]/)) return "operator";
    stream.next();
    return null;
  },
});

/** All issues of a filter: of its grammar, or else of its fields and values. */
export function issuesOf(text: string, fields: Fields): readonly FqlIssue[] {
  try {
    return checkFilter(parseFilter(text), fields);
  } catch (error) {
    if (error instanceof FqlSyntaxError) return [error];
    throw error;
  }
}

/** An issue as sentences, without the excerpt. */
export const issueText = ({ reason, suggestion, hint }: FqlIssue): string =>
  [
    `${reason}.`,
    ...(suggestion === undefined ? [] : [`Did you mean ${suggestion}?`]),
    ...(hint === undefined ? [] : [`${hint}.`]),
  ].join(" ");

/** The language of filters with the completion and the errors of a table of fields. */
export const fqlOf = (fields: Fields): readonly Extension[] => [
  new LanguageSupport(language, [
    language.data.of({ autocomplete: (context: CompletionContext) => complete(context, fields) }),
  ]),
  linter(
    (view): Diagnostic[] => {
      const text = view.state.doc.toString();
      return issuesOf(text, fields).map((issue) => {
        const from = Math.min(issue.offset, text.length);
        const [word = ""] = /^(?:'[^']*'?|[\w.]+|.)/s.exec(text.slice(from)) ?? [];
        return { from, to: from + word.length, severity: "error", message: issueText(issue) };
      });
    },
    { delay: 200 },
  ),
];

const operators: Readonly<Record<string, string>> = {
  ":": "equals",
  ":!": "does not equal",
  ":>": "greater, or after",
  ":>=": "at least",
  ":<": "less, or before",
  ":<=": "at most",
  ":*": "matches a pattern",
  ":~": "contains the words",
  ":~*": "matches a pattern, whatever its case",
};

const textOperators = new Set([":*", ":~", ":~*"]);
const orderOperators = new Set([":>", ":>=", ":<", ":<="]);

function complete(
  { state, pos, explicit }: CompletionContext,
  fields: Fields,
): CompletionResult | null {
  const before = state.sliceDoc(0, pos);
  const value = /([A-Za-z_][\w.]*)\s*:[!~*<>=]*\s*(?:\[(?:[^\]]*,)?\s*)?(['"]?[^'"+,()[\]]*)$/.exec(
    before,
  );
  const [, name = "", typed = ""] = value ?? [];
  if (value !== null) {
    const options = valuesOf(name, fields).map((label) => ({ label, type: "constant" }));
    if (options.length === 0) return null;
    return { from: pos - typed.length, options, validFor: /^['"]?[\w -]*['"]?$/ };
  }
  const fieldName = /([A-Za-z_][\w.]*)$/.exec(before)?.[1] ?? "";
  const field = fields[fieldName];
  if (field !== undefined && explicit) {
    const fitting = Object.entries(operators).filter(
      ([operator]) =>
        (field.type === "string" || !textOperators.has(operator)) &&
        (field.type !== "boolean" || !orderOperators.has(operator)),
    );
    return {
      from: pos,
      options: fitting.map(([label, detail], index) => ({ label, detail, boost: -index })),
    };
  }
  if (!explicit && fieldName === "" && !/(?:^|[+,(])\s*$/.test(before)) return null;
  return {
    from: pos - fieldName.length,
    validFor: /^[\w.]*$/,
    options: Object.entries(fields)
      .filter(([, { filterable }]) => filterable !== false)
      .map(([label, { type, array, description }]) => ({
        label,
        apply: `${label}:`,
        detail: `${array === true ? "list of " : ""}${type}`,
        ...(description !== undefined && { info: description }),
      })),
  };
}

/** Values to offer, as they are written: those of an enumeration, or examples of a type. */
function valuesOf(property: string, fields: Fields): readonly string[] {
  const lower = property.toLowerCase();
  const name = Object.keys(fields).find((each) => each.toLowerCase() === lower);
  const field = fields[name ?? ""];
  if (field?.values !== undefined) return field.values.map((each) => `'${each}'`);
  if (field?.type === "timestamp") return ["'now-1d'", "'now-7d'", "'now-30d'", "'last 24 hours'"];
  return field?.type === "boolean" ? ["true", "false"] : [];
}
