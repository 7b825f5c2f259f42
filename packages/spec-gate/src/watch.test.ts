import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { watch } from "./watch.ts";

const folder = mkdtempSync(join(tmpdir(), "spec-gate-watch-"));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.restoreAllMocks());

/** The exit code and the errors of a program that runs as the thread of a command. */
async function run(
  program: string,
  meanwhile = () => {},
  words: readonly string[] = [],
): Promise<{ readonly code: number; readonly errors: string }> {
  const file = join(folder, "program.mjs");
  writeFileSync(file, `import { parentPort } from "node:worker_threads";\n${program}`);
  let errors = "";
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    errors += String(text);
    return true;
  });
  const watched = watch(words, pathToFileURL(file));
  meanwhile();
  return { code: await watched, errors };
}

test("a result that arrives together with the exit of its thread counts", async () => {
  const marker = join(folder, "exits");
  const result = `{ kind: "finished", stdout: "", stderr: "", code: 1 }`;
  const program = `
    import { writeFileSync } from "node:fs";
    parentPort.postMessage(${result});
    writeFileSync(${JSON.stringify(marker)}, "");`;
  expect(
    await run(program, () => {
      while (!existsSync(marker));
      // Long enough for the thread to exit, while this one receives nothing.
      execFileSync(process.execPath, ["--eval", ""]);
    }),
  ).toEqual({ code: 1, errors: "" });
});

test("a thread that exits without a result is a change that could not be judged", async () => {
  expect(await run("process.exit();")).toEqual({
    code: 2,
    errors: "spec-gate: the change could not be judged: the comparison ended early\n",
  });
});

test.each([
  ["process.exit();", [], "the change could not be judged: the comparison ended early"],
  [
    "setInterval(() => {}, 1_000);",
    ["--time-limit", "0.01"],
    "the change could not be judged within 0.01 seconds",
  ],
])("a thread without a result has a report: %s", async (program, words, reason) => {
  let output = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    output += String(text);
    return true;
  });
  const { code, errors } = await run(program, () => {}, [
    "a.json",
    "b.json",
    "--format",
    "json",
    ...words,
  ]);
  expect([code, errors]).toEqual([2, expect.stringContaining(reason)]);
  expect(JSON.parse(output)).toMatchObject({
    outcome: "cannot-judge",
    exitCode: 2,
    problem: expect.stringContaining(reason),
    base: { name: "a.json" },
    revision: { name: "b.json" },
  });
});
