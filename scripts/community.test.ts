import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { versionPlaces } from "./version-places.ts";

const root = resolve(import.meta.dirname, "..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const json = <T>(path: string): T => JSON.parse(read(path)) as T;

/** The cells of the table rows below a heading. */
const rowsOf = (text: string): readonly (readonly string[])[] =>
  text
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| -"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

describe("the README", () => {
  const readme = read("README.md");

  test("has the figures of the page on existing clients", () => {
    const tried = read("docs/guides/move-existing-clients.md").split("## What was tried")[1] ?? "";
    const figures = new Map(
      rowsOf(tried).map(([client = "", , calls = ""]) => [client, calls] as const),
    );
    const section = readme.split("## What runs against it unmodified")[1]?.split("\n## ")[0] ?? "";
    const shown = new Map(
      rowsOf(section).map(([client = "", , calls = ""]) => [client, calls] as const),
    );
    expect(shown.size).toBeGreaterThan(5);
    expect(shown).toEqual(figures);
  });

  test("has the number of operations", () => {
    type Paths = Readonly<Record<string, Readonly<Record<string, { operationId?: string }>>>>;
    const { paths } = json<{ paths: Paths }>("packages/spec/src/generated/openapi.json");
    const ids = Object.values(paths).flatMap((path) =>
      Object.values(path).flatMap(({ operationId }) => operationId ?? []),
    );
    expect(/has all (\d+) operations/.exec(readme)?.[1]).toBe(String(ids.length));
  });

  test("shows badges of a workflow that exists", () => {
    const [, workflow = ""] = /actions\/workflows\/([\w.-]+)\/badge\.svg/.exec(readme) ?? [];
    expect(existsSync(join(root, ".github/workflows", workflow))).toBe(true);
  });
});

const pages = [
  "README.md",
  "SECURITY.md",
  "CODE_OF_CONDUCT.md",
  "CONTRIBUTING.md",
  "docs/architecture/*.md",
  "packages/*/README.md",
].flatMap((pattern) => globSync(pattern, { cwd: root }));

test.each(pages)("the files that %s links to exist", (page) => {
  const targets = [...read(page).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)].map(
    ([, target = ""]) => target,
  );
  expect(targets.filter((target) => !existsSync(join(root, dirname(page), target)))).toEqual([]);
});

test("SECURITY.md supports the current minor version", () => {
  const { version } = json<{ version: string }>("packages/cli/package.json");
  expect(read("SECURITY.md")).toContain(`| ${version.replace(/\d+$/, "x")} `);
});

test.each(versionPlaces)("$file has the version of the packages", ({ file, pattern }) => {
  const { version } = json<{ version: string }>("packages/cli/package.json");
  expect(pattern.exec(read(file))?.[0]).toBe(version);
});

test("every file has an owner, and the folders that CODEOWNERS names exist", () => {
  const lines = read(".github/CODEOWNERS")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  expect(lines[0]).toMatch(/^\* +@/);
  const folders = lines.slice(1).map((line) => line.split(" ")[0] ?? "");
  expect(folders.filter((folder) => !existsSync(join(root, folder)))).toEqual([]);
});

test(".nvmrc names the Node.js that npm ci installs for scripts", () => {
  const { optionalDependencies = {} } = json<{ optionalDependencies?: Record<string, string> }>(
    "package.json",
  );
  const majors = Object.values(optionalDependencies).map((version) => version.split(".")[0]);
  expect(new Set(majors)).toEqual(new Set([read(".nvmrc").trim()]));
});

test("the branch rules require the checks of the workflows", () => {
  interface Rule {
    readonly parameters?: { readonly required_status_checks?: readonly { context: string }[] };
  }
  const { rules } = json<{ rules: readonly Rule[] }>(".github/rulesets/main.json");
  const required = rules.flatMap(({ parameters }) => parameters?.required_status_checks ?? []);
  const matrix = read(".github/workflows/check.yml");
  const systems = /os: \[(.*)\]/.exec(matrix)?.[1]?.split(", ") ?? [];
  const versions = /node: \[(.*)\]/.exec(matrix)?.[1]?.split(", ") ?? [];
  const checks = systems.flatMap((os) => versions.map((node) => `check (${os}, ${node})`));
  const added = [...matrix.matchAll(/- os: (\S+)\n +node: (\S+)/g)].map(
    ([, os, node]) => `check (${os}, ${node})`,
  );
  expect(required.map(({ context }) => context)).toEqual([...checks, ...added, "gate", "codeql"]);
});

describe("the table of dependencies that may end", () => {
  interface Locked {
    readonly version?: string;
    readonly deprecated?: string;
  }
  const locks = ["package-lock.json", ...globSync("scripts/*/package-lock.json", { cwd: root })];
  const locked = locks.flatMap((path) =>
    Object.entries(json<{ packages: Record<string, Locked> }>(path).packages).map(
      ([place, { version, deprecated }]) => ({
        name: `\`${place.replace(/^.*node_modules\//, "")}\` ${version}`,
        deprecated,
      }),
    ),
  );
  const rows = rowsOf(read("docs/architecture/dependencies.md")).slice(1);
  const names = rows.map(([name = ""]) => name);

  test("has installed versions, and every cell", () => {
    const installed = new Set(locked.map(({ name }) => name));
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !installed.has(name))).toEqual([]);
    expect(rows.filter((row) => row.length !== 5 || row.includes(""))).toEqual([]);
  });

  test("has all packages that are deprecated", () => {
    const deprecated = locked.flatMap((each) => (each.deprecated === undefined ? [] : each.name));
    expect(deprecated.filter((name) => !names.includes(name))).toEqual([]);
  });
});
