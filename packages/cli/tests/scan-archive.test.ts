/** `secplat scan` of a small image, whose inventory a server compares with its advisories. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ociLayout, writeArchive } from "../../../testing/image.ts";
import { startLiveServer, type LiveServer } from "../../client/tests/support/live-server.ts";
import { commandLine, type CommandLine } from "../src/testing/command-line.ts";
import { policy } from "./support/scan-policy.ts";

let server: LiveServer;
let finish: () => Promise<void>;

beforeAll(async () => {
  server = await startLiveServer({}, {}, (cleanUp) => (finish = cleanUp));
});
afterAll(() => finish());

const password = "7hUx92mQpZ";
const advisory = {
  id: "GHSA-3h5v-q93c-6h6q",
  modified: "2026-03-01T00:00:00Z",
  aliases: ["CVE-2024-37890"],
  summary: "Denial of service by many headers",
  affected: [
    {
      package: { ecosystem: "npm", name: "ws" },
      ranges: [{ type: "SEMVER", events: [{ introduced: "8.0.0" }, { fixed: "8.17.1" }] }],
    },
  ],
  database_specific: { severity: "HIGH" },
};

/** The command line of a new tenant, with an archive of an image that has this version of a library. */
async function newScan(version: string): Promise<CommandLine> {
  const tenant = await server.newTenant();
  await server.importRecords(tenant, "osv", [advisory]);
  await server.importRecords(tenant, "image-policies", [policy]);
  const { baseUrl, clientId, clientSecret } = await server.newCredentials({ tenant });
  const run = commandLine({
    environment: {
      SECPLAT_URL: baseUrl,
      SECPLAT_CLIENT_ID: clientId,
      SECPLAT_CLIENT_SECRET: clientSecret,
    },
  });
  const layer = [
    { path: "etc/os-release", content: 'ID=debian\nVERSION_ID="12"\n' },
    {
      path: "app/node_modules/ws/package.json",
      content: JSON.stringify({ name: "ws", version }),
    },
    { path: "app/.env", content: `DB_PASSWORD=${password}\n` },
  ];
  const layout = ociLayout({ layers: [layer], name: "registry.test:5000/shop:1.0" });
  writeArchive(join(run.folder, "shop.tar"), layout);
  return run;
}

test("a vulnerable library and a secret are reported, and the secret is not sent", async () => {
  const run = await newScan("8.17.0");
  const table = await run(["scan", "shop.tar"]);
  expect(table).toMatchObject({ exitCode: 0, stderr: "" });
  expect(table.stdout).toMatch(/^high +ws +8\.17\.0 +8\.17\.1 +CVE-2024-37890$/m);
  expect(table.stdout).toContain("Secret in app/.env (DB_PASSWORD)");
  expect(table.stdout).toContain("registry.test:5000/shop:1.0 (debian 12): ");
  const report = await run.json<object>(["scan", "shop.tar"]);
  expect(report).toMatchObject({
    ImageInfo: { Registry: "registry.test:5000", Repository: "shop", Tag: "1.0" },
  });
  expect(JSON.stringify(report)).toContain("DB_PASSWORD");
  expect(JSON.stringify(report)).not.toContain(password);
});

test("--format and --output write a report to a file", async () => {
  const run = await newScan("8.17.0");
  const words = ["scan", "shop.tar", "--format", "sarif", "--output", "shop.sarif"];
  expect(await run(words)).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  const sarif = readFileSync(join(run.folder, "shop.sarif"), "utf8");
  expect(JSON.parse(sarif)).toMatchObject({ version: "2.1.0" });
  expect(sarif).toContain("CVE-2024-37890");
});

test("--policy fails if a policy denies the image, and only then", async () => {
  const denied = await newScan("8.17.0");
  expect(await denied(["scan", "shop.tar", "--policy"])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("secplat: a policy denies registry.test:5000/shop:1.0\n"),
  });
  expect(await denied(["scan", "shop.tar"])).toMatchObject({ exitCode: 0, stderr: "" });
  const allowed = await newScan("8.17.1");
  expect(await allowed(["scan", "shop.tar", "--policy"])).toMatchObject({
    exitCode: 0,
    stderr: "policy No known holes: allow\n",
  });
});

test.each([
  ["missing.tar", [], "there is no missing.tar"],
  ["text.tar", [], "not a readable tar archive"],
  ["shop.tar", ["--url", "nowhere"], "not an absolute URL: nowhere"],
  ["shop.tar", ["--format", "xml"], "table, json, sarif, cyclonedx"],
  ["shop.tar", ["--image", "other:1"], "other:1"],
])("a scan of %s %j exits with 2 and the reason", async (file, words, reason) => {
  const run = await newScan("8.17.1");
  writeFileSync(join(run.folder, "text.tar"), "no archive");
  const { exitCode, stdout, stderr } = await run(["scan", file, ...words]);
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(reason);
});
