import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { beforeEach, expect, test } from "vitest";
import { ZipFile } from "yazl";
import { exitCodes } from "../terminal/exit-codes.ts";
import { commandLine, type CommandLine } from "../testing/command-line.ts";

interface Outcome {
  readonly imported: number;
  readonly unchanged: number;
  readonly rejected: number;
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

const indicator = (value: string, more: object = {}): string =>
  `${JSON.stringify({
    type: "domain",
    value,
    severity: "high",
    action: "detect",
    platforms: ["linux"],
    applied_globally: true,
    ...more,
  })}\n`;

let secplat: CommandLine;
let cid: string;
const write = (text: string | Uint8Array, name = "indicators.ndjson"): void =>
  writeFileSync(`${secplat.folder}/${name}`, text);
beforeEach(async () => {
  secplat = commandLine();
  ({ cid } = await secplat.json<{ cid: string }>(["tenants", "create", "Acme Corp"]));
});

test("imports a file, and does not change existing records", async () => {
  write(indicator("a.example") + indicator("b.example"));
  const words = ["import", "indicators", "indicators.ndjson"];
  const first = await secplat(words);
  expect(first).toEqual({
    exitCode: exitCodes.success,
    stdout: "2 imported into Acme Corp, 0 unchanged, 0 rejected\n",
    stderr: "",
  });
  expect(await secplat.json<Outcome>(words)).toEqual({
    kind: "indicators",
    cid,
    imported: 0,
    updated: 0,
    unchanged: 2,
    rejected: 0,
    problems: [],
  });
});

test("replaces existing records with --update, and reports their number", async () => {
  const host = (number: number, more: object = {}) =>
    `${JSON.stringify({ device_id: String(number).repeat(32), platform_name: "Linux", ...more })}\n`;
  write(host(1) + host(2), "hosts.ndjson");
  await secplat(["import", "hosts", "hosts.ndjson"]);
  write(host(1, { hostname: "new" }) + host(2) + host(3), "hosts.ndjson");
  const updated = await secplat(["import", "hosts", "hosts.ndjson", "--update"]);
  expect(updated).toEqual({
    exitCode: exitCodes.success,
    stdout: "1 imported into Acme Corp, 1 updated, 1 unchanged, 0 rejected\n",
    stderr: "",
  });
  expect(
    await secplat.json<Outcome>(["import", "hosts", "hosts.ndjson", "--update"]),
  ).toMatchObject({ updated: 0, unchanged: 3 });
});

test("reads standard input", async () => {
  const line = {
    id: `pid:${"a".repeat(32)}:1`,
    device_id: "a".repeat(32),
    started_on: "2026-03-01T12:00:00Z",
  };
  const { exitCode, stdout } = await secplat(["import", "executions", "-"], JSON.stringify(line));
  expect(exitCode).toBe(exitCodes.success);
  expect(stdout).toContain("1 imported");
});

test("imports valid lines, and reports each invalid one by file and line", async () => {
  const bad = indicator("c.example", { severity: "hihg" });
  write(`${indicator("a.example")}\n{"type":\n${bad}${indicator("b.example")}`);
  const { exitCode, stdout, stderr } = await secplat(["import", "indicators", "indicators.ndjson"]);
  expect(exitCode).toBe(exitCodes.partial);
  expect(stdout).toBe("2 imported into Acme Corp, 0 unchanged, 2 rejected\n");
  expect(stderr).toMatch(/^indicators\.ndjson:3: not valid JSON: .+$/m);
  expect(stderr).toMatch(
    /^indicators\.ndjson:4: severity: expected .+"hihg"; did you mean high\?$/m,
  );
  expect(stderr).toMatch(/^secplat: 2 of 4 lines were rejected$/m);
});

test("prints the first invalid lines, and all of them with --json", async () => {
  for (const [count, rest] of [
    [20, ""],
    [21, "and 1 more; --json lists all of them\n"],
  ] as const) {
    write("nonsense\n".repeat(count));
    const { stderr } = await secplat(["import", "indicators", "indicators.ndjson"]);
    expect(stderr.match(/^indicators\.ndjson:/gm)).toHaveLength(20);
    expect(stderr.match(/^and .*\n/m)?.[0] ?? "").toBe(rest);
  }
  const { exitCode, stdout } = await secplat([
    "import",
    "indicators",
    "indicators.ndjson",
    "--json",
  ]);
  expect(exitCode).toBe(exitCodes.partial);
  expect((JSON.parse(stdout) as Outcome).problems).toHaveLength(21);
});

test("escapes control characters of the file", async () => {
  write(indicator("a.example", { severity: "\u001b[2J" }));
  const { stderr } = await secplat(["import", "indicators", "indicators.ndjson"]);
  expect(stderr).toMatch(/u001b\[2J/);
  expect(stderr).not.toContain("\u001b");
});

test("shows progress on a terminal, and removes it at the end", async () => {
  const terminal = commandLine({ terminal: true });
  await terminal(["tenants", "create", "Acme Corp"]);
  const { stderr, stdout } = await terminal(["import", "indicators", "-"], indicator("a.example"));
  expect(stderr).toContain("importing indicators");
  expect(stderr.endsWith("\r\u001b[K")).toBe(true);
  expect(stdout).toBe("1 imported into Acme Corp, 0 unchanged, 0 rejected\n");
});

test("reports what it has imported if the file turns out to be invalid", async () => {
  const head = Array.from({ length: 1_500 }, (_, index) => indicator(`d${index}.example`)).join("");
  write(Buffer.concat([Buffer.from(head), Buffer.from([0xff, 0x0a])]));
  const { exitCode, stdout, stderr } = await secplat(["import", "indicators", "indicators.ndjson"]);
  expect(exitCode).toBe(exitCodes.failure);
  expect(stdout).toBe("");
  expect(stderr).toContain("indicators.ndjson:1501: not valid UTF-8");
  expect(stderr).toContain("The first 1000 lines are imported");
  write(head);
  const again = await secplat.json<Outcome>(["import", "indicators", "indicators.ndjson"]);
  expect(again).toMatchObject({ imported: 500, unchanged: 1_000 });
});

test.each([
  ["indicators.ndjsno", "there is no such file; the nearest is "],
  ["folder", "cannot read folder: it is a folder; expected a file"],
  ["zipped.ndjson", "zipped.ndjson is compressed with gzip"],
])("rejects %s", async (file, reason) => {
  write(indicator("a.example"));
  write(Uint8Array.of(0x1f, 0x8b, 8, 0), "zipped.ndjson");
  mkdirSync(`${secplat.folder}/folder`);
  const { exitCode, stderr } = await secplat(["import", "indicators", file]);
  expect(exitCode).toBe(exitCodes.failure);
  expect(stderr).toContain(reason);
});

test("records imports in the audit trail", async () => {
  await secplat(["import", "indicators", "-"], indicator("a.example"));
  const trail = await secplat.json<readonly { operation: string; ids: readonly string[] }[]>([
    "audit",
    "--limit",
    "1",
  ]);
  expect(trail).toMatchObject([{ actor: "cli", operation: "import indicators" }]);
  expect(trail[0]?.ids).toHaveLength(1);
});

test("imports a folder of files to download by its manifest", async () => {
  const folder = `${secplat.folder}/releases`;
  mkdirSync(folder);
  writeFileSync(`${folder}/tool.sh`, "echo tool");
  const line = (file: string) =>
    `${JSON.stringify({ file, file_version: "1.0.0", category: "fcs" })}\n`;
  writeFileSync(`${folder}/manifest.ndjson`, line("tool.sh"));
  const words = ["import", "downloads", "releases"];
  expect(await secplat(words)).toEqual({
    exitCode: exitCodes.success,
    stdout: "1 imported into Acme Corp, 0 unchanged, 0 rejected\n",
    stderr: "",
  });
  expect(existsSync(`${secplat.folder}/.data/blobs`)).toBe(true);
  writeFileSync(`${folder}/manifest.ndjson`, line("tool.sh") + line("missing"));
  expect(await secplat(words)).toEqual({
    exitCode: exitCodes.partial,
    stdout: "0 imported into Acme Corp, 1 unchanged, 1 rejected\n",
    stderr:
      "releases/manifest.ndjson:2: file: missing: there is no such file\n" +
      "secplat: 1 of 2 lines were rejected\n",
  });
  const { stderr } = await secplat(["import", "downloads", "nowhere"]);
  expect(stderr).toContain("cannot read nowhere/manifest.ndjson: there is no such file");
  const elsewhere = [...words, "--update", "--files", "file:elsewhere"];
  expect((await secplat(elsewhere)).exitCode).toBe(exitCodes.partial);
  expect(existsSync(`${secplat.folder}/elsewhere`)).toBe(true);
});

const advisory = (
  id: string,
  events: object[] = [{ introduced: "0" }, { fixed: "1.2.6" }],
): string =>
  JSON.stringify(
    {
      id,
      modified: "2026-01-01T00:00:00Z",
      affected: [
        { package: { ecosystem: "npm", name: "minimist" }, ranges: [{ type: "SEMVER", events }] },
      ],
    },
    null,
    2,
  );

test("imports advisories from an archive with a document each, and from a document", async () => {
  const archive = new ZipFile();
  archive.addEmptyDirectory("npm");
  for (const id of ["GHSA-1", "GHSA-2"]) {
    archive.addBuffer(Buffer.from(advisory(id)), `npm/${id}.json`);
  }
  archive.addBuffer(Buffer.from(advisory("GHSA-3", [{ fixed: "1.0.0" }])), "npm/GHSA-3.json");
  archive.end();
  write(await buffer(archive.outputStream), "all.zip");
  const imported = await secplat(["import", "osv", "all.zip", "--json"]);
  expect(imported.exitCode).toBe(exitCodes.partial);
  expect(JSON.parse(imported.stdout)).toMatchObject({
    imported: 2,
    rejected: 1,
    problems: [
      {
        line: 3,
        message: 'affected[0].ranges[0].events: no event has "introduced"; expected at least one',
      },
    ],
  });
  write(advisory("GHSA-2"), "one.json");
  expect(await secplat.json<Outcome>(["import", "osv", "one.json"])).toMatchObject({
    imported: 0,
    unchanged: 1,
  });
  write("not an archive", "wrong.zip");
  const wrong = await secplat(["import", "osv", "wrong.zip"]);
  expect(wrong.exitCode).toBe(exitCodes.failure);
  expect(wrong.stderr).toContain("cannot read wrong.zip");
});
