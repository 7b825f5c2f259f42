/** What commands of operations do beside the call: files, lists of ids, questions, dry runs, errors. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startLiveServer, type LiveServer } from "../../client/tests/support/live-server.ts";
import { testWith } from "../../../testing/platform.ts";
import { commandLine, type CommandLine } from "../src/testing/command-line.ts";
import { secplat } from "./support/process.ts";

let server: LiveServer;
let finish: () => Promise<void>;
let environment: Readonly<Record<string, string>>;

beforeAll(async () => {
  server = await startLiveServer({}, {}, (cleanUp) => (finish = cleanUp));
  environment = await newEnvironment();
});
afterAll(() => finish());

/** The variables for a client of a new tenant. */
async function newEnvironment(): Promise<Readonly<Record<string, string>>> {
  const tenant = await server.newBareTenant();
  const { baseUrl, clientId, clientSecret } = await server.newCredentials({ tenant });
  return {
    SECPLAT_URL: baseUrl,
    SECPLAT_CLIENT_ID: clientId,
    SECPLAT_CLIENT_SECRET: clientSecret,
  };
}

const indicator = (value: string) => ({
  type: "domain",
  value,
  action: "detect",
  severity: "low",
  platforms: ["linux"],
  applied_globally: true,
});

/** Creates an indicator for each value, and returns their ids. */
async function create(run: CommandLine, values: readonly string[]): Promise<readonly string[]> {
  const body = JSON.stringify({ indicators: values.map(indicator) });
  const { exitCode, stdout, stderr } = await run(
    ["ioc", "create-indicators", "--body", "-", "--json", "--fields", "id"],
    body,
  );
  expect(exitCode, stderr).toBe(0);
  return (JSON.parse(stdout) as readonly { readonly id: string }[]).map(({ id }) => id);
}

test("a body comes from YAML, assignments and flags, the later ones last", async () => {
  const run = commandLine({ environment: await newEnvironment() });
  writeFileSync(
    join(run.folder, "body.yaml"),
    "indicators:\n  - type: domain\n    value: yaml.example\n    action: detect\n    severity: low\n" +
      "    applied_globally: true\n    platforms: [linux]\n",
  );
  const words = ["ioc", "create-indicators", "--body", "body.yaml"];
  const assignments = ["indicators.0.severity=high", 'indicators.0.tags:=["a", "b"]'];
  const created = await run.json<readonly object[]>([
    ...words,
    "--set",
    ...assignments,
    "--comment",
    "why",
  ]);
  expect(created).toEqual([
    expect.objectContaining({ value: "yaml.example", severity: "high", tags: ["a", "b"] }),
  ]);
});

test("a body is JSON itself, and paths may have brackets", async () => {
  const folder = commandLine().folder;
  const call = commandLine({ environment, folder });
  const dryRun = ["ioc", "create-indicators", "--dry-run"];
  const bodyOf = async (...words: readonly string[]) => {
    const { exitCode, stdout, stderr } = await call([...dryRun, ...words]);
    expect([exitCode, stderr]).toEqual([0, ""]);
    return stdout;
  };
  const body = JSON.stringify({ indicators: [indicator("inline.example")] });
  const inline = await bodyOf("--body", body);
  expect(inline).toContain("inline.example");
  writeFileSync(join(folder, "body.json"), body);
  expect(await bodyOf("--body", "body.json")).toBe(inline);
  const path = (form: string) => ["--body", body, "--set", `${form}=other.example`];
  const set = await bodyOf(...path("indicators.0.value"));
  expect(set).toContain("other.example");
  expect(await bodyOf(...path("indicators[0].value"))).toBe(set);
  for (const [words, message] of [
    [["--body", "{broken"], "--body is not JSON: "],
    [["--body", "no-such-file.json"], "no-such-file.json"],
    [path("indicators[2].value"), "body.indicators.2 leaves a gap"],
    [path("indicators[x].value"), "indicators[x]"],
  ] as const) {
    const { exitCode, stderr } = await call([...dryRun, ...words]);
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain(message);
  }
});

test("ids come from a file, in requests of the documented size", async () => {
  const run = commandLine({ environment: await newEnvironment() });
  const ids = await create(
    run,
    Array.from({ length: 250 }, (_, index) => `${index}.example`),
  );
  const listed = await run(["ioc", "list-indicator-ids", "--all", "--sort", "value"]);
  expect(listed.stdout.split("\n").toSorted()).toEqual(["", ...ids].toSorted());
  const requests = vi.fn(fetch);
  vi.stubGlobal("fetch", requests);
  const read = ["ioc", "get-indicators", "--ids-from", "-", "--query", "length(@)"];
  expect((await run(read, listed.stdout)).stdout).toBe("250\n");
  expect(
    (await run(["ioc", "delete-indicators", "--ids-from", "-", "--yes"], listed.stdout)).stdout,
  ).toBe(listed.stdout);
  const sizes = requests.mock.calls
    .map((call) => new Request(...call))
    .filter(({ url }) => url.includes("/iocs/"))
    .map(({ method, url }) => [method, new URL(url).searchParams.getAll("ids").length]);
  vi.unstubAllGlobals();
  const maximum = 200;
  expect(sizes).toEqual([
    ["GET", maximum],
    ["GET", 250 - maximum],
    ["DELETE", maximum],
    ["DELETE", 250 - maximum],
  ]);
});

test("people see that a list is empty or a part, and scripts do not", async () => {
  const variables = await newEnvironment();
  const person = commandLine({ environment: variables, terminal: true });
  const script = commandLine({ environment: variables });
  const nothing = { exitCode: 0, stdout: "", stderr: "" };
  expect(await script(["ioc", "list-indicators"])).toEqual(nothing);
  const empty = { ...nothing, stderr: "secplat: there are no entries\n" };
  expect(await person(["ioc", "list-indicators"])).toEqual(empty);
  expect(await person(["container", "list-export-ids"])).toEqual(empty);
  await create(
    script,
    Array.from({ length: 150 }, (_, index) => `${index}.example`),
  );
  const part = await person(["ioc", "list-indicators", "--offset", "0", "--fields", "value"]);
  expect(part.stderr).toBe("secplat: these are 100 of 150; --all lists all\n");
});

test("records that exist are printed, and the others are an error", async () => {
  const run = commandLine({ environment: await newEnvironment() });
  const [id = ""] = await create(run, ["exists.example"]);
  const missing = "0".repeat(64);
  const words = ["ioc", "get-indicators", "--ids", missing, id, "--fields", "value"];
  expect(await run([...words, "--output", "csv"])).toEqual({
    exitCode: 1,
    stdout: "value\r\nexists.example\r\n",
    stderr: expect.stringContaining(`indicator ${missing} not found`) as string,
  });
});

test("nothing is deleted without a yes", async () => {
  const variables = await newEnvironment();
  const script = commandLine({ environment: variables });
  const [id = ""] = await create(script, ["kept.example"]);
  const words = ["ioc", "delete-indicators", "--ids", id];
  const refused = await script(words, "y\n");
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain("There is no terminal to ask; confirm with --yes");
  const person = commandLine({ environment: variables, terminal: true });
  for (const answer of ["n\n", "\n", "", "yo\n"]) {
    const { exitCode, stderr } = await person(words, answer);
    expect(exitCode).toBe(1);
    expect(stderr).toBe(`Delete indicators: ${id}? [y/N] secplat: nothing was changed\n`);
  }
  expect((await script(["ioc", "list-indicator-ids"])).stdout).toBe(`${id}\n`);
  expect((await person(words, "y\n")).exitCode).toBe(0);
  expect((await script(["ioc", "list-indicator-ids"])).stdout).toBe("");
});

testWith("POSIX shell")("a dry run prints a curl command that works as printed", async () => {
  const run = commandLine({ environment: await newEnvironment() });
  const words = ["ioc", "create-indicators", "--body", "-", "--comment", `it's "$HOME"`];
  const body = JSON.stringify({ indicators: [indicator("curl.example")] });
  const dry = await run([...words, "--dry-run"], body);
  expect(dry).toMatchObject({ exitCode: 0, stderr: "" });
  expect((await run(["ioc", "list-indicator-ids"])).stdout).toBe("");
  const { access_token } = await run.json<{ access_token: string }>(["oauth2", "create-token"]);
  writeFileSync(join(run.folder, "request.sh"), dry.stdout.replace("curl ", "curl -sS "));
  // In a process of its own, because the server is in this one.
  const sent = await secplat([], {
    folder: run.folder,
    environment: { SECPLAT_TOKEN: access_token },
    program: ["sh", "request.sh"],
  });
  expect(JSON.parse(sent.stdout), sent.stderr).toEqual([
    expect.objectContaining({ value: "curl.example" }),
  ]);
  const secret = await run([
    "user-management",
    "create-user",
    "--uid",
    "a@b.example",
    "--first-name",
    "A",
    "--last-name",
    "B",
    "--dry-run",
    "--set",
    "password=correct horse 9 Battery",
  ]);
  expect(secret.stdout).toContain(`--data '{"password":"'"$PASSWORD"'","uid":"a@b.example",`);
  const printed = execFileSync("sh", ["-c", secret.stdout.replace("curl", "printf '%s\\n'")], {
    encoding: "utf8",
    env: { PASSWORD: "from a variable" },
  });
  expect(printed).toContain('{"password":"from a variable","uid":"a@b.example",');
});

test("--verbose shows headers, and no secrets", async () => {
  const run = commandLine({ environment });
  const { stdout, stderr } = await run(["ioc", "list-platforms", "--verbose", "--limit", "1"]);
  expect(stdout).toMatch(/^\w+\n$/);
  expect(stderr).toMatch(/^> GET \/iocs\/queries\/platforms\/v1\?limit=1 \(127\.0\.0\.1:\d+\)$/m);
  expect(stderr).toMatch(/^> authorization: …$/m);
  expect(stderr).toMatch(/^< x-trace-id: [0-9a-f-]{36}$/m);
  expect(stderr).not.toContain(environment["SECPLAT_CLIENT_SECRET"]);
  expect(stderr).not.toMatch(/Bearer|Basic/);
});

test("a request of one's own is sent as it is", async () => {
  const run = commandLine({ environment: await newEnvironment() });
  const path = "/iocs/entities/indicators/v1";
  const body = JSON.stringify({ indicators: [indicator("own.example")] });
  const created = await run
    .json<readonly { id: string }[]>(["api", "get", `${path}?ids=x`])
    .catch((error: unknown) => error);
  expect(String(created)).toContain("got 400");
  const posted = await run(["api", "POST", path, "--body", "-", "--query", "[0].value"], body);
  expect(posted).toMatchObject({ exitCode: 0, stdout: '"own.example"\n' });
  const wrapped = await run([
    "api",
    "GET",
    "/iocs/queries/indicators/v1",
    "--header",
    "accept: application/vnd.security-platform.envelope+json",
    "--include",
  ]);
  expect(wrapped.stdout).toMatch(/^200 OK\n(.+: .+\n)+\n\{"meta":/);
  const unknown = await run(["api", "GET", "/{nowhere}"]);
  expect(unknown).toMatchObject({ exitCode: 1 });
  expect(unknown.stdout).toContain('"code":404');
  expect(unknown.stderr).toBe("secplat: GET /{nowhere} got 404 Not Found\n");
});

/** More levels than a recursive function can follow. */
const deep = "[".repeat(9_000) + "]".repeat(9_000);
const creation = ["ioc", "create-indicators"];

test.each([
  [["ioc", "get-indicators"], "--ids <text...> is required"],
  [
    ["ioc", "get-indicators", "--ids", "x"],
    "--ids: expected 64 lower-case hexadecimal digits, got",
  ],
  [["ioc", "list-indicators", "--limit", "0"], "--limit cannot be '0'. Expected an integer"],
  [["ioc", "list-indicators", "--offset", "x"], "--offset: expected an integer"],
  [["ioc", "count-devices", "--type", "domian"], "did you mean domain?"],
  [["ioc", "list-indicators", "--from-parent", "maybe"], "expected true or false"],
  [["ioc", "list-indicators", "--query", "[?"], "--query: "],
  [creation, "the body is missing; set it with options, --set, or --body <file>"],
  [[...creation, "--comment", "a"], "body.indicators: is required"],
  [
    [...creation, "--set", "indicator.0.type=domain"],
    "--set: body has no member indicator. Did you mean indicators?",
  ],
  [[...creation, "--set", "indicators.1.type=domain"], "body.indicators.1 leaves a gap"],
  [
    [...creation, "--set", "indicators"],
    "--set cannot be 'indicators'. Expected a path and a value",
  ],
  [
    ["ioc", "get-indicators", "--ids", `${"a".repeat(64)},${"b".repeat(64)}`],
    "; separate values by spaces",
  ],
  [[...creation, "--set", "indicators:={"], "--set: the value of body.indicators is not JSON"],
  [[...creation, "--body", "broken.json"], "broken.json is not JSON"],
  [[...creation, "--body", "broken.yaml"], "broken.yaml is neither JSON nor YAML"],
  [
    [...creation, "--body", "alias.yaml"],
    "alias.yaml is neither JSON nor YAML: the alias *none has no anchor before it",
  ],
  [[...creation, "--body", "cyclic.yaml"], "body: has more than 100 nested levels"],
  [[...creation, "--body", "deep.json"], "body: has more than 100 nested levels"],
  [[...creation, "--set", `indicators:=${deep}`], "body: has more than 100 nested levels"],
  [[...creation, "--body", "latin.json"], "latin.json is not valid UTF-8"],
  [
    ["ioc", "delete-indicators", "--ids-from", "empty.txt"],
    "empty.txt has no ids; nothing was sent",
  ],
  [
    ["ioc", "list-indicators", "--output", "xml"],
    "Expected one of table, json, ndjson, yaml, csv.",
  ],
  [["ioc", "list-indicators", "--profile", "none"], "there is no profile none in "],
])("%j is rejected before anything is sent", async (words, reason) => {
  const run = commandLine({ environment: { ...environment, SECPLAT_URL: "http://127.0.0.1:9" } });
  writeFileSync(join(run.folder, "broken.json"), '{"indicators": [}');
  writeFileSync(join(run.folder, "broken.yaml"), "indicators: [a: : b]\n - c");
  writeFileSync(join(run.folder, "alias.yaml"), "indicators: *none\n");
  writeFileSync(join(run.folder, "cyclic.yaml"), "indicators: &a [*a, *a, *a]\n");
  writeFileSync(join(run.folder, "deep.json"), `{"indicators":${deep}}`);
  writeFileSync(join(run.folder, "latin.json"), Uint8Array.of(0x22, 0xe9, 0x22));
  writeFileSync(join(run.folder, "empty.txt"), "\n \n");
  const { exitCode, stdout, stderr } = await run(words);
  expect(stderr).toContain(reason);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
});

test("the trace id follows the excerpt of a filter on a line of its own", async () => {
  const run = commandLine({ environment });
  const { stderr } = await run(["ioc", "list-indicators", "--filter", "value:'a'+severty:'high'"]);
  expect(stderr.split("\n").slice(1)).toEqual([
    "value:'a'+severty:'high'",
    "          ^",
    expect.stringMatching(/^trace id \S+$/) as string,
    "",
  ]);
});

test("errors of the server say what a person can do", async () => {
  const wrong = commandLine({
    environment: { ...environment, SECPLAT_CLIENT_SECRET: "x".repeat(40) },
  });
  const refused = await wrong(["ioc", "list-platforms"]);
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toContain(
    `the credentials for ${environment["SECPLAT_URL"]} are those of SECPLAT_CLIENT_ID`,
  );
  expect(refused.stderr).not.toContain("x".repeat(40));
  expect(refused.stderr).not.toContain("secplat login");
  const stale = commandLine();
  const profiles = join(stale.folder, "profiles.json");
  const { SECPLAT_URL: url, SECPLAT_CLIENT_ID: client_id } = environment;
  const profile = { url, client_id, client_secret: "x".repeat(40) };
  writeFileSync(profiles, JSON.stringify({ staging: profile }));
  const expired = await commandLine({
    folder: stale.folder,
    environment: { SECPLAT_PROFILES: profiles },
  })(["ioc", "list-platforms", "--profile", "staging"]);
  expect(expired).toMatchObject({ exitCode: 1, stdout: "" });
  expect(expired.stderr).toContain(
    "are those of the profile staging. Store new ones with: secplat login --profile staging\n",
  );
  const nobody = commandLine({
    environment: { ...environment, SECPLAT_URL: "http://127.0.0.1:9999" },
  });
  const { exitCode, stderr } = await nobody(["ioc", "list-platforms"]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("check the URL, and that the server runs; secplat serve starts one");
});

test(
  "the bundle and the sources call operations in the same way",
  { tags: ["exhaustive"] },
  async () => {
    const folder = commandLine().folder;
    const { SECPLAT_URL, SECPLAT_CLIENT_ID, SECPLAT_CLIENT_SECRET } = environment as Record<
      string,
      string
    >;
    writeFileSync(
      join(folder, "profiles.json"),
      JSON.stringify({
        test: {
          url: SECPLAT_URL,
          client_id: SECPLAT_CLIENT_ID,
          client_secret: SECPLAT_CLIENT_SECRET,
        },
      }),
    );
    const options = { folder, environment: { SECPLAT_PROFILES: join(folder, "profiles.json") } };
    for (const command of [
      ["ioc", "list-platforms"],
      ["call", "platform.query.v1"],
    ]) {
      const outcome = await secplat([...command, "--profile", "test", "--limit", "1"], options);
      expect(outcome).toMatchObject({ exitCode: 0, stderr: "" });
      expect(outcome.stdout).toMatch(/^\w+\n$/);
    }
    for (const output of ["yaml", "csv"]) {
      const words = [
        "ioc",
        "get-actions",
        "--ids",
        "detect",
        "--profile",
        "test",
        "--output",
        output,
      ];
      expect((await secplat(words, options)).stdout).toMatch(/\bid\b[^]*detect/);
    }
    const query = ["ioc", "list-platforms", "--profile", "test", "--query", "[0]"];
    expect((await secplat(query, options)).exitCode).toBe(0);
  },
);

test("a file that is uploaded is read from disk, and its result is printed", async () => {
  const run = commandLine({ environment: await newEnvironment(), terminal: true });
  writeFileSync(join(run.folder, "none.txt"), "");
  const words = [
    "case-management",
    "upload-file",
    "--case-id",
    "019cada2-267b-7c41-9b1e-6f0a2d8c4e57",
  ];
  const missing = await run([...words, "--file", "missing.csv"]);
  expect(missing.exitCode).toBe(2);
  expect(missing.stderr).toContain("cannot read missing.csv");
  writeFileSync(join(run.folder, "tree.csv"), "a,b\n");
  const { exitCode, stderr } = await run([...words, "--file", "tree.csv"]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("404");
  expect(readFileSync(join(run.folder, "tree.csv"), "utf8")).toBe("a,b\n");
});
