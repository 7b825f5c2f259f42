import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { collections } from "./calls/operations.ts";
import { commandIndex } from "./commands/command-index.ts";
import { createProgram } from "./program.ts";
import { exitCodeMeanings, exitCodes } from "./terminal/exit-codes.ts";
import { commandLine } from "./testing/command-line.ts";
import { silentContext } from "./testing/silent-context.ts";
import type { Command } from "commander";

/** Every command without subcommands, with its words. */
function commandsOf(
  command: Command,
  words: readonly string[] = [],
): readonly (readonly [string, Command])[] {
  // Their commands are operations of a document.
  if (words[0] === "dev" && words.length === 1) return [[words.join(" "), command]];
  return command.commands.length === 0
    ? [[words.join(" "), command]]
    : command.commands.flatMap((each) => commandsOf(each, [...words, each.name()]));
}

// The commands of operations are tested with a server.
const program = await createProgram(silentContext);
const commands = commandsOf(program).filter(([words]) => !["call", "dev"].includes(words));

test("has the commands that the README lists", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const listed = [...readme.matchAll(/^\| `secplat (?<words>[a-z -]+?)(?: <.*)?`/gm)];
  expect(listed.map(({ groups }) => groups?.["words"])).toEqual(
    commandsOf(program).map(([words]) => words),
  );
});

/** Needs neither a server nor a database. */
const isLocal = (words: string): boolean => /^(fql|profile) |^(config schema|verify)$/.test(words);

test.each(commands)("%s explains itself, and supports JSON", async (words, command) => {
  const { exitCode, stdout, stderr } = await commandLine()([...words.split(" "), "--help"]);
  expect(exitCode).toBe(exitCodes.success);
  expect(stderr).toBe("");
  expect(stdout).toContain(`Usage: secplat ${words} [options]`);
  expect(stdout).toMatch(/^Examples:\n  .*secplat /m);
  expect(command.description()).toMatch(/^[A-Z].*\.$/);
  expect(command.summary()).toMatch(/^[a-z].*[^.]$/);
  // The output is that of another program, a script, or a protocol.
  if (["exec", "completion", "mcp"].includes(words)) return;
  expect(stdout).toMatch(/--json .*for scripts/);
  if (isLocal(words)) return;
  // It calls a server instead of opening the database.
  const callsServer = /^(scan|mcp|api|login|open|(exports|tenant) .*)$/.test(words);
  expect(stdout).toContain(callsServer ? "--url <url>" : "--database <url>");
});

test("prints its version", async () => {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const { exitCode, stdout } = await commandLine()(["--version"]);
  expect(exitCode).toBe(exitCodes.success);
  expect(stdout).toBe(`${manifest.version}\n`);
});

/** Runs the sources in a process of their own; returns the loaded modules. */
function load(...words: readonly string[]) {
  const hooks = new URL("./testing/list-modules.ts", import.meta.url);
  const condition = "--conditions=@security-platform/source";
  const bin = fileURLToPath(new URL("./bin.ts", import.meta.url));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [condition, "--import", hooks.href, bin, ...words],
    { encoding: "utf8" },
  );
  expect(status).toBe(0);
  const modules = stderr.split("\n").filter((line) => line.startsWith("loaded file:"));
  return { stdout, modules };
}

test("loads no command to print its version, and one to run it", { tags: ["exhaustive"] }, () => {
  const { modules } = load("--version");
  expect(
    modules.filter((url) => /\/packages\/server\/|\/src\/commands\/(?!command-index)/.test(url)),
  ).toEqual([]);
  const { modules: forOne } = load("audit", "--help");
  expect(forOne.some((url) => url.endsWith("/commands/audit.ts"))).toBe(true);
  expect(forOne.some((url) => url.endsWith("/commands/seed.ts"))).toBe(false);
});

test("loads no command to list them, in groups", () => {
  const { modules, stdout } = load("--help");
  expect(modules.filter((url) => url.includes("/src/commands/"))).toEqual([
    expect.stringMatching(/\/commands\/command-index\.ts$/),
  ]);
  expect(modules.filter((url) => url.includes("/packages/server/"))).toEqual([]);
  const groups = [...stdout.matchAll(/^(?<heading>.* it):\n(?<list>(?: {2}.*\n)+)/gm)];
  expect(groups.map(({ groups: named }) => named?.["heading"])).toEqual([
    "Run it",
    "Use it",
    "Manage it",
  ]);
  const listed = groups.flatMap(({ groups: named }) =>
    [...(named?.["list"] ?? "").matchAll(/^ {2}([a-z0-9-]+) /gm)].map(([, name]) => name),
  );
  expect(listed.toSorted()).toEqual(
    [...commandIndex, ...collections()].map(({ name }) => name).toSorted(),
  );
});

test("explains its exit codes", async () => {
  const { stdout } = await commandLine()(["--help"]);
  for (const [code, meaning] of Object.entries(exitCodeMeanings)) {
    expect(stdout).toContain(`  ${code}  ${meaning}\n`);
  }
});

test.each([
  [["sreve"], "unknown command 'sreve'. Did you mean serve? (--help lists the options)"],
  [["clients", "lsit"], "unknown command 'lsit'. Did you mean list? (--help lists the options)"],
  [
    ["icc", "list-indicators"],
    "unknown command 'icc'. Did you mean ioc? (--help lists the options)",
  ],
  [
    ["ioc", "list-indicator"],
    "unknown command 'list-indicator'. Did you mean list-indicators? (--help lists the options)",
  ],
  [
    ["call", "indicator.combind.v1"],
    "Did you mean indicator.combined.v1? (--help lists the options)",
  ],
  [
    ["completion", "fishh"],
    "<shell> cannot be 'fishh'. Expected one of bash, zsh, fish, powershell. Did you mean fish?",
  ],
  [["api", "GETT", "/"], "<method> cannot be 'GETT'. Expected one of GET, HEAD,"],
  [["api", "GET", "iocs"], "<path> cannot be 'iocs'. Expected a path that starts with /."],
  [
    ["serve", "--prot", "1"],
    "unknown option '--prot'. Did you mean --port? (--help lists the options)",
  ],
  [["serve", "--port", "http"], "--port cannot be 'http'. Expected an integer from 0 to 65535."],
  [["serve", "--port"], "--port needs a value: --port <number>"],
  [
    ["serve", "--log-level", "wran"],
    "--log-level cannot be 'wran'. Expected one of debug, info, warn, error, silent. Did you mean warn?",
  ],
  [["serve", "--host", ""], "--host cannot be ''. Expected an address such as 127.0.0.1, "],
  [["serve", "--data", " "], "--data cannot be ' '. Expected a folder."],
  [["serve", "--request-timeout", "9999999999"], "Expected an integer from 100 to 2147483647."],
  [
    ["serve", "--docs", "missing"],
    "contains no index.html; expected the folder of a built documentation site",
  ],
  [["clients", "create"], "<name> is missing"],
  [
    ["tenants", "create", "a\n\u001b[2J"],
    String.raw`<name> cannot be 'a\u000a\u001b[2J'. A name is `,
  ],
  [["clients", "create", "x".repeat(300)], `<name> cannot be '${"x".repeat(100)}…'. A name has`],
  [["\u001b[2J"], String.raw`unknown command '\u001b[2J'`],
  [["clients", "create", ""], "<name> cannot be ''. A name needs at least one character."],
  [
    ["clients", "create", "a", "--scope", "ioc-management:reed"],
    "Did you mean ioc-management:read?",
  ],
  [["clients", "rotate", "a", "--grace", "-1"], "Expected an integer from 0 to 31536000."],
  [["clients", "list", "all"], "'list' does not accept these arguments: all."],
  [["import", "indicator", "a.ndjson"], "<kind> cannot be 'indicator'. Expected one of "],
  [["import", "indicator", "a.ndjson"], ". Did you mean indicators?"],
  [["exports", "download", "1"], "--output <file> is required"],
  [["seed", "--world", "smal"], "Expected one of small, mssp, large. Did you mean small?"],
  [["audit", "--limit", "0"], "Expected an integer from 1 to 10000."],
  [
    ["tenants", "list", "--database", "platform.sqlite"],
    "For a SQLite file write sqlite:platform.sqlite",
  ],
])("rejects %j as an invalid command line", async (words, reason) => {
  const { exitCode, stdout, stderr } = await commandLine()(words);
  expect(exitCode).toBe(exitCodes.usage);
  expect(stdout).toBe("");
  expect(stderr).toMatch(/^secplat: /);
  expect(stderr).toContain(reason);
});

test.each([[[]], [["clients"]], [["tenants"]]])(
  "shows help if %j lacks a command",
  async (words) => {
    const { exitCode, stdout, stderr } = await commandLine()(words);
    expect(exitCode).toBe(exitCodes.usage);
    expect(stdout).toBe("");
    expect(stderr).toContain("Usage: secplat");
  },
);

test("warns about a password that others can see, and does not repeat it", async () => {
  const database = "postgres://me:hunter2@127.0.0.1:1/name";
  const { exitCode, stderr } = await commandLine()(["tenants", "list", "--database", database]);
  expect(exitCode).toBe(exitCodes.failure);
  expect(stderr).toContain("other users can see the password in --database");
  expect(stderr).toContain("postgres://me@127.0.0.1:1/name: PostgreSQL cannot be reached");
  expect(stderr).not.toContain("hunter2");
});

test("shows the stack of an error only on request", async () => {
  const words = ["tenants", "list"];
  expect((await commandLine()(words)).stderr.split("\n")).toHaveLength(2);
  const debugged = await commandLine({ environment: { SECPLAT_DEBUG: "1" } })(words);
  expect(debugged.stderr).toMatch(/\n {4}at /);
});

test.each([
  [
    ["help", "ioc", "list-indicators"],
    ["ioc", "list-indicators", "--help"],
  ],
  [
    ["help", "clients", "create"],
    ["clients", "create", "--help"],
  ],
  [
    ["help", "tenants", "domains"],
    ["tenants", "domains", "--help"],
  ],
  [
    ["help", "serve"],
    ["serve", "--help"],
  ],
])("%j prints the same as %j", async (words, same) => {
  const printed = await commandLine()(words);
  expect(printed).toMatchObject({ exitCode: 0, stderr: "" });
  expect(printed).toEqual(await commandLine()(same));
});

test.each([
  [
    ["help", "ioc", "list-indicator"],
    "has no command 'list-indicator'. Did you mean list-indicators?",
  ],
  [["help", "nothing", "list"], "has no command 'nothing'"],
  [["help", "clients", "create", "more"], "create has no command 'more'"],
])("%j says what is unknown", async (words, message) => {
  const { exitCode, stdout, stderr } = await commandLine()(words);
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(message);
});
