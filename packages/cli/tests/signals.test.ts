/** @module-tag exhaustive */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import { expect } from "vitest";
import { demoFolder } from "../src/testing/prepared-folder.ts";
import { serve } from "./support/server.ts";
import { start } from "./support/process.ts";
import { testWith } from "../../../testing/platform.ts";

testWith("signals")(
  "--drain-delay keeps a server for its clients, but not for new ones",
  async () => {
    const server = await serve(["--no-demo", "--drain-delay", "3600"], await demoFolder());
    const ready = () => server.request("/readyz", { token: null });
    expect((await ready()).status).toBe(200);
    server.child.kill("SIGTERM");
    let answer = await ready();
    while (answer.status === 200) answer = await ready();
    expect([answer.status, answer.headers.get("connection")]).toEqual([503, "close"]);
    expect((await server.request("/healthz", { token: null })).status).toBe(200);
    expect(server.child.exitCode).toBeNull();
    // Two signals in quick succession count as one.
    while (server.child.exitCode === null) {
      server.child.kill("SIGTERM");
      await ready().catch(() => undefined);
    }
    expect((await server.ended).exitCode).toBe(143);
  },
);

testWith("signals")("ends with 0 after --drain-delay", async () => {
  const server = await serve(["--no-demo", "--drain-delay", "1"], await demoFolder());
  expect(await server.stop()).toMatchObject({ exitCode: 0, stderr: "" });
});

testWith("signals")("SIGHUP reads the certificate again", () => renewCertificate(1));

testWith("signals")("SIGHUP reads the certificate again in each worker", () => renewCertificate(2));

async function renewCertificate(workers: number): Promise<void> {
  const { folder } = await demoFolder();
  const words = ["--no-demo", "--port=0", "--tls", `--workers=${workers}`, "--log-level=info"];
  const server = start(["serve", ...words], { folder });
  const [, port = ""] = await server.until("stdout", /https:\/\/127\.0\.0\.1:(\d+)/);
  await server.until("stdout", /Ctrl-C/);
  const certificates = async () => {
    const each = Array.from({ length: 2 * workers }, () => certificateAt(Number(port), folder));
    return [...new Set(await Promise.all(each))];
  };
  const before = await certificates();
  expect(before).toHaveLength(1);
  // A missing one is made.
  for (const name of ["tls-cert.pem", "tls-key.pem"]) rmSync(join(folder, ".data", name));
  server.child.kill("SIGHUP");
  const line = "the certificate was read again";
  await server.until("stderr", new RegExp(`(${line}[^]*){${workers}}`));
  const after = await certificates();
  expect(after).not.toContain(before[0]);
  server.child.kill("SIGTERM");
  expect((await server.ended).exitCode).toBe(0);
}

function certificateAt(port: number, folder: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const ca = readFileSync(join(folder, ".data", "tls-ca.pem"));
    const socket = connect({ port, host: "127.0.0.1", ca }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.end();
    });
    socket.once("error", reject);
  });
}
