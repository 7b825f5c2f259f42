import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { createWriteStream, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { LocalBlobs } from "../src/blobs/local-blobs.ts";
import { downloads } from "../src/domain/downloads/downloads.ts";
import { filesBelow } from "../src/imports/import-files.ts";
import { importRecords } from "../src/imports/index.ts";
import { resources } from "../src/platform/resources.ts";
import { openStoreAt } from "../src/host/open-store-at.ts";
import { startTestApi } from "./support/api.ts";
import { downloadsSuite, newFolder, openSession, writeFiles } from "./support/downloads.ts";
import { sha256 } from "./support/sha256.ts";
import { createBareTenant, describeTenant } from "./support/bare-tenant.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { ManualClock } from "./support/manual-clock.ts";
import { programArguments } from "./support/programs.ts";
import { testWith } from "../../../testing/platform.ts";

const everything = { kind: "everything" } as const;

withPostgresAtNight((engine) => {
  const suite = downloadsSuite(engine);

  describe("an import of files", () => {
    test("can be repeated, and does not change existing files", async () => {
      const { import: load, list } = await suite.open();
      const files = [
        { file: "a", content: "one" },
        { file: "b/c.zip", content: "two" },
      ];
      expect(await load(files)).toMatchObject({ imported: 2, unchanged: 0 });
      const before = await list();
      expect(await load(files)).toMatchObject({ imported: 0, unchanged: 2, problems: [] });
      // Changed content of a known file is imported only with `update`.
      const [, second] = files;
      const newer = [{ file: "a", content: "newer" }, ...(second === undefined ? [] : [second])];
      expect(await load(newer)).toMatchObject({ unchanged: 2 });
      expect((await list())[0]?.file_hash).toBe(before[0]?.file_hash);
      expect(await load(newer, { update: true })).toMatchObject({ updated: 1, unchanged: 1 });
      expect((await list())[0]).toMatchObject({ file_hash: sha256("newer"), size: 5 });
    });

    test("does not read unchanged files again", async () => {
      const { import: load } = await suite.open();
      await load([{ file: "a", content: "one" }]);
      // The file does not exist.
      expect(await load([{ file: "a" }])).toMatchObject({ unchanged: 1, problems: [] });
      expect(await load([{ file: "a" }], { update: true })).toMatchObject({ rejected: 1 });
    });

    test("restores a file that the blob store has lost", async () => {
      const { import: load, api } = await suite.open();
      const content = randomBytes(20);
      const files = [{ file: "a", content }];
      await load(files);
      await api.blobs.delete(sha256(content));
      expect(await load(files)).toMatchObject({ unchanged: 1 });
      expect(await api.blobs.bytes(sha256(content))).toBe(20);
    });

    test("takes the name and the kind from the file if the line has neither", async () => {
      const { have, list } = await suite.open();
      await have(
        { file: "deep/er/tool.TAR.gz", content: "1" },
        { file: "v1.2.3", content: "2" },
        { file: "x", content: "3", file_name: "named.zip", file_type: "archive" },
      );
      const named = (await list()).map(({ file_name, file_type }) => [file_name, file_type]);
      expect(named).toEqual([
        ["named.zip", "archive"],
        ["tool.TAR.gz", "tar.gz"],
        ["v1.2.3", undefined],
      ]);
    });

    test("reports the line of each invalid file, and imports the others", async () => {
      const { import: load, names } = await suite.open();
      const outcome = await load([
        { file: "good", content: "good" },
        { file: "missing" },
        { file: "." },
        { file: "../../../../../../etc/passwd" },
        { file: "/etc/passwd" },
        { file: "good/below" },
        { file: "wrong", content: "wrong", file_hash: "0".repeat(64) },
        { file: "right", content: "right", file_hash: sha256("right") },
        { file: "x", content: "x", colour: "red" },
        { file: "y", content: "y", category: 5 },
      ]);
      expect(outcome).toMatchObject({ imported: 2, rejected: 8 });
      expect(outcome.problems.map(({ line, message }) => `${line}: ${message}`)).toEqual([
        "2: file: missing: there is no such file",
        "3: file: .: is no file",
        "4: file: ../../../../../../etc/passwd: lies outside the folder",
        "5: file: /etc/passwd: lies outside the folder",
        "6: file: good/below: there is no such file",
        `7: file_hash: wrong has ${sha256("wrong")}, which does not match file_hash`,
        expect.stringMatching(/^9: colour: /),
        expect.stringMatching(/^10: category: /),
      ]);
      expect(await names()).toEqual(["good 1.0.0", "right 1.0.0"]);
    });

    testWith("symbolic links")("follows links inside the folder, but not outside", async () => {
      const { api, tenant } = await suite.open();
      const folder = newFolder();
      const lines = writeFiles(folder, [{ file: "real", content: "real" }]);
      symlinkSync("real", join(folder, "inside"));
      symlinkSync("/etc/passwd", join(folder, "outside"));
      symlinkSync("loop", join(folder, "loop"));
      const more = ["inside", "outside", "loop"].map((file) => ({ file }));
      const outcome = await importRecords(api.store, {
        cid: tenant.cid,
        kind: "downloads",
        clock: api.clock,
        lines: [...lines, ...writeFiles(folder, more)],
        files: filesBelow(folder, api.blobs),
      });
      expect(outcome.imported).toBe(2);
      expect(outcome.problems.map(({ message }) => message)).toEqual([
        "file: outside: lies outside the folder",
        "file: loop: a link that leads back to itself",
      ]);
    });

    test("is recorded in the tenant's audit trail", async () => {
      const { have, api, tenant } = await suite.open();
      await have({ file: "a", content: "one" });
      const entries = await api.store.directory.auditEntries({ cid: tenant.cid, limit: 1 });
      expect(entries[0]).toMatchObject({ actor: "cli", operation: "import downloads" });
    });
  });

  test(
    "kill -9 during an import leaves no partial file, and the import can be repeated",
    { tags: ["exhaustive"] },
    async () => {
      const url = await engine.url();
      const clock = new ManualClock();
      const store = await openStoreAt({ url, clock, resources });
      const tenant = describeTenant(clock, "files");
      const { cid } = tenant;
      await createBareTenant(store, tenant);
      const folder = newFolder();
      const count = 12;
      const whole = 4;
      const files = Array.from({ length: count }, (_, index) => ({
        file: `f${index}`,
        // The process is killed after the first megabyte of one.
        content: Buffer.alloc(index === whole ? 4_000_000 : 200_000, `${index} `),
      }));
      const lines = writeFiles(folder, files);
      writeFileSync(join(folder, "manifest.ndjson"), lines.join("\n"));
      const blobsFolder = join(newFolder(), "blobs");
      const blobs = new LocalBlobs(blobsFolder);
      const child = spawn(
        process.execPath,
        await programArguments("import-downloads", url, cid, folder, blobsFolder, String(whole)),
        { stdio: ["ignore", "pipe", "inherit"] },
      );
      const printed: string[] = [];
      for await (const line of createInterface({ input: child.stdout })) {
        printed.push(line);
        child.kill("SIGKILL");
      }
      expect(printed).toEqual([String(whole)]);
      expect(readdirSync(join(blobsFolder, "incoming"))).toHaveLength(1);
      const listed: string[] = [];
      for await (const { sha256: hash } of blobs.list()) {
        const digest = createHash("sha256");
        await pipeline(await blobs.open(hash), digest);
        expect(digest.digest("hex")).toBe(hash);
        listed.push(hash);
      }
      const records = store.records(downloads, { cid });
      for await (const part of records.scanComplete(everything, clock.now())) {
        for (const { file_hash } of part) expect(listed).toContain(file_hash);
      }
      const storedCount = await records.count(everything, clock.now());
      expect(storedCount).toBe(whole);
      const again = await importRecords(store, {
        cid,
        kind: "downloads",
        clock,
        lines,
        files: filesBelow(folder, blobs),
      });
      expect(again).toMatchObject({
        imported: count - storedCount,
        unchanged: storedCount,
        problems: [],
      });
      await blobs.clear(new Date("2100-01-01"));
      expect(readdirSync(join(blobsFolder, "incoming"))).toEqual([]);
      await store.close();
    },
  );

  test(
    "64 MB are imported and downloaded with constant memory",
    { tags: ["exhaustive"] },
    async () => {
      const session = await openSession(await startTestApi({ databaseUrl: await engine.url() }));
      const megabyte = 1024 * 1024;
      const megabytes = 64;
      const piece = randomBytes(megabyte);
      const digest = createHash("sha256");
      const folder = newFolder();
      const path = join(folder, "large");
      const content = function* () {
        for (let index = 0; index < megabytes; index += 1) {
          piece.writeUInt32BE(index);
          digest.update(piece);
          yield Buffer.from(piece);
        }
      };
      await pipeline(Readable.from(content()), createWriteStream(path));
      const hash = digest.digest("hex");
      const { api, tenant, address, list } = session;
      const held = watchMemory(32 * megabyte);
      const outcome = await importRecords(api.store, {
        cid: tenant.cid,
        kind: "downloads",
        clock: api.clock,
        lines: writeFiles(folder, [{ file: "large" }]),
        files: filesBelow(folder, api.blobs),
      });
      expect(outcome.imported).toBe(1);
      expect(await list()).toMatchObject([{ file_hash: hash, size: megabytes * megabyte }]);
      const received = createHash("sha256");
      const response = await fetch(await address());
      for await (const chunk of response.body ?? []) received.update(chunk as Uint8Array);
      expect(received.digest("hex")).toBe(hash);
      expect(held.most() / megabyte).toBeLessThan(48);
    },
  );
});

/**
 * Increase of memory outside the heap, where contents of files are. Another thread frees collected
 * memory later, so the minimum of a few consecutive readings is used.
 */
function watchMemory(collectFrom: number) {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as (options?: { type: "minor" | "major" }) => void;
  const used = () => process.memoryUsage().arrayBuffers;
  collect();
  const start = used();
  const lately: number[] = [];
  let most = 0;
  let wasMuch = false;
  const look = () => {
    const isMuch = used() - start > collectFrom;
    // A full garbage collection is slow; collecting young objects is usually enough.
    if (isMuch) collect({ type: wasMuch ? "major" : "minor" });
    wasMuch = isMuch;
    lately.push(used() - start);
    if (lately.length > 4) lately.shift();
    most = Math.max(most, Math.min(...lately));
  };
  const timer = setInterval(look, 20);
  return {
    most: () => {
      clearInterval(timer);
      return most;
    },
  };
}
