import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { missingChangeset, readChangesets, type Bump } from "./spec-changeset.ts";

const changeset = (name: string, type: Bump) => ({ id: "a", releases: [{ name, type }] });
const spec = "@security-platform/spec";

test.each([
  ["none", []],
  ["patch", [changeset(spec, "patch")]],
  ["minor", [changeset(spec, "patch"), changeset(spec, "major")]],
  ["major", [changeset("secplat", "patch"), changeset(spec, "major")]],
] as const)("a %s change is announced", (verdict, changesets) => {
  expect(missingChangeset(verdict, changesets)).toBeNull();
});

test.each([
  ["major", [], "there is none"],
  ["major", [changeset(spec, "minor")], "there is only a minor one"],
  ["major", [changeset("secplat", "major")], "there is none"],
  ["minor", [changeset(spec, "patch")], "there is only a patch one"],
] as const)("a %s change without its changeset is refused", (verdict, changesets, reason) => {
  const problem = missingChangeset(verdict, changesets);
  expect(problem).toContain(reason);
  expect(problem).toContain(`npx changeset --${verdict} ${spec}`);
});

test("changesets count if they are newer than the base", async () => {
  const folder = mkdtempSync(join(tmpdir(), "secplat-changesets-"));
  const git = (...words: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...words], {
      cwd: folder,
    });
  const add = (id: string, type: Bump): void => {
    writeFileSync(join(folder, `.changeset/${id}.md`), `---\n"${spec}": ${type}\n---\n\n${id}\n`);
    git("add", ".");
    git("commit", "-q", "-m", id);
  };
  try {
    git("init", "-q", "-b", "main");
    mkdirSync(join(folder, ".changeset"));
    add("before", "major");
    git("checkout", "-q", "-b", "topic");
    add("after", "minor");
    expect(missingChangeset("major", await readChangesets(folder, undefined))).toBeNull();
    expect(missingChangeset("major", await readChangesets(folder, "main"))).toContain(
      "there is only a minor one",
    );
    expect(missingChangeset("minor", await readChangesets(folder, "main"))).toBeNull();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
