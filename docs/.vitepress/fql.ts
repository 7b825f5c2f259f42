import type { MarkdownOptions } from "vitepress";

type Language = NonNullable<MarkdownOptions["languages"]>[number];

const rule = (name: string, match: string) => ({ name, match });

/** Syntax highlighting of filter blocks. */
export const fql: Language = {
  name: "fql",
  scopeName: "source.fql",
  repository: {},
  patterns: [
    rule("string.quoted.fql", String.raw`'(?:\\['\\]|[^'])*'|"(?:\\["\\]|[^"])*"`),
    rule("variable.other.property.fql", String.raw`[A-Za-z_][\w.]*(?=\s*:)`),
    rule("constant.language.fql", String.raw`(?i)\b(?:true|false|null)\b`),
    rule("constant.numeric.fql", String.raw`-?\b\d+(?:\.\d+)?\b`),
    rule("keyword.operator.fql", String.raw`[:!~*<>=+,]`),
  ],
};
