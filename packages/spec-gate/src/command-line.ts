import { parseArgs, type ParseArgsConfig } from "node:util";
import { existsSync } from "node:fs";
import { isDay } from "./day.ts";
import { mostSeconds } from "./effort.ts";
import { nearest } from "./nearest.ts";
import { mostMegabytes } from "./read/read-file.ts";

/** The options of `parseArgs`; the types of Node.js 20 have no name for them. */
type ParsedOptions = NonNullable<ParseArgsConfig["options"]>;

export const formats = ["text", "markdown", "html", "json", "sarif", "junit", "github"] as const;
export type Format = (typeof formats)[number];

const changelogFormats = ["markdown", "html", "json"] as const;
const rulesFormats = ["text", "json"] as const;

export type ChangelogFormat = (typeof changelogFormats)[number];

export const help = `Usage: spec-gate BASE REVISION [BASE REVISION ...] [options]
       spec-gate [options]                 compares the documents of spec-gate.yaml
       spec-gate changelog DOCUMENT [--from REVISION] [--to REVISION] [--format FORMAT] [--output FILE]
       spec-gate rules [--explain RULE] [--format text|json]
       spec-gate git-diff PATH OLD-FILE ...    the command of a diff driver of git

Compares two OpenAPI documents (3.0, 3.1 or 3.2) and says whether the change breaks a client. More
pairs of documents have one report.
Each document is a file, a URL, git:REVISION:PATH, or git::PATH for what is staged; JSON or YAML;
other files by $ref.
One of them may be -, the standard input.

  --format FORMAT       ${formats.join(", ")} (default text)
  --output FILE         write the report there
  --also FORMAT=FILE    write a further report; may be repeated
  --config FILE         settings (default: spec-gate.yaml beside REVISION); options count more
  --approvals FILE      breaking changes that are accepted: rule, place, reason, expiry
  --approve             add the breaking changes of this run to the file of approvals; needs
                        --reason TEXT and --expiry DATE
  --check-version       info.version must be raised as far as the changes need it
  --changelog FILE      write a changelog entry in plain words
  --require-sunset      deprecating without a date is breaking
  --today DATE          the day to judge dates by, such as 2030-12-31 (default: today)
  --allow-remote-refs   read files of other hosts that references lead to
  --refs-within FOLDER  also read files of this folder that references lead to; otherwise they must
                        be in the document's repository, or in its folder if it is in none
  --max-size MB         size of a document with all its files (default ${mostMegabytes})
  --time-limit SECONDS  time for reading and comparing (default ${mostSeconds})
  --consumers           type-check a client of the old document against the new types
  --with-server FILE    run contract cases old against new, as the JSON file says; see the guide
  --help, --version     print this text, the version

changelog writes what changed by version between two revisions of git (default: the whole history to
HEAD), as markdown, html or json.
rules lists every rule with its category and severity; --explain RULE says why it breaks whom, with an
example and what oasdiff calls it.

Exit codes: 0 no breaking change, 1 a breaking change without approval, 2 cannot judge: a document
or a setting cannot be read, an option or an approval is wrong, or the time is over.
`;

/** An invalid command line; the message gives the reason. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** `spec-gate rules` */
export interface RulesCommand {
  readonly kind: "rules";
  readonly explain: string | undefined;
  readonly format: "text" | "json";
}

/** `spec-gate changelog` */
export interface ChangelogCommand {
  readonly kind: "changelog";
  /** Path of the document in the repository. */
  readonly document: string;
  readonly from: string | undefined;
  readonly to: string;
  readonly format: ChangelogFormat;
  readonly output: string | undefined;
}

/** `spec-gate git-diff`, with the words that git calls a diff driver with. */
export interface GitDiffCommand {
  readonly kind: "git-diff";
  /** Path of the document in the work tree, from its top. */
  readonly path: string;
  /** Files with the old and the new text; `/dev/null` if there is none. */
  readonly oldFile: string;
  readonly newFile: string;
}

export interface CommandLine {
  readonly kind: "compare";
  /** Empty if the configuration names the documents. */
  readonly documents: readonly { readonly base: string; readonly revision: string }[];
  readonly config: string | undefined;
  /** The reason and the expiry of approvals to write. */
  readonly approve: { readonly reason: string; readonly expiry: string } | undefined;
  readonly format: Format;
  readonly output: string | undefined;
  readonly also: readonly { readonly format: Format; readonly file: string }[];
  readonly approvals: string | undefined;
  readonly checkVersion: boolean;
  readonly changelog: string | undefined;
  readonly requireSunset: boolean;
  readonly today: Date | undefined;
  readonly allowRemoteReferences: boolean;
  readonly referencesWithin: string | undefined;
  readonly megabytes: number | undefined;
  readonly seconds: number | undefined;
  readonly consumers: boolean;
  readonly withServer: string | undefined;
}

const text = { type: "string" } as const;
const flag = { type: "boolean", default: false } as const;

const commands = ["changelog", "rules", "git-diff"] as const;

/** Reads a command line; throws `UsageError`. `exists` says whether a document of a name exists. */
export function parseCommandLine(
  words: readonly string[],
  exists: (path: string) => boolean = existsSync,
): CommandLine | ChangelogCommand | RulesCommand | GitDiffCommand | "help" | "version" {
  if (words[0] === "git-diff") return parseGitDiff(words.slice(1));
  if (words[0] === "changelog") return parseChangelog(words.slice(1));
  if (words[0] === "rules") return parseRules(words.slice(1));
  const { values, positionals } = parsed(words, compareOptions);
  if (values.help) return "help";
  if (values.version) return "version";
  const [first] = positionals;
  // A document has the end of a file name, or is a location.
  if (first !== undefined && /^[a-z-]+$/i.test(first) && first !== "-" && !exists(first)) {
    const command = nearest(first, commands);
    if (command !== undefined) {
      throw new UsageError(`there is no command ${first}; did you mean ${command}?`);
    }
  }
  if (positionals.filter((each) => each === "-").length > 1) {
    throw new UsageError("expected only one document from the standard input, got more");
  }
  return {
    kind: "compare",
    documents: pairsOf(positionals),
    config: values.config,
    approve: approveOf(values),
    format: formatOf("--format", values.format ?? "text"),
    output: values.output,
    also: (values.also ?? []).map((each) => {
      const [format = "", ...file] = each.split("=");
      if (file.length === 0 || file[0] === "") {
        throw new UsageError(`--also: expected FORMAT=FILE, got ${each}`);
      }
      return { format: formatOf("--also", format), file: file.join("=") };
    }),
    approvals: values.approvals,
    checkVersion: values["check-version"],
    changelog: values.changelog,
    requireSunset: values["require-sunset"],
    today: values.today === undefined ? undefined : dateOf("--today", values.today),
    allowRemoteReferences: values["allow-remote-refs"],
    referencesWithin: values["refs-within"],
    megabytes: numberOf("--max-size", "megabytes", values["max-size"], 400),
    seconds: numberOf("--time-limit", "seconds", values["time-limit"], 86_400),
    consumers: values.consumers,
    withServer: values["with-server"],
  };
}

/** Where a command line wants reports, as far as it can be read; undefined for other commands. */
export function wantedReports(
  words: readonly string[],
):
  | Pick<CommandLine, "documents" | "format" | "output" | "also" | "config" | "approvals">
  | undefined {
  if (commands.some((each) => each === words[0])) return undefined;
  const config = { args: [...words], options: compareOptions, allowPositionals: true } as const;
  const { tokens } = parseArgs({ ...config, strict: false, tokens: true });
  const valuesOf = (name: string): readonly string[] =>
    tokens.flatMap((token) =>
      token.kind === "option" && token.name === name && token.value !== undefined
        ? [token.value]
        : [],
    );
  const known = (value = ""): readonly Format[] => formats.filter((each) => each === value);
  const positionals = tokens.flatMap((token) => (token.kind === "positional" ? [token.value] : []));
  const [base, revision] = positionals;
  return {
    documents: base === undefined || revision === undefined ? [] : [{ base, revision }],
    format: known(valuesOf("format").at(-1))[0] ?? "text",
    output: valuesOf("output").at(-1),
    also: valuesOf("also").flatMap((each) => {
      const [format, ...file] = each.split("=");
      const name = file.join("=");
      return name === "" ? [] : known(format).map((one) => ({ format: one, file: name }));
    }),
    config: valuesOf("config").at(-1),
    approvals: valuesOf("approvals").at(-1),
  };
}

function pairsOf(words: readonly string[]): CommandLine["documents"] {
  const pairs = [];
  for (let index = 0; index < words.length; index += 2) {
    const [base = "", revision] = words.slice(index, index + 2);
    if (revision === undefined) {
      const first = words.length === 1 ? "two documents" : "pairs of documents";
      throw new UsageError(`expected ${first}, BASE and REVISION, got no REVISION for ${base}`);
    }
    pairs.push({ base, revision });
  }
  return pairs;
}

function parseGitDiff(words: readonly string[]): GitDiffCommand {
  const [path, oldFile, , , newFile] = words;
  // A renamed file has two more words.
  if (path === undefined || oldFile === undefined || newFile === undefined || words.length < 7) {
    throw new UsageError(
      "git-diff: expected PATH OLD-FILE OLD-HEX OLD-MODE NEW-FILE NEW-HEX NEW-MODE, as git calls a diff driver",
    );
  }
  return { kind: "git-diff", path, oldFile, newFile };
}

function parseRules(words: readonly string[]): RulesCommand | "help" {
  const { values, positionals } = parsed(words, { explain: text, format: text, help: flag });
  if (values.help) return "help";
  const { explain, format = "text" } = values;
  const [more] = positionals;
  if (more !== undefined) {
    throw new UsageError(`rules: expected no further word, got ${more}; use --explain RULE`);
  }
  return { kind: "rules", explain, format: oneOf("--format", rulesFormats, format, " for rules") };
}

function parseChangelog(words: readonly string[]): ChangelogCommand | "help" {
  const { values, positionals } = parsed(words, {
    from: text,
    to: text,
    format: text,
    output: text,
    help: flag,
  });
  if (values.help) return "help";
  const [document, ...more] = positionals;
  if (document === undefined || more.length > 0) {
    throw new UsageError(
      `changelog: expected one document, got ${positionals.join(" ") || "none"}`,
    );
  }
  const format = oneOf("--format", changelogFormats, values.format ?? "markdown", " for changelog");
  const { from, to = "HEAD", output } = values;
  return { kind: "changelog", document, from, to, format, output };
}

const compareOptions = {
  format: text,
  output: text,
  also: { type: "string", multiple: true },
  config: text,
  approvals: text,
  approve: flag,
  reason: text,
  expiry: text,
  "check-version": flag,
  changelog: text,
  "require-sunset": flag,
  today: text,
  "allow-remote-refs": flag,
  "refs-within": text,
  "max-size": text,
  "time-limit": text,
  consumers: flag,
  "with-server": text,
  help: flag,
  version: flag,
} as const satisfies ParsedOptions;

/** The options and other words of a command line. Throws `UsageError`. */
function parsed<const Options extends ParsedOptions>(words: readonly string[], options: Options) {
  const config = { args: [...words], options, allowPositionals: true, allowNegative: true };
  try {
    return parseArgs(config);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const missing = /^Option '(--[a-z-]+)(?: <value>)?' argument (?:missing|is ambiguous)/.exec(
      reason,
    )?.[1];
    throw new UsageError(
      unknownOption(config) ??
        (missing === undefined
          ? reason.replace(/\. To specify .*/s, "")
          : `${missing}: expected a value after it`),
    );
  }
}

/** The first option that a command does not have, with the nearest one that it has. */
function unknownOption(config: ParseArgsConfig): string | undefined {
  const known = Object.keys(config.options ?? {});
  const { tokens } = parseArgs({ ...config, strict: false, tokens: true });
  const unknown = tokens.find((token) => token.kind === "option" && !known.includes(token.name));
  if (unknown?.kind !== "option") return undefined;
  const near = nearest(unknown.name, known);
  const question = near === undefined ? "" : `; did you mean --${near}?`;
  return `there is no option ${unknown.rawName}${question}`;
}

const formatOf = (option: string, value: string): Format => oneOf(option, formats, value);

function oneOf<Value extends string>(
  option: string,
  known: readonly Value[],
  value: string,
  command = "",
): Value {
  const found = known.find((each) => each === value);
  if (found !== undefined) return found;
  const near = nearest(value, known);
  const question = near === undefined ? "" : `; did you mean ${near}?`;
  throw new UsageError(
    `${option}: expected ${known.join(", ")}${command}, got ${value}${question}`,
  );
}

function numberOf(
  option: string,
  unit: string,
  value: string | undefined,
  most: number,
): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!/^\d+(?:\.\d+)?$/.test(value) || number === 0 || number > most) {
    throw new UsageError(`${option}: expected ${unit} above 0 and up to ${most}, got ${value}`);
  }
  return number;
}

function approveOf(values: {
  readonly approve: boolean;
  readonly reason?: string;
  readonly expiry?: string;
}): CommandLine["approve"] {
  const { approve, reason, expiry } = values;
  if (!approve) {
    const [option] = [
      ...(reason === undefined ? [] : ["--reason"]),
      ...(expiry === undefined ? [] : ["--expiry"]),
    ];
    if (option !== undefined) throw new UsageError(`${option}: expected --approve beside it`);
    return undefined;
  }
  if (reason === undefined || reason.trim() === "") {
    throw new UsageError("--approve: expected --reason TEXT, why the changes are accepted");
  }
  if (expiry === undefined) {
    throw new UsageError("--approve: expected --expiry DATE, the last day of the approvals");
  }
  dateOf("--expiry", expiry);
  return { reason, expiry };
}

function dateOf(option: string, value: string): Date {
  if (!isDay(value)) {
    throw new UsageError(`${option}: expected a date such as 2030-12-31, got ${value}`);
  }
  return new Date(value);
}
