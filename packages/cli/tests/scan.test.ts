/** @module-tag exhaustive */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandLine } from "../src/testing/command-line.ts";
import { ociLayout, writeArchive, type TarFile } from "../../../testing/image.ts";
import { demoFolder } from "../src/testing/prepared-folder.ts";
import { serve } from "./support/server.ts";
import { policy } from "./support/scan-policy.ts";

const password = "7hUx92mQpZ";
const openssh = (version: string): TarFile => ({
  path: "var/lib/dpkg/status",
  content: `Package: openssh-server\nStatus: install ok installed\nSource: openssh\nVersion: ${version}\n`,
});
const files = (version: string): readonly TarFile[] => [
  { path: "etc/os-release", content: 'ID=debian\nVERSION_ID="12"\n' },
  openssh(version),
  { path: "app/node_modules/ws/package.json", content: '{"name":"ws","version":"8.17.1"}' },
  { path: "app/.env", content: `DB_PASSWORD=${password}\n` },
];

test("an image is read locally and evaluated by the server, and its secrets are not sent", async () => {
  const { folder } = await demoFolder();
  const server = await serve(["--rate-limit", "0", "--token-rate-limit", "0"], { folder });
  const secplat = commandLine({ folder });
  const url = ["--url", server.greeting.url];
  const image = (name: string, version: string): void => {
    const layout = ociLayout({ layers: [files(version)], name: `registry.test:5000/${name}:1.0` });
    writeArchive(join(folder, `${name}.tar`), layout);
  };
  image("old", "1:9.2p1-2+deb12u2");
  image("new", "1:9.2p1-2+deb12u3");

  const table = await secplat(["scan", "old.tar", ...url]);
  expect(table).toMatchObject({ exitCode: 0, stderr: "" });
  expect(table.stdout.replace(/scan [0-9a-f-]{36}/, "scan <uuid>")).toBe(
    [
      "SEVERITY  PACKAGE         INSTALLED          FIXED IN           ID",
      "high      openssh-server  1:9.2p1-2+deb12u2  1:9.2p1-2+deb12u3  CVE-2024-6387",
      "",
      "SEVERITY  TYPE    CHECK            FINDING                           LINE",
      "high      secret  assigned-secret  Secret in app/.env (DB_PASSWORD)  1",
      "",
      "registry.test:5000/old:1.0 (debian 12): 1 package, 1 library, 1 vulnerability, 1 other finding",
      "scan <uuid>",
      "",
    ].join("\n"),
  );

  const json = await secplat.json<Record<string, object[]>>(["scan", "old.tar", ...url]);
  expect(json).toMatchObject({
    ImageInfo: { Registry: "registry.test:5000", Repository: "old", Tag: "1.0" },
    OSInfo: { Name: "debian", Version: "12", LayerIndex: 0 },
    Packages: [{ Product: "openssh-server", PackageSource: "openssh 1:9.2p1-2+deb12u2" }],
  });
  expect(JSON.stringify(json)).not.toContain(password);
  expect(
    (await secplat(["scan", "old.tar", "--format", "sarif", "--output", "a.sarif", ...url])).stdout,
  ).toBe("");
  expect(JSON.parse(readFileSync(join(folder, "a.sarif"), "utf8"))).toMatchObject({
    version: "2.1.0",
  });
  const bom = await secplat(["scan", "old.tar", "--format", "cyclonedx", ...url]);
  expect(JSON.parse(bom.stdout)).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6" });

  expect((await secplat(["scan", "old.tar", "--policy", ...url])).exitCode).toBe(0);
  writeFileSync(join(folder, "policy.ndjson"), JSON.stringify(policy));
  expect((await secplat(["import", "image-policies", "policy.ndjson"])).exitCode).toBe(0);
  const denied = await secplat(["scan", "old.tar", "--policy", ...url]);
  expect(denied.exitCode).toBe(1);
  expect(denied.stdout).toContain("CVE-2024-6387");
  expect(denied.stderr).toBe(
    "policy No known holes denies the image: severity at_least high and fix_available any_of true\n" +
      "  CVE-2024-6387\n" +
      "secplat: a policy denies registry.test:5000/old:1.0\n",
  );
  expect((await secplat(["scan", "old.tar", ...url])).exitCode).toBe(0);
  expect(await secplat(["scan", "new.tar", "--policy", ...url])).toMatchObject({
    exitCode: 0,
    stderr: "policy No known holes: allow\n",
  });

  const stranger = commandLine({
    folder,
    environment: { SECPLAT_CLIENT_SECRET: "x".repeat(40) },
  });
  const id = server.greeting.client_id ?? "";
  const refused = await stranger(["scan", "old.tar", "--client-id", id, ...url]);
  expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
  expect(refused.stderr).toMatch(/^secplat: cannot scan the image: .*/);
});

test("a failed scan exits with 2 and a reason", async () => {
  const secplat = commandLine({ environment: { SECPLAT_CLIENT_SECRET: "b".repeat(40) } });
  const scan = async (file: string, words: readonly string[] = []): Promise<string> => {
    const { exitCode, stdout, stderr } = await secplat(["scan", file, ...words]);
    expect([exitCode, stdout]).toEqual([2, ""]);
    return stderr.replace(/^secplat: (cannot scan the image: )?/, "");
  };
  writeArchive(join(secplat.folder, "a.tar"), ociLayout({ layers: [files("1")] }));
  writeFileSync(join(secplat.folder, "b.tar"), "no archive");
  const client = ["--client-id", "a".repeat(32), "--url", "http://127.0.0.1:1"];
  expect(await scan("missing.tar")).toBe("there is no missing.tar\n");
  expect(await scan("a.tar")).toMatch(/^there are no credentials; set SECPLAT_CLIENT_ID/);
  expect(await scan("b.tar", client)).toMatch(/not a readable tar archive/);
  expect(await scan("a.tar", client)).toMatch(/received no response/);
  expect(await scan("a.tar", [...client, "--url", "nowhere"])).toMatch(
    /not an absolute URL: nowhere/,
  );
  expect(await scan("a.tar", ["--format", "xml"])).toMatch(/table, json, sarif, cyclonedx/);
  const silent = commandLine({ folder: secplat.folder });
  expect((await silent(["scan", "a.tar", ...client])).stderr).toMatch(/set SECPLAT_CLIENT_SECRET/);
});
