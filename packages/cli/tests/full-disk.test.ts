/**
 * @module-tag exhaustive
 * @module-tag nightly
 */
import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { demoFolder } from "../src/testing/prepared-folder.ts";
import { temporaryFolder } from "../src/testing/temporary-folder.ts";
import { expectWhole, filledFolder, tokenOf } from "./support/filled-folder.ts";
import { secplat } from "./support/process.ts";
import { creation, indicatorsPath, existingValues, serve, type Server } from "./support/server.ts";
import { limitedFiles, smallFileSystem, type FullDisk } from "./support/storage.ts";
import { skipWithout } from "../../../testing/platform.ts";

const nightly = { tags: ["nightly"] };

skipWithout("ulimit");

const kibibytes = 8_192;
const ways: readonly (readonly [string, (parent: string) => FullDisk])[] = [
  ["files that cannot grow", (parent) => limitedFiles(parent, kibibytes)],
  // On a real file system if this user may create one; otherwise the same as above.
  [
    "a full file system",
    (parent) => smallFileSystem(parent, kibibytes) ?? limitedFiles(parent, kibibytes),
  ],
];

test.each(ways)(
  "%s: the server reports it, continues to serve reads, and loses nothing",
  async (_way, fill) => {
    const { under, folder } = fill(temporaryFolder());
    const filled = await filledFolder(folder);
    const server = await serve(["--no-demo", "--rate-limit", "0"], { folder, under });
    const token = await tokenOf(server, filled.client);
    const { acknowledged, refusal } = await createUntilRefused(server, token);
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(refusal.status).toBeGreaterThanOrEqual(500);
    expect(await refusal.text()).not.toMatch(/sqlite|disk I\/O|\.data/i);
    await server.until(
      "stderr",
      /"message":"database [^"]+: the disk (failed or )?is full; nothing of the last change was kept/,
    );
    expect(await existingValues(server, acknowledged, token)).toEqual(acknowledged.toSorted());
    expect((await server.stop()).exitCode).toBe(0);
    const elsewhere = temporaryFolder();
    cpSync(join(folder, ".data"), join(elsewhere, ".data"), { recursive: true });
    const file = join(elsewhere, ".data", "platform.sqlite");
    await expectWhole({ ...filled, folder: elsewhere, file }, acknowledged);
  },
);

test("at the first start: an error, and a complete demo once there is space", nightly, async () => {
  const folder = temporaryFolder();
  const { under } = limitedFiles(folder, kibibytes / 2);
  const failed = await secplat(["serve", "--port", "0"], { folder, under });
  expect(failed).toMatchObject({ exitCode: 1, stdout: "" });
  expect(failed.stderr).toMatch(
    /^secplat: database .+is full; nothing of the last change was kept\n$/,
  );
  const [resumed, fresh] = await Promise.all([
    serve([], { folder }),
    serve([], await demoFolder()),
  ]);
  expect(resumed.greeting.client_id).not.toBeNull();
  const indicators = async ({ request }: Server): Promise<number> => {
    const response = await request("/iocs/combined/indicator/v1?limit=1&offset=0");
    return Number(response.headers.get("x-total-count"));
  };
  expect(await indicators(fresh)).toBeGreaterThan(0);
  expect(await indicators(resumed)).toBe(await indicators(fresh));
});

test(
  "during a backup or a restore: an error that names the file, and no draft of it",
  nightly,
  async () => {
    const { folder } = await demoFolder();
    await secplat(["backup", "a.tar"], { folder });
    const { under } = limitedFiles(folder, 128);
    for (const [words, name] of [
      [["backup", "b.tar"], "b.tar"],
      [["snapshot", "export", "b.tar"], "b.tar"],
      [["restore", "a.tar", "--data", "new"], "new/platform.sqlite"],
    ] as const) {
      const { exitCode, stderr } = await secplat(words, { folder, under });
      expect([exitCode, stderr]).toEqual([
        1,
        expect.stringMatching(
          new RegExp(
            `^secplat: cannot write ${join(folder, name)}: (its disk is full|no file .*)\n$`,
          ),
        ),
      ]);
    }
    expect(readdirSync(folder).toSorted()).toEqual([".data", "a.tar", "new"]);
  },
);

test("during an import: an error that explains how to continue", nightly, async () => {
  const filled = await filledFolder();
  const { folder } = filled;
  const values = Array.from({ length: 4_000 }, (_, index) => `import${index}.example`);
  const { indicators } = JSON.parse(String(creation(values).body)) as {
    indicators: readonly object[];
  };
  const input = indicators.map((indicator) => `${JSON.stringify(indicator)}\n`).join("");
  const words = ["import", "indicators", "-"];
  const { under } = limitedFiles(folder, kibibytes);
  const stopped = await secplat(words, { folder, under, input });
  expect(stopped).toMatchObject({ exitCode: 1, stdout: "" });
  expect(stopped.stderr).toMatch(
    /^secplat: database .+is full; nothing of the last change was kept.*\nThe first \d000 lines are imported; run the command again/,
  );
  const resumed = await secplat([...words, "--json"], { folder, input });
  const outcome = JSON.parse(resumed.stdout) as { imported: number; unchanged: number };
  expect(outcome.unchanged).toBeGreaterThan(0);
  expect(outcome.imported + outcome.unchanged).toBe(values.length);
  await expectWhole(filled, values);
});

async function createUntilRefused(
  server: Server,
  token: string,
): Promise<{ acknowledged: readonly string[]; refusal: Response }> {
  const acknowledged: string[] = [];
  for (let call = 0; ; call += 1) {
    const values = Array.from({ length: 40 }, (_, index) => `full${call}-${index}.example`);
    const response = await server.request(indicatorsPath, { ...creation(values), token });
    if (response.status !== 201) return { acknowledged, refusal: response };
    acknowledged.push(...values);
  }
}
