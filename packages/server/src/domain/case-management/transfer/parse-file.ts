import { isAlias, LineCounter, parseDocument, visit, type Document } from "yaml";
import type { Problem } from "../../../errors.ts";
import { schemaValidator } from "../../../validation/schema-validator.ts";
import { templateProblems } from "../templates/write-templates.ts";
import type { ImportedFile } from "./read-archive.ts";
import { structureProblem } from "./structure.ts";
import { fileSchema, type TemplateFile } from "./template-file.ts";

/** A file that was read, and how its problems are located. */
export interface ParsedFile {
  readonly name: string;
  readonly content: TemplateFile;
  /** The place of a member such as `template.fields[1].name`, with its line. */
  place(member: string): string;
}

const validate = schemaValidator(fileSchema, "");

/** The content of a file in YAML or JSON, or what is wrong with it. */
export function parseFile({ name, text }: ImportedFile): ParsedFile | readonly Problem[] {
  const lines = new LineCounter();
  const at = (line: number): string => `body.file: ${JSON.stringify(name)} line ${line}`;
  let document: Document.Parsed;
  let content: unknown;
  try {
    const refused = structureProblem(text);
    if (refused !== null) return [{ at: at(refused.line), message: refused.message }];
    // JSON is YAML, too.
    document = parseDocument(text, { lineCounter: lines, schema: "core", prettyErrors: false });
    const wrong = [...document.errors, ...document.warnings];
    if (wrong.length > 0) {
      return wrong.map(({ pos, message }) => ({ at: at(lines.linePos(pos[0]).line), message }));
    }
    const aliases = aliasProblems(document, (offset) => at(lines.linePos(offset).line));
    if (aliases.length > 0) return aliases;
    content = document.toJS();
  } catch (error) {
    // The parser descends by calls.
    if (!(error instanceof RangeError)) throw error;
    return [{ at: at(1), message: "is nested too deeply" }];
  }
  const place = (member: string): string => {
    const line = lines.linePos(offsetOf(document, pathOf(member))).line;
    return member === "" ? at(line) : `${at(line)}, ${member}`;
  };
  const problems = validate(content);
  if (problems.length > 0) return located(problems, place);
  const parsed: ParsedFile = { name, content: content as TemplateFile, place };
  const { fields = [], sla_rules = [], access_tags = [], workflows = [] } = parsed.content.template;
  const template = {
    fields,
    workflows,
    access_tags: access_tags.map((key) => ({ key })),
    sla_rules: sla_rules.map(({ type, condition }) => ({ type, condition, sla_id: "" })),
  };
  const wrong = templateProblems(template, "template");
  return wrong.length === 0 ? parsed : located(wrong, place);
}

const located = (
  problems: readonly Problem[],
  place: (member: string) => string,
): readonly Problem[] =>
  problems.map((problem) => ({ ...problem, at: place(problem.at.replace(/^\./, "")) }));

/** Aliases could refer in a circle, or make a small file large. */
function aliasProblems(document: Document.Parsed, at: (offset: number) => string): Problem[] {
  const problems: Problem[] = [];
  visit(document, (_key, node) => {
    if (!isAlias(node)) return;
    const message = "aliases are not supported; repeat the content";
    problems.push({ at: at(node.range?.[0] ?? 0), message });
  });
  return problems;
}

const pathOf = (member: string): readonly (string | number)[] =>
  [...member.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map(([, name, index]) =>
    index === undefined ? (name ?? "") : Number(index),
  );

/** Where a member starts; of one that is missing, where its parent does. */
function offsetOf(document: Document.Parsed, path: readonly (string | number)[]): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    const range = (node as { readonly range?: readonly number[] | null } | null | undefined)?.range;
    if (range !== undefined && range !== null) return range[0] ?? 0;
  }
  return 0;
}
