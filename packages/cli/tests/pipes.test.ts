import { once } from "node:events";
import { expect, test } from "vitest";
import { commandLine } from "../src/testing/command-line.ts";
import { expectWhole, filledFolder } from "./support/filled-folder.ts";
import { secplat, start } from "./support/process.ts";
import { creation } from "./support/server.ts";

test("an import that was killed keeps its batches, and is finished by running it again", async () => {
  const filled = await filledFolder();
  const { folder } = filled;
  const values = Array.from({ length: 3_500 }, (_, index) => `killed${index}.example`);
  const { indicators } = JSON.parse(String(creation(values).body)) as {
    indicators: readonly object[];
  };
  const lines = indicators.map((indicator) => `${JSON.stringify(indicator)}\n`);
  const words = ["import", "indicators", "-", "--json"];
  const killed = start(words, { folder });
  // The rest never comes, so that it is under way for certain when the signal arrives.
  killed.child.stdin?.write(lines.slice(0, 2_500).join(""));
  await untilImported(folder);
  killed.child.kill("SIGKILL");
  await killed.ended;
  const resumed = await secplat(words, { folder, input: lines.join("") });
  const outcome = JSON.parse(resumed.stdout) as { imported: number; unchanged: number };
  expect([1_000, 2_000]).toContain(outcome.unchanged);
  expect(outcome.imported).toBe(values.length - outcome.unchanged);
  await expectWhole(filled, values);
});

test("a reader that goes away is no failure", async () => {
  const { folder } = await filledFolder();
  const closed = start(["audit"], { folder, under: ["sh", "-c", 'exec "$@" | true', "sh"] });
  expect(await closed.ended).toMatchObject({ stderr: "" });
});

test.runIf(process.platform === "linux")("output that is lost is a failure", async () => {
  const { folder } = await filledFolder();
  const full = ["sh", "-c", 'exec "$@" > /dev/full', "sh"];
  const lost = await secplat(["clients", "list"], { folder, under: full });
  expect(lost.exitCode).toBe(1);
  expect(lost.stderr).toMatch(/^secplat: cannot write to standard output: ENOSPC/);
});

test("does not wait for standard input where it has nothing to read", async () => {
  const { folder } = await filledFolder();
  const running = start(["clients", "list", "--json"], { folder });
  await once(running.child, "close");
  expect(JSON.parse(running.written.stdout)).toHaveLength(1);
});

/** Asks the audit trail until the first batch is on it. */
async function untilImported(folder: string): Promise<void> {
  const command = commandLine({ folder });
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- asks until it is there
    const entries = await command.json<readonly { operation: string }[]>(["audit"]);
    if (entries.some(({ operation }) => operation === "import indicators")) return;
  }
}
