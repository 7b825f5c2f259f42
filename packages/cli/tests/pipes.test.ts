/**
 * @module-tag exhaustive
 * @module-tag nightly
 */
import { once } from "node:events";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { expectWhole, filledFolder } from "./support/filled-folder.ts";
import { secplat, start } from "./support/process.ts";
import { creation } from "./support/server.ts";
import { testWith } from "../../../testing/platform.ts";

test("a killed import keeps its batches, and is completed by running it again", async () => {
  const filled = await filledFolder();
  const { folder, file } = filled;
  const values = Array.from({ length: 3_500 }, (_, index) => `killed${index}.example`);
  const { indicators } = JSON.parse(String(creation(values).body)) as {
    indicators: readonly object[];
  };
  const lines = indicators.map((indicator) => `${JSON.stringify(indicator)}\n`);
  const words = ["import", "indicators", "-", "--json"];
  const killed = start(words, { folder });
  // The rest is never sent, so the import is certainly in progress when the signal arrives.
  killed.child.stdin?.write(lines.slice(0, 2_500).join(""));
  await untilImported(file);
  killed.child.kill("SIGKILL");
  await killed.ended;
  const resumed = await secplat(words, { folder, input: lines.join("") });
  const outcome = JSON.parse(resumed.stdout) as { imported: number; unchanged: number };
  expect([1_000, 2_000]).toContain(outcome.unchanged);
  expect(outcome.imported).toBe(values.length - outcome.unchanged);
  await expectWhole(filled, values);
});

testWith("POSIX shell")("a reader that closes its end is not an error", async () => {
  const { folder } = await filledFolder();
  const closed = start(["audit"], { folder, under: ["sh", "-c", 'exec "$@" | true', "sh"] });
  expect(await closed.ended).toMatchObject({ stderr: "" });
});

testWith("/dev/full")("lost output is an error", async () => {
  const { folder } = await filledFolder();
  const full = ["sh", "-c", 'exec "$@" > /dev/full', "sh"];
  const lost = await secplat(["clients", "list"], { folder, under: full });
  expect(lost.exitCode).toBe(1);
  expect(lost.stderr).toMatch(/^secplat: cannot write to standard output: ENOSPC/);
});

test("does not wait for standard input if it has nothing to read", async () => {
  const { folder } = await filledFolder();
  const running = start(["clients", "list", "--json"], { folder });
  await once(running.child, "close");
  expect(JSON.parse(running.output.stdout)).toHaveLength(1);
});

/** Waits until the audit trail contains the first batch. */
async function untilImported(file: string): Promise<void> {
  const database = new DatabaseSync(file, { readOnly: true });
  const batches = database.prepare(
    "select 1 from audit_entries where operation = 'import indicators'",
  );
  await expect.poll(() => batches.get(), { timeout: 60_000 }).toBeDefined();
  database.close();
}
