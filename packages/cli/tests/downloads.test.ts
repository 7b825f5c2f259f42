/** @module-tag exhaustive */
import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished } from "vitest";
import { testWith } from "../../../testing/platform.ts";
import { temporaryFolder } from "../src/testing/temporary-folder.ts";
import { secplat, start } from "./support/process.ts";
import { limitedFiles, smallFileSystem } from "./support/storage.ts";

const kibibytes = 64;
const id = "019cada2-267b-7c41-9b1e-6f0a2d8c4e57";

/** A server whose only file is larger than the disk, or never ends. */
async function fileServer({ ends }: { readonly ends: boolean }): Promise<Record<string, string>> {
  const server = createServer(({ url }, response) => {
    if (url?.startsWith("/oauth2/") === true) {
      const token = { access_token: "t", token_type: "bearer", expires_in: 1_800 };
      response.writeHead(201, { "content-type": "application/json" }).end(JSON.stringify(token));
    } else {
      response.writeHead(200, { "content-type": "text/csv" });
      response.write("x".repeat(kibibytes * 4_096));
      if (ends) response.end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    SECPLAT_URL: `http://127.0.0.1:${port}`,
    SECPLAT_CLIENT_ID: "id",
    SECPLAT_CLIENT_SECRET: "secret",
    // The cache of compiled code would also be cut off.
    NODE_DISABLE_COMPILE_CACHE: "1",
  };
}

testWith("ulimit")("a full disk ends a download with an error, and without a file", async () => {
  const parent = temporaryFolder();
  const { under, folder } = smallFileSystem(parent, kibibytes) ?? limitedFiles(parent, kibibytes);
  const words = ["container", "download-export", "--id", id, "--save", "export.csv"];
  const environment = await fileServer({ ends: true });
  const { exitCode, stdout, stderr } = await secplat(words, { folder, under, environment });
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  expect(stderr).toMatch(
    /^secplat: cannot write .*export\.csv: (ENOSPC, the disk is full|EFBIG)\n$/,
  );
  expect(readdirSync(folder)).toEqual([]);
});

testWith("signals")("Ctrl-C ends a download without a file", async () => {
  const folder = temporaryFolder();
  const environment = await fileServer({ ends: false });
  const words = ["container", "download-export", "--id", id, "--save", "export.csv"];
  const running = start(words, { folder, environment });
  await expect.poll(() => readdirSync(folder)).not.toEqual([]);
  running.child.kill("SIGINT");
  expect(await running.ended).toMatchObject({ exitCode: 130, stdout: "", stderr: "" });
  expect(readdirSync(folder)).toEqual([]);
});

testWith("signals")("Ctrl-C ends a response that goes to standard output", async () => {
  const environment = await fileServer({ ends: false });
  const running = start(["api", "GET", "/file"], { folder: temporaryFolder(), environment });
  await running.until("stdout", /x{1000}/);
  running.child.kill("SIGINT");
  const { exitCode, stderr } = await running.ended;
  expect({ exitCode, stderr }).toEqual({ exitCode: 130, stderr: "" });
});
