import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inputsOf, runBatch } from "./fuzz/run.ts";
import { startServer, type FuzzedServer } from "./fuzz/server.ts";
import type { Target } from "./fuzz/target.ts";
import { targetsOf } from "./fuzz/targets/index.ts";

const found = join(import.meta.dirname, "fuzz/found");

interface FoundInput {
  readonly target: string;
  readonly input: unknown;
}

let server: FuzzedServer;
let targets: readonly Target[];
beforeAll(async () => {
  server = await startServer();
  targets = await targetsOf(server);
}, 120_000);
afterAll(() => server.stop());

/** Few, because `npm run fuzz` sends more. */
const count = 12;

test("mutated inputs of each target keep the laws", { timeout: 120_000 }, async () => {
  expect(targets.length).toBeGreaterThan(10);
  for (const target of targets) {
    const { outcomes, findings } = await runBatch(server, target, 0, inputsOf(target, 1, 0, count));
    expect(findings).toEqual([]);
    expect([...outcomes.values()].reduce((sum, each) => sum + each, 0)).toBe(count);
  }
});

test("inputs that broke a law keep it now", { timeout: 120_000 }, async () => {
  const files = readdirSync(found).filter((name) => name.endsWith(".json"));
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    const { target: name, input } = JSON.parse(
      readFileSync(join(found, file), "utf8"),
    ) as FoundInput;
    const target = targets.find((each) => each.name === name);
    if (target === undefined) throw new Error(`${file}: there is no target ${name}`);
    const { findings } = await runBatch(server, target, 0, [input]);
    expect(findings, file).toEqual([]);
  }
});

test("the same seed repeats the inputs", () => {
  for (const target of targets) {
    expect(inputsOf(target, 5, 3, 4)).toEqual(inputsOf(target, 5, 3, 4));
    expect(inputsOf(target, 5, 3, 4)).not.toEqual(inputsOf(target, 6, 3, 4));
  }
});
