/**
 * @module-tag exhaustive
 * @module-tag nightly
 */
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createClient } from "@security-platform/client";
import { expect, onTestFinished, test } from "vitest";
import { saveFile } from "../src/calls/transfer.ts";
import { commandLine } from "../src/testing/command-line.ts";
import { filledFolder } from "./support/filled-folder.ts";
import { expectNothingOpen } from "../../../testing/open-resources.ts";
import { skipWithout } from "../../../testing/platform.ts";

skipWithout("/proc");

/** Fewer than usual: each opens a database or a connection. */
const times = 60;

test("commands that fail", async () => {
  const { folder } = await filledFolder();
  const secplat = commandLine({ folder });
  writeFileSync(join(folder, "broken.zip"), "PK\u0003\u0004".padEnd(500, "x"));
  writeFileSync(join(folder, "large.ndjson"), "x".repeat(5_000_000));
  writeFileSync(join(folder, "a.csv"), "a,b\n".repeat(10_000));
  const lines: readonly (readonly string[])[] = [
    ["import", "hosts", "broken.zip"],
    ["import", "hosts", "large.ndjson"],
    ["cases", "files", "add", "CSE-404", "a.csv"],
    ["cases", "files", "add", "CSE-404", "none.csv"],
  ];
  await expectNothingOpen(
    async (index) => {
      const { exitCode } = await secplat(lines[index % lines.length] ?? []);
      expect(exitCode).not.toBe(0);
    },
    { times },
  );
});

test("an export whose download breaks", async () => {
  const server = createServer(({ method }, response) => {
    if (method === "POST") {
      const token = { access_token: "t", token_type: "bearer", expires_in: 1_800 };
      response.writeHead(201, { "content-type": "application/json" }).end(JSON.stringify(token));
      return;
    }
    response.writeHead(206, {
      "content-type": "text/csv",
      "content-length": "10",
      "content-range": "bytes 0-9/100",
    });
    response.write("half", () => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  const { port } = server.address() as AddressInfo;
  const client = createClient({
    baseUrl: `http://127.0.0.1:${port}`,
    clientId: "id",
    clientSecret: "secret",
  });
  const { folder } = commandLine();
  const context = {
    workingFolder: folder,
    stderr: { write: () => true },
    interruption: () => new AbortController().signal,
  };
  await expectNothingOpen(
    async (index) => {
      const saved = saveFile(
        (transfer) => client.container.downloadExport({ id: "x" }, { ...transfer, retries: 0 }),
        `${index}.csv`,
        context,
      );
      await expect(saved).rejects.toThrow();
    },
    { folders: [folder], times },
  );
});
