/**
 * @module-tag exhaustive
 * @module-tag nightly
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { demoFolder } from "../src/testing/prepared-folder.ts";
import { secplat } from "./support/process.ts";
import { serve, signIn } from "./support/server.ts";
import { limitedFiles } from "./support/storage.ts";
import { skipWithout } from "../../../testing/platform.ts";

skipWithout("ulimit");

// Without jobs, the token of the greeting is the first that a start writes. By then it listens.
test.each([1, 2])(
  "a start that fails after it listens stops at once (%i processes)",
  async (workers) => {
    const { folder } = await demoFolder();
    const server = await serve(["--no-jobs"], { folder });
    for (let count = 0; count < 10; count += 1) {
      expect((await signIn(server, server.greeting)).status).toBe(201);
    }
    await server.stop("SIGKILL");
    const log = statSync(join(folder, ".data", "platform.sqlite-wal")).size;
    const { under } = limitedFiles(folder, Math.floor(log / 1024));
    const words = ["serve", "--port", "0", "--no-jobs", "--workers", String(workers)];
    const failed = await secplat(words, { folder, under });
    expect(failed).toMatchObject({ exitCode: 1, stdout: "" });
    expect(failed.stderr).toMatch(
      /^secplat: database .+is full; nothing of the last change was kept\n$/,
    );
  },
);
