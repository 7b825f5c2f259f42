/** @module-tag exhaustive */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { secplatArguments } from "../../../testing/secplat.ts";
import { testWith } from "../../../testing/platform.ts";
import { commandLine } from "../src/testing/command-line.ts";
import { temporaryFolder } from "../src/testing/temporary-folder.ts";
import { secplat, start } from "./support/process.ts";

const nightly = { tags: ["nightly"] };

/** What the program reports of its context. */
interface Report {
  readonly environment: Readonly<Record<string, string>>;
  readonly tokenStatus: number;
  readonly indicators: unknown;
}

/** A program that signs in with its variables, reads indicators, and prints what it has found. */
const report = `
  const environment = process.env;
  const base = environment.FALCON_BASE_URL;
  const form = new URLSearchParams({
    client_id: environment.FALCON_CLIENT_ID,
    client_secret: environment.FALCON_CLIENT_SECRET,
  });
  const granted = await fetch(base + "/oauth2/token", { method: "POST", body: form });
  const { access_token } = await granted.json();
  const answer = await fetch(environment.SECPLAT_URL + "/iocs/combined/indicator/v1?limit=1", {
    headers: { authorization: "Bearer " + access_token },
  });
  const indicators = await answer.json();
  console.log(JSON.stringify({ environment, tokenStatus: granted.status, indicators }));`;

const program = (code: string): readonly string[] => [
  "--",
  process.execPath,
  "--input-type=module",
  "--eval",
  code,
];

const exec = (options: readonly string[], code: string, environment = {}) =>
  secplat(["exec", ...options, ...program(code)], { folder: temporaryFolder(), environment });

test("gives the program a server of its own, and the variables that clients read", async () => {
  const outcome = await exec([], report, {
    // Those of another server, which must not be used.
    SECPLAT_URL: "https://production.example",
    SECPLAT_CLIENT_ID: "production",
    SECPLAT_DATABASE: "postgres://production.example/platform",
    SECPLAT_PROFILE: "production",
    FALCON_MEMBER_CID: "production",
    NO_PROXY: "intranet.example",
    OTHER: "kept",
  });
  expect([outcome.exitCode, outcome.stderr]).toEqual([0, ""]);
  const { environment, tokenStatus, indicators } = JSON.parse(outcome.stdout) as Report;
  expect([tokenStatus, indicators]).toEqual([201, []]);
  const {
    SECPLAT_URL: url = "",
    SECPLAT_CLIENT_ID: id,
    SECPLAT_CLIENT_SECRET: secret,
  } = environment;
  expect(environment).toMatchObject({
    FALCON_BASE_URL: url,
    FALCON_CLIENT_ID: id,
    FALCON_CLIENT_SECRET: secret,
    FALCON_CLOUD: "us-1",
    HOST_OVERRIDE: url.replace("http://", ""),
    NO_PROXY: "intranet.example,127.0.0.1,localhost",
    OTHER: "kept",
  });
  expect(JSON.stringify(environment)).not.toContain("production");
  expect(existsSync(environment["SECPLAT_DATA"] ?? "")).toBe(false);
});

test("--compat, --seed and --keep", nightly, async () => {
  const options = ["--compat", "--seed", "small", "--keep"];
  const { exitCode, stdout, stderr } = await exec(options, report, {
    npm_lifecycle_event: "",
    npm_package_name: "",
  });
  expect(exitCode).toBe(0);
  const { environment, indicators } = JSON.parse(stdout) as Report;
  const { SECPLAT_DATA: folder = "", SECPLAT_CLIENT_SECRET: secret = "-" } = environment;
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(indicators).toMatchObject({ resources: [{}], meta: { pagination: { limit: 1 } } });
  expect(stderr).toBe(
    `secplat: kept ${folder}; continue with: secplat serve --data ${folder} --compat\n`,
  );
  expect(stderr).not.toContain(secret);
  const listed = await secplat(["clients", "list", "--json", "--data", folder], { folder });
  expect(JSON.parse(listed.stdout)).toContainEqual(
    expect.objectContaining({ client_id: environment["SECPLAT_CLIENT_ID"] }),
  );
});

test(
  "--tls serves https that the program trusts, beside what the user trusts",
  nightly,
  async () => {
    const folder = temporaryFolder();
    const company = join(folder, "company.pem");
    writeFileSync(company, "-----BEGIN CERTIFICATE-----\ncompany\n-----END CERTIFICATE-----\n");
    const code = `${report}
    const { readFileSync } = await import("node:fs");
    const { X509Certificate } = await import("node:crypto");
    const bundle = readFileSync(environment.SSL_CERT_FILE, "utf8");
    const blocks = bundle.match(/-----BEGIN[^]+?END CERTIFICATE-----/g);
    const subjects = blocks.flatMap((block) => {
      try {
        return [new X509Certificate(block).subject];
      } catch {
        return [];
      }
    });
    console.error(JSON.stringify({ blocks: blocks.length, unique: new Set(blocks).size, subjects, bundle }));`;
    const { exitCode, stdout, stderr } = await exec(["--tls"], code, { SSL_CERT_FILE: company });
    expect([exitCode, stderr.split("\n").length]).toEqual([0, 2]);
    const { environment, tokenStatus } = JSON.parse(stdout) as Report;
    expect(environment["SECPLAT_URL"]).toMatch(/^https:/);
    expect(tokenStatus).toBe(201);
    const { SSL_CERT_FILE: file, REQUESTS_CA_BUNDLE: requests } = environment;
    expect(requests).toBe(file);
    const trusted = JSON.parse(stderr) as {
      readonly blocks: number;
      readonly unique: number;
      readonly subjects: readonly string[];
      readonly bundle: string;
    };
    expect(trusted.subjects).toContain("CN=Security Platform API");
    expect(trusted.subjects.length).toBeGreaterThan(10);
    expect(trusted.blocks).toBe(trusted.unique);
    expect(trusted.bundle).toContain(readFileSync(company, "utf8").trim());
  },
);

test("commands that the program runs use its database", async () => {
  const inner = [process.execPath, ...secplatArguments, "tenants", "list", "--json"];
  const { exitCode, stdout, stderr } = await secplat(["exec", "--", ...inner], {
    folder: temporaryFolder(),
  });
  expect([exitCode, stderr]).toEqual([0, ""]);
  expect(JSON.parse(stdout)).toMatchObject([{ parent_cid: null }]);
});

test("passes the exit code on, and deletes the database", async () => {
  const { exitCode, stdout } = await exec(
    [],
    "process.stdout.write(process.env.SECPLAT_DATA); process.exitCode = 42;",
  );
  expect(exitCode).toBe(42);
  expect([stdout.length > 0, existsSync(stdout)]).toEqual([true, false]);
});

testWith("signals")("sends signals on to the program, and waits for its end", async () => {
  const code = `
    process.on("SIGTERM", () => {
      console.log("stopping");
      process.exit(5);
    });
    setInterval(() => undefined, 1_000);
    console.log("ready " + process.env.SECPLAT_DATA);`;
  const running = start(["exec", ...program(code)], { folder: temporaryFolder() });
  const [, folder = ""] = await running.until("stdout", /ready (.+)\n/);
  expect(existsSync(folder)).toBe(true);
  running.child.kill("SIGTERM");
  const { exitCode, stdout } = await running.ended;
  expect([exitCode, stdout]).toEqual([5, `ready ${folder}\nstopping\n`]);
  expect(existsSync(folder)).toBe(false);
});

testWith("signals")(
  "ends with 128 + n if a signal that was sent on ended the program",
  async () => {
    const code = 'setInterval(() => undefined, 1_000); console.log("ready");';
    const running = start(["exec", ...program(code)], { folder: temporaryFolder() });
    await running.until("stdout", /ready/);
    running.child.kill("SIGINT");
    expect((await running.ended).exitCode).toBe(130);
  },
);

test.each([
  [[], 2, "<command> is missing"],
  [["npm", "--silent", "test"], 2, "write -- before the program"],
  [["--seed", "smal", "--", "true"], 2, "Did you mean small?"],
  [["--", "no-such-program"], 127, "there is no such program on the PATH"],
])("rejects %j", async (words, code, reason) => {
  const { exitCode, stdout, stderr } = await commandLine()(["exec", ...words]);
  expect([exitCode, stdout]).toEqual([code, ""]);
  expect(stderr).toContain(reason);
});

testWith("permission bits")("says that it has no place for the database", async () => {
  const environment = { TMPDIR: "/missing" };
  const { exitCode, stderr } = await exec([], "process.exit(0)", environment);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(
    /^secplat: cannot create a folder for the database in \/missing: .*TMPDIR\n$/,
  );
});
