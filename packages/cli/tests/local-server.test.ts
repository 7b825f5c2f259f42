/** @module-tag exhaustive */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandLine } from "../src/testing/command-line.ts";
import { demoFolder } from "../src/testing/prepared-folder.ts";
import { temporaryFolder } from "../src/testing/temporary-folder.ts";
import { secplat } from "./support/process.ts";
import { serve } from "./support/server.ts";

/** The list of exports of the demo. */
const oneExport = expect.stringMatching(/^\[\{"id":"a37d5e91-[^\n]*\}\]\n$/);

test.each([[[]], [["--workers=2"]]])(
  "commands find a server with %j on this machine, while it runs",
  async (words) => {
    const { folder } = await demoFolder();
    const server = await serve(words, { folder });
    const list = await commandLine({ folder })(["exports", "list", "--json"]);
    expect(list).toMatchObject({ exitCode: 0, stdout: oneExport, stderr: "" });
    await server.stop();
    expect(existsSync(join(folder, ".data/server.json"))).toBe(false);
  },
);

test("commands trust the certificate that a server made for itself", async () => {
  const { folder } = await demoFolder();
  const server = await serve(["--tls"], { folder });
  expect(server.greeting.url).toMatch(/^https:/);
  // In a process of its own, because the trust is that of the process.
  const list = await secplat(["exports", "list", "--json"], { folder });
  expect(list).toMatchObject({ exitCode: 0, stdout: oneExport, stderr: "" });
  const elsewhere = await secplat(["exports", "list", "--url", server.greeting.url], { folder });
  expect(elsewhere.exitCode).toBe(1);
});

test(
  "a profile keeps the certificate of its server, also for other folders",
  { tags: ["nightly"] },
  async () => {
    const { folder } = await demoFolder();
    const { greeting } = await serve(["--tls"], { folder });
    const environment = { SECPLAT_PROFILES: join(folder, "profiles.json") };
    const login = ["login", "--client-id", greeting.client_id ?? "", "--secret-stdin"];
    const url = `${greeting.url}/`;
    const input = `${greeting.client_secret}\n`;
    expect(await secplat([...login, "--url", url], { folder, environment, input })).toMatchObject({
      exitCode: 0,
    });
    const elsewhere = { folder: temporaryFolder(), environment };
    const list = await secplat(["exports", "list", "--json"], elsewhere);
    expect(list).toMatchObject({ exitCode: 0, stdout: oneExport, stderr: "" });
    const checked = await secplat(["doctor", "--json"], elsewhere);
    const { checks } = JSON.parse(checked.stdout) as { checks: readonly object[] };
    expect(checks).toContainEqual(expect.objectContaining({ name: "server", status: "ok" }));
  },
);
