import { describe, expect, test } from "vitest";
import type { JsonObject } from "../src/json.ts";
import { project } from "./settings-project.ts";

const run = (...words: readonly string[]) => project({}).run(words);

describe("the rules", () => {
  test("are listed with category and severity by direction, as text and as JSON", async () => {
    const { code, stdout } = await run("rules");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^RULE +CATEGORY +REQUEST +RESPONSE +FINDS$/m);
    expect(stdout).toMatch(/^property-removed +input, output +major +major +A member was removed/m);
    expect(stdout).toMatch(/^maximum-lowered +constraint +major +patch +The upper limit/m);
    const all = JSON.parse((await run("rules", "--format", "json")).stdout) as JsonObject[];
    const [, ...rows] = stdout.split("\n\n")[0]?.split("\n") ?? [];
    expect(rows.map((row) => row.split(" ")[0])).toEqual(all.map(({ rule }) => rule));
    expect(all).toContainEqual(
      expect.objectContaining({
        rule: "operation-id-changed",
        directions: expect.arrayContaining([
          expect.objectContaining({ direction: "request", severity: "patch", category: "source" }),
        ]),
      }),
    );
  });

  test("are explained with who breaks, oasdiff's names and two documents that show it", async () => {
    const { stdout } = await run("rules", "--explain", "property-removed");
    expect(stdout).toContain("Clients that read the member no longer find it.");
    expect(stdout).toContain("oasdiff: ");
    expect(stdout).toMatch(/response-(?:required|optional)-property-removed \((?:ERR|WARN)\)/);
    expect(stdout).toMatch(/^Before:\n {2}openapi: 3/m);
    const words = ["--explain", "maximum-lowered", "--format", "json"];
    const { example } = JSON.parse((await run("rules", ...words)).stdout);
    const documents = project({ "before.json": example.base, "after.json": example.revision });
    const report = await documents.report("before.json", "after.json");
    expect(report.changes).toContainEqual(expect.objectContaining({ rule: "maximum-lowered" }));
  });

  test("that have no severity are named apart, and explained", async () => {
    expect((await run("rules")).stdout).toMatch(
      /no severity: approval-expired, .*cannot-judge\.\n$/,
    );
    expect((await run("rules", "--explain", "cannot-judge")).stdout).toContain("has no severity");
  });

  test("that do not exist are answered with the nearest one", async () => {
    expect(await run("rules", "--explain", "propery-removed")).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "spec-gate: --explain: there is no rule propery-removed; did you mean property-removed?; spec-gate rules lists all\n",
    });
    for (const words of [["maximum-lowered"], ["--format", "html"], ["--explian", "x"]]) {
      expect((await run("rules", ...words)).stderr, words[0]).toMatch(/; see --help\n$/);
    }
  });
});
