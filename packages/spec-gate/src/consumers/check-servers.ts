import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "../change.ts";
import type { Further } from "../gate.ts";
import { isObject, type Json } from "../json.ts";
import { CannotJudge } from "../read/cannot-judge.ts";
import { parseText } from "../read/parse.ts";
import { inFolder } from "../read/write-document.ts";

/** One side: a server that runs, and the command that runs its contract cases. */
export interface Side {
  readonly server: string;
  /** `{server}` is replaced by the URL to test, `{junit}` by the file to write the report to. */
  readonly cases: readonly string[];
}

export interface Sides {
  readonly old: Side;
  readonly new: Side;
}

/** Reads the file of `--with-server`. Throws `CannotJudge` with the member that is wrong. */
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

/** Runs the old cases against the new server, and the new cases against the old one. */
export async function checkServers(sides: Sides, folder: string): Promise<Further> {
  const old = await failedCases(sides.old.cases, sides.new.server, folder);
  const young = await failedCases(sides.new.cases, sides.old.server, folder);
  const changes = old.map((name): Finding => ({
    rule: "contract-case-fails",
    verdict: "major",
    direction: "response",
    place: name,
    message: `the contract case ${name} of the old document fails against the new server`,
    affects: ["clients that send it", "clients that read it"],
    operations: [],
    pointer: "#",
    document: "base",
  }));
  const notes =
    young.length === 0
      ? []
      : [
          `${young.length} contract cases of the new document fail against the old server, as clients of the new one would: ${young.slice(0, 10).join(", ")}`,
        ];
  return { changes, notes };
}

/** The names of the cases that fail. Throws `CannotJudge` when the command gives no report. */
async function failedCases(
  words: readonly string[],
  server: string,
  folder: string,
): Promise<readonly string[]> {
  return inFolder(async (temporary) => {
    const junit = join(temporary, "junit.xml");
    const [program = "", ...rest] = words.map((word) =>
      word.replaceAll("{server}", server).replaceAll("{junit}", junit),
    );
    const said = await run(program, rest, folder);
    if (!existsSync(junit)) {
      throw new CannotJudge(`${program} ${rest.join(" ")} wrote no report: ${said.slice(-500)}`);
    }
    return failuresIn(readFileSync(junit, "utf8"));
  });
}

function run(program: string, words: readonly string[], folder: string): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(program, words, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    const keep = (part: Buffer): void => {
      said = `${said}${part.toString()}`.slice(-5_000);
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    child.on("error", (error) => resolve(error.message));
    child.on("close", () => resolve(said));
  });
}

/** The test cases of a JUnit report that hold a failure or an error. */
export function failuresIn(xml: string): readonly string[] {
  return [...xml.matchAll(/<testcase\b([^>]*?)(?:\/>|>(.*?)<\/testcase>)/gs)]
    .filter(([, , content = ""]) => /<(?:failure|error)\b/.test(content))
    .map(([, attributes = ""]) => {
      const name = /\bname="([^"]*)"/.exec(attributes)?.[1] ?? "";
      return name
        .replaceAll("&lt;", "<")
        .replaceAll("&gt;", ">")
        .replaceAll("&quot;", '"')
        .replaceAll("&amp;", "&");
    });
}
