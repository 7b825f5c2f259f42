import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { groupBy } from "../../src/group-by.ts";
import { canonicalText, type JsonObject } from "../../src/json.ts";
import { pairs } from "../families/all.ts";
import { familyName } from "./families.ts";
import type { OasdiffResult } from "./model.ts";

/** Errors and warnings of oasdiff; undefined if it refuses a document. */
export function oasdiffCounts(
  program: string,
  base: string,
  revision: string,
): { readonly errors: number; readonly warnings: number } | undefined {
  const words = ["changelog", base, revision, "--format", "json"];
  const { status, stdout } = spawnSync(program, words, {
    encoding: "utf8",
    maxBuffer: 1024 * 1024 * 1024,
  });
  if (status !== 0) return undefined;
  const found = (stdout.trim() === "" ? [] : JSON.parse(stdout)) as
    readonly { readonly level: number }[] | null;
  const count = (wanted: number): number =>
    (found ?? []).filter(({ level }) => level === wanted).length;
  return { errors: count(3), warnings: count(2) };
}

/** The verdicts of oasdiff on the families: an error means breaking. */
export function withOasdiff(program: string, version: string): OasdiffResult {
  const folder = mkdtempSync(join(tmpdir(), "spec-gate-oasdiff-"));
  const file = (name: string, document: JsonObject): string => {
    const path = join(folder, name);
    writeFileSync(path, canonicalText(document));
    return path;
  };
  const families = [...groupBy(pairs, familyName)].map(([family, all]) => {
    let [right, refused] = [0, 0];
    for (const { base, revision, forward, backward } of all) {
      const [one, other] = [file("a.json", base), file("b.json", revision)];
      for (const [counts, expected] of [
        [oasdiffCounts(program, one, other), forward],
        [oasdiffCounts(program, other, one), backward],
      ] as const) {
        if (counts === undefined) refused += 1;
        else if (counts.errors > 0 === (expected === "major")) right += 1;
      }
    }
    return { family, verdicts: all.length * 2, right, refused };
  });
  rmSync(folder, { recursive: true });
  return { version, families };
}
