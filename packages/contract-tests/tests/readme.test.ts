import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { help } from "../src/command-line.ts";
import { listCases, runCommand } from "../src/index.ts";
import { companionRecipes, platformRecipes } from "../src/recipes/recipes.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

/** The first cells of the rows of the table under a heading. */
function firstCells(heading: string): readonly string[] {
  const [section = ""] = readme.split(`\n## ${heading}\n`)[1]?.split("\n## ") ?? [];
  return [...section.matchAll(/^\| `([^`]+)` +\|/gm)].map(([, cell = ""]) => cell);
}

test("the README lists the existing laws", () => {
  const cases = [...listCases({}), ...listCases({ compat: true })];
  const laws = new Set(cases.map(({ law }) => law));
  expect(new Set(firstCells("What is tested"))).toEqual(laws);
});

test("the README describes the known records of every kind that the run does not create", () => {
  const kinds = Object.values({ ...platformRecipes, ...companionRecipes })
    .flatMap(({ resources }) => Object.entries(resources))
    .filter(([, { lifecycle }]) => lifecycle === null)
    .map(([kind]) => kind)
    .filter((kind) => !/-in-use$|^recording-/.test(kind));
  expect(new Set(firstCells("Known records"))).toEqual(new Set(kinds));
});

test("every option in the README exists", () => {
  const options = new Set(readme.match(/--[a-z][a-z-]+/g));
  options.delete("--dev");
  expect(options.size).toBeGreaterThan(10);
  for (const option of options) expect(help).toContain(option);
});

test("every command in the README is valid", async () => {
  const commands = readme.match(/^contract-tests .*$/gm) ?? [];
  expect(commands.length).toBeGreaterThan(1);
  for (const command of commands) {
    const words = command.split(" ").slice(1);
    const written: string[] = [];
    const output = { write: (text: string) => written.push(text) };
    const code = await runCommand([...words, "--list", "--include", "platform.query.v1 200"], {
      environment: {},
      stdout: output,
      stderr: output,
    });
    expect(written.join("")).toContain("platform.query.v1 200 answer: a valid request");
    expect(code).toBe(0);
  }
});
