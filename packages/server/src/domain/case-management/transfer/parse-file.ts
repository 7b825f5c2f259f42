import { errors, type Problem } from "../../../foundation/errors.ts";
import { schemaValidator } from "../../../validation/schema-validator.ts";
import { templateProblems } from "../templates/write-templates.ts";
import { lineOf } from "./line-of.ts";
import type { ImportedFile } from "./read-archive.ts";
import { fileSchema, type TemplateFile } from "./template-file.ts";
import { readTextOf } from "./texts.ts";

/** A file that was read, and how its problems are located. */
export interface ParsedFile {
  readonly name: string;
  readonly content: TemplateFile;
  /** Number of tokens of its text. */
  readonly tokens: number;
  /** The place of a member such as `template.fields[1].name`, with its line. */
  place(member: string): string;
}

const validate = schemaValidator(fileSchema, "");

/** Maximum number of tokens of all files: twice as many as the largest template has. */
const tokensPerImport = 3_000_000;

/** The content of files. Throws 400 with all their problems. */
export async function parseFiles(
  files: readonly ImportedFile[],
  tokensAllowed = tokensPerImport,
): Promise<readonly ParsedFile[]> {
  const parsed: ParsedFile[] = [];
  const problems: Problem[] = [];
  let left = tokensAllowed;
  for (const file of files) {
    // One after the other: the same thread also works for other callers.
    const result = await parseFile(file, left);
    if ("content" in result) parsed.push(result);
    else problems.push(...result);
    // A file with problems has at most a token per character.
    left -= "content" in result ? result.tokens : file.text.length;
  }
  if (problems.length > 0) throw errors.invalidRequest(problems);
  return parsed;
}

/** The content of a file in YAML or JSON, or its problems. */
async function parseFile(
  { name, text }: ImportedFile,
  tokensAllowed: number,
): Promise<ParsedFile | readonly Problem[]> {
  const at = (line: number): string => `body.file: ${JSON.stringify(name)} line ${line}`;
  const read = await readTextOf(text, tokensAllowed);
  if (!("json" in read)) return read.map(({ line, message }) => ({ at: at(line), message }));
  const content = JSON.parse(read.json) as unknown;
  const place = (member: string): string => {
    const line = lineOf(read.positions, content, pathOf(member));
    return member === "" ? at(line) : `${at(line)}, ${member}`;
  };
  const problems = validate(content);
  if (problems.length > 0) return located(problems, place);
  const parsed = { name, content: content as TemplateFile, tokens: read.tokens, place };
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

/** The errors of a response are fewer. Locating all problems of a large file would take seconds. */
const mostLocated = 500;

const located = (
  problems: readonly Problem[],
  place: (member: string) => string,
): readonly Problem[] =>
  problems.map((problem, index) =>
    index < mostLocated ? { ...problem, at: place(problem.at.replace(/^\./, "")) } : problem,
  );

const pathOf = (member: string): readonly (string | number)[] =>
  [...member.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map(([, name, index]) =>
    index === undefined ? (name ?? "") : Number(index),
  );
