import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { releaseNotes } from "./release-notes.ts";

const root = resolve(import.meta.dirname, "..");
const repository = "https://github.com/security-platform-api/security-platform-api";

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly workspaces?: readonly string[];
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly [member: string]: unknown;
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest;

const packages = (manifestOf(".").workspaces ?? []).flatMap((folder) => {
  const manifest = manifestOf(folder);
  return manifest.private === true ? [] : [{ folder, manifest, name: manifest.name }];
});

/** The packages without what a build adds, because npm compresses everything even in a dry run. */
function copyOfSources(): string {
  const copy = mkdtempSync(join(tmpdir(), "secplat-packages-"));
  cpSync(join(root, "package.json"), join(copy, "package.json"));
  const left = new Set(["node_modules", "dist", ".turbo"]);
  for (const { folder } of packages) {
    const filter = (path: string): boolean => !left.has(basename(path));
    cpSync(join(root, folder), join(copy, folder), { recursive: true, filter });
  }
  return copy;
}

/** The paths that npm would pack, by package, apart from built files. */
function packed(): ReadonlyMap<string, readonly string[]> {
  // The lifecycle scripts need a build, so this test skips them.
  const words = ["pack", "--dry-run", "--json", "--ignore-scripts"];
  const workspaces = packages.flatMap(({ name }) => ["--workspace", name]);
  const copy = copyOfSources();
  const packing = spawnSync("npm", [...words, ...workspaces], {
    cwd: copy,
    encoding: "utf8",
    // A batch file on Windows, which only a shell can start.
    shell: process.platform === "win32",
  });
  rmSync(copy, { recursive: true, force: true });
  if (packing.status !== 0) throw packing.error ?? new Error(packing.stderr);
  const entries = JSON.parse(packing.stdout) as
    | readonly { name: string; files: readonly { path: string }[] }[]
    | Readonly<Record<string, { name: string; files: readonly { path: string }[] }>>;
  return new Map(
    Object.values(entries).map(({ name, files }) => [name, files.map(({ path }) => path)]),
  );
}

const files = packed();

describe.each(packages)("the package $name", ({ folder, manifest, name }) => {
  test("names its owner and its origin", () => {
    expect(manifest).toMatchObject({
      license: "Apache-2.0",
      author: "The security-platform-api authors",
      homepage: `${repository}#readme`,
      repository: { type: "git", url: `git+${repository}.git`, directory: folder },
      bugs: { url: `${repository}/issues` },
      keywords: expect.arrayContaining([expect.any(String)]) as unknown,
    });
    const license = readFileSync(join(root, "LICENSE"), "utf8");
    expect(license.match(/^Copyright .*$/gm)).toEqual([
      "Copyright (c) The security-platform-api authors",
    ]);
    expect(readFileSync(join(root, folder, "LICENSE"), "utf8")).toBe(license);
    expect(files.get(name)).toEqual(
      expect.arrayContaining(["LICENSE", "README.md", "CHANGELOG.md"]),
    );
  });

  test("has its version in its changelog", () => {
    const changelog = readFileSync(join(root, folder, "CHANGELOG.md"), "utf8");
    expect(changelog.split("\n")[0]).toBe(`# ${name}`);
    expect(/^## (.*)$/m.exec(changelog)?.[1]).toBe(manifest["version"]);
    expect(releaseNotes([{ name, text: changelog }], "0.1.0")).toContain("The first release");
  });

  test("is published for everybody, for a stated range of Node.js, and after a build", () => {
    // npm publishes scoped packages privately by default.
    expect(manifest["publishConfig"]).toEqual({ access: "public" });
    expect(manifest["engines"]).toEqual({
      node: expect.stringMatching(/^(?:>=|\^)\d+/) as unknown,
    });
    expect(manifest["scripts"]).toHaveProperty("prepack");
    expect(manifest["type"]).toBe("module");
    expect(manifest.exports).toHaveProperty(["./package.json"], "./package.json");
    const readme = readFileSync(join(root, folder, "README.md"), "utf8");
    expect(readme).toMatch(new RegExp(`^np[mx] .*${name}\\b`, "m"));
  });

  test("is compiled with the types of the oldest Node.js that it supports", () => {
    const { node } = manifest["engines"] as { readonly node: string };
    if (!node.startsWith(">=20")) return;
    const options = readFileSync(join(root, folder, "tsconfig.build.json"), "utf8");
    expect(JSON.parse(options)).toHaveProperty("extends", "../../tsconfig.node-20.json");
  });

  test("has the files that its exports name, and no tests", () => {
    const own = files.get(name) ?? [];
    const targets = Object.values(manifest.exports ?? {})
      .flatMap((target) => (typeof target === "string" ? [target] : Object.values(target)))
      .map((target) => target.replace(/^\.\//, ""));
    const sources = targets.filter((target) => !target.startsWith("dist/"));
    expect(sources.length).toBeGreaterThan(0);
    expect(own).toEqual(expect.arrayContaining(sources));
    expect(manifest["files"]).toContain("dist");
    expect(own.filter((path) => /(?:^|\/)testing(?:\/|\.)|\.test\.ts$/.test(path))).toEqual([]);
  });
});
