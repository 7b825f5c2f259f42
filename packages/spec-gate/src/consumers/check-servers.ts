import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "../change.ts";
import type { AdditionalChange } from "../gate.ts";
import { operationsOf } from "../compare/document-model.ts";
import { isObject, textOf, type Json } from "../json.ts";
import { CannotJudge } from "../read/cannot-judge.ts";
import type { LoadedDocument } from "../read/loaded-document.ts";
import { parseText } from "../read/parse.ts";
import { inFolder } from "../read/write-document.ts";
import { readCaseReport, type CaseReport, type FailedCase } from "./junit.ts";

/** One side: a running server, and the command for its contract cases. */
export interface Side {
  readonly server: string;
  /** `{server}` is replaced by the URL to test, `{junit}` by the file to write the report to. */
  readonly cases: readonly string[];
}

export interface Sides {
  readonly old: Side;
  readonly new: Side;
}

/** Reads the file of `--with-server`. Throws `CannotJudge` with the invalid member. */
export function parseSides(text: string, name: string): Sides {
  const parsed = parseText(text, name);
  const side = (key: "old" | "new"): Side => {
    const value: Json | undefined = isObject(parsed) ? parsed[key] : undefined;
    const { server, cases } = isObject(value) ? value : {};
    if (typeof server !== "string" || !URL.canParse(server)) {
      throw new CannotJudge(`${name}: expected ${key}.server, the URL of a server`);
    }
    const isCommand = Array.isArray(cases) && cases.length > 0;
    const words = isCommand ? (cases as readonly Json[]).map(String) : [];
    if (
      !words.some((word) => word.includes("{server}")) ||
      !words.some((word) => word.includes("{junit}"))
    ) {
      throw new CannotJudge(
        `${name}: expected ${key}.cases, a command as a list of words with {server} and {junit}`,
      );
    }
    return { server, cases: words };
  };
  return { old: side("old"), new: side("new") };
}

/** The changes with which the results of the servers are compared. */
export interface Compared {
  readonly base: LoadedDocument;
  readonly revision: LoadedDocument;
  readonly changes: readonly Finding[];
}

/**
 * Runs the old cases against the new server, and the new cases against the old one. An old case
 * that fails is reported as a breaking change, unless a breaking change of its operation explains
 * it, or it also fails against its own server.
 */
export async function checkServers(
  sides: Sides,
  folder: string,
  compared: Compared,
): Promise<AdditionalChange> {
  const old = await runCases(sides.old.cases, sides.new.server, folder);
  const young = await runCases(sides.new.cases, sides.old.server, folder);
  const operationOf = operationFinder(compared.base);
  const breaking = compared.changes.filter(({ verdict }) => verdict === "major");
  const explained = new Set<Finding>();
  const unexplained: FailedCase[] = [];
  for (const failure of old.failed) {
    const operation = operationOf(failure.name);
    const causes = breaking.filter(
      ({ operations }) => operation !== undefined && operations.includes(operation),
    );
    for (const cause of causes) explained.add(cause);
    if (causes.length === 0) unexplained.push(failure);
  }
  const own =
    unexplained.length === 0
      ? new Set<string>()
      : namesOf((await runCases(sides.old.cases, sides.old.server, folder)).failed);
  const broken = unexplained.filter(({ name }) => !own.has(name));
  const failedBefore = unexplained.filter(({ name }) => own.has(name));
  return {
    changes: broken.map((failure) => findingOf(failure, operationOf(failure.name), compared)),
    notes: [
      `${old.ran} contract cases of the old document ran against the new server: ${old.failed.length} failed, ${old.failed.length - unexplained.length} of them as breaking changes explain`,
      ...noteOf(failedBefore, "also fail against the old server, and are no change"),
      ...notFailing(breaking, explained),
      ...noteOf(
        young.failed,
        "of the new document fail against the old server, as clients of the new one would",
      ),
    ],
  };
}

const namesOf = (cases: readonly FailedCase[]): ReadonlySet<string> =>
  new Set(cases.map(({ name }) => name));

const mostListed = 10;

function noteOf(cases: readonly FailedCase[], words: string): readonly string[] {
  if (cases.length === 0) return [];
  const names = cases.slice(0, mostListed).map(({ name }) => name);
  const more = cases.length > mostListed ? ` and ${cases.length - mostListed} more` : "";
  return [`${cases.length} contract cases ${words}: ${names.join(", ")}${more}`];
}

function notFailing(
  breaking: readonly Finding[],
  explained: ReadonlySet<Finding>,
): readonly string[] {
  const counts = new Map<string, number>();
  for (const change of breaking) {
    if (!explained.has(change)) counts.set(change.rule, (counts.get(change.rule) ?? 0) + 1);
  }
  if (counts.size === 0) return [];
  const list = [...counts].map(([rule, count]) => `${rule} (${count})`).join(", ");
  return [
    `breaking, although no old case fails for it against the new server, which may not follow the new document yet, or no case tries it: ${list}`,
  ];
}

function findingOf(
  { name, message }: FailedCase,
  operation: string | undefined,
  { changes }: Compared,
): Finding {
  const safe = changes.filter(
    ({ operations }) => operation !== undefined && operations.includes(operation),
  );
  const rules = [...new Set(safe.map(({ rule }) => rule))].join(", ");
  const other =
    rules === ""
      ? "the documents do not differ there"
      : `the documents differ there only in what is safe: ${rules}`;
  return {
    rule: "contract-case-fails",
    verdict: "major",
    direction: "response",
    place: operation ?? name,
    message: `the old contract case "${name}" fails against the new server; ${other}${message === "" ? "" : ` (${message})`}`,
    affects: ["clients that send it", "clients that read it"],
    operations: operation === undefined ? [] : [operation],
    pointer: "#",
    document: "base",
  };
}

/** Finds the operation in the name of a case, by its `operationId` or as `GET /path`. */
function operationFinder(base: LoadedDocument): (name: string) => string | undefined {
  const byWord = new Map<string, string>();
  for (const { name, node } of operationsOf(base, base.root["paths"]).values()) {
    byWord.set(name, name);
    const id = textOf(node["operationId"]);
    if (id !== undefined) byWord.set(id, name);
  }
  return (text) => {
    const words = text.split(/\s+/);
    for (const [index, word] of words.entries()) {
      const method = byWord.get(word) ?? byWord.get(`${word} ${words[index + 1] ?? ""}`);
      if (method !== undefined) return method;
    }
    return undefined;
  };
}

/** Throws `CannotJudge` if the command writes no report, or a report without cases. */
async function runCases(
  words: readonly string[],
  server: string,
  folder: string,
): Promise<CaseReport> {
  return inFolder(async (temporary) => {
    const junit = join(temporary, "junit.xml");
    const [program = "", ...rest] = words.map((word) =>
      word.replaceAll("{server}", server).replaceAll("{junit}", junit),
    );
    const output = await run(program, rest, folder);
    const command = `${program} ${rest.join(" ")}`;
    if (!existsSync(junit)) {
      throw new CannotJudge(`${command} wrote no report: ${output.slice(-500)}`);
    }
    const report = readCaseReport(readFileSync(junit, "utf8"), `the report of ${command}`);
    if (report.ran === 0) {
      throw new CannotJudge(`${command} ran no case: ${output.slice(-500)}`);
    }
    return report;
  });
}

function run(program: string, words: readonly string[], folder: string): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(program, words, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    const keep = (part: Buffer): void => {
      output = `${output}${part.toString()}`.slice(-5_000);
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    child.on("error", (error) => resolve(error.message));
    child.on("close", () => resolve(output));
  });
}
