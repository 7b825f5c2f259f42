/** @module-tag exhaustive */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { serve } from "@security-platform/server";
import { expect } from "vitest";
import { secplatArguments } from "../../../testing/secplat.ts";
import { testWith } from "../../../testing/platform.ts";
import { temporaryFolder } from "../src/testing/temporary-folder.ts";
import { start } from "./support/process.ts";

/** Runs `secplat` in a terminal; what it shows is the standard output. */
function startInTerminal(words: readonly string[], folder: string) {
  const command = [process.execPath, ...secplatArguments, ...words].join(" ");
  return start([], {
    folder,
    environment: { SECPLAT_PROFILES: join(folder, "profiles.json") },
    program: ["script", "--quiet", "--return", "--command", command, "/dev/null"],
  });
}

testWith("terminals")("a terminal does not show the secret that is typed", async () => {
  const folder = temporaryFolder();
  const platform = await serve();
  try {
    const { clientId, clientSecret } = await platform.newCredentials();
    const words = ["login", "--url", platform.url];
    const running = startInTerminal(words, folder);
    await running.until("stdout", /Client id: /);
    running.child.stdin?.write(`${clientId}\r`);
    await running.until("stdout", /Client secret \(not shown\): /);
    // Ctrl-H deletes a character that was typed by mistake.
    running.child.stdin?.write(`${clientSecret}x\b\r`);
    const { exitCode, stdout } = await running.ended;
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining(`client id  ${clientId}`)]);
    expect(stdout).not.toContain(clientSecret.slice(0, 8));
    const stored = readFileSync(join(folder, "profiles.json"), "utf8");
    expect(JSON.parse(stored)).toMatchObject({ default: { client_secret: clientSecret } });
  } finally {
    await platform.close();
  }
});

testWith("terminals")("Ctrl-C at a question ends the command", async () => {
  const words = ["login", "--url", "http://127.0.0.1:1", "--client-id", "id"];
  const running = startInTerminal(words, temporaryFolder());
  await running.until("stdout", /not shown/);
  running.child.stdin?.write("\u0003");
  expect((await running.ended).exitCode).toBe(130);
});
