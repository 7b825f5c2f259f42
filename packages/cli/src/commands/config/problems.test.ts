import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { testWith } from "../../../../../testing/platform.ts";
import { commandLine } from "../../testing/command-line.ts";
import { checked, printed, withFile } from "../../testing/settings-file.ts";

afterEach(() => void vi.unstubAllEnvs());

const secretValues = {
  database: [
    "postgres//u:hunter2@h/d",
    "host=h password=hunter2",
    "mysql://u:hunter2@h/d",
    "postgres://u:hunter2@h:999999/d",
    "hunter2",
    "u:hunter2@h/d",
  ],
  "database-replica": [
    "postgres//u:hunter2@h/d",
    "sqlite:hunter2",
    "postgres://u:hunter2@h:999999/d",
    "hunter2",
  ],
  "smtp-url": [
    "smtp://relay:hunter2@mail.example:58700000",
    "http://relay:hunter2@mail",
    "hunter2",
  ],
  "public-url": ["https://u:hunter2@h/", "https://h/?token=hunter2", "ht!tp://hunter2"],
  "pagerduty-url": ["ht!tp://hunter2", "hunter2"],
  "cors-origin": ["https://u:hunter2@h"],
};

test.each(
  Object.entries(secretValues).flatMap(([name, texts]) =>
    texts.map((text) => [name, text] as const),
  ),
)("no error shows the secret of a wrong %s: %s", async (name, text) => {
  const variable = `SECPLAT_${name.toUpperCase().replaceAll("-", "_")}`;
  for (const command of [
    ["config", "check"],
    ["config", "print"],
    ["serve", "--port", "0"],
  ]) {
    for (const [run, place] of [
      [() => withFile("")([...command, `--${name}`, text]), `--${name}`],
      [() => withFile("", { [variable]: text })(command), variable],
      [() => withFile(`${name}: ${JSON.stringify(text)}\n`)(command), `secplat.yaml:1:`],
    ] as const) {
      const { exitCode, stdout, stderr } = await run();
      expect(exitCode).toBe(2);
      expect(stderr).toContain(place);
      expect(stdout + stderr).not.toContain("hunter2");
      vi.unstubAllEnvs();
    }
  }
});

test.each([
  "smtp-url: |hunter2\n",
  "smtp-url: !hunter2 x\n",
  "smtp-url: *hunter2\n",
  'smtp-url: "\\xhunter2"\n',
  "port: 1\n}hunter2\n",
  "smtp://u:hunter2@h: 1\n",
  "port: smtp://u:hunter2@h\n",
  "trust-proxy: [smtp://u:hunter2@h]\n",
])("no error shows a secret in a malformed file: %j", async (text) => {
  const { exitCode, stderr } = await withFile(text)(["config", "check"]);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^secplat: secplat\.yaml:[12]:/);
  expect(stderr).not.toContain("hu");
});

test.each([
  [["serve", "smtp://u:hunter2@h"], "'serve' does not accept these arguments: …"],
  [["api", "GET", "https://u:hunter2@h/x"], "<path> cannot be '…'"],
])("no error shows a password in %j", async (words, message) => {
  const { stderr } = await commandLine()(words);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain("hunter2");
});

test.each([
  "s3://bucket/p?endpoint=https://k:a&hunter2@h",
  "s3://bucket/p?endpoint=k:hunter2@h",
  "s4://k:hunter2@h",
])("no error shows the secret of a wrong place for files: %s", async (text) => {
  const credentials = { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b" };
  const command = withFile(`files: ${text}\n`, credentials);
  for (const words of [["config", "check"], ["serve"]]) {
    const { exitCode, stderr } = await command(words);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("--files: ");
    expect(stderr).not.toContain("hunter2");
  }
});

test("a value beside a mistyped flag is not shown", async () => {
  const { stderr } = await commandLine()(["serve", "--smtp-ulr=smtp://a:hunter2@b"]);
  expect(stderr).toContain("unknown option '--smtp-ulr'");
  expect(stderr).not.toContain("hunter2");
});

test.each([
  ["database", "postgres://u:hunter2@h:5433/d?password=hunter2", "postgres://u:…@h:5433/d?…"],
  ["database", "sqlite:a/b.sqlite", "sqlite:a/b.sqlite"],
  ["files", "s3://b/p?endpoint=https://k:hunter2@h&region=x", "s3://b/p?…"],
  ["files", "s3://b?secret=hunter2", "s3://b?…"],
  ["files", "hunter2", "(not shown)"],
  ["files", "file:blobs", "file:blobs"],
  ["smtp-url", "smtp://relay:hunter2@mail:25", "smtp://relay:…@mail:25"],
  ["pagerduty-url", "https://h/x?token=hunter2", "https://h/x?…"],
  ["pagerduty-url", "https://hunter2@h/x#hunter2", "https://…@h/x?…"],
  ["public-url", "https://h.example/api", "https://h.example/api"],
])("of %s %s, print shows %s", async (name, text, shown) => {
  const of = await printed(withFile(""), `--${name}`, text);
  expect(of(name)).toEqual([shown, `--${name}`]);
});

const together = (environment: Readonly<Record<string, string>>, text: string) =>
  withFile(text, environment)(["config", "check"]);

test("the check reports the problems of variables, flags, the file and combinations at once", async () => {
  const { exitCode, stderr } = await together(
    {
      SECPLAT_PORT: "http",
      SECPLAT_WORKERS: "0",
      SECPLAT_PROT: "1",
      SECPLAT_NO_DEMO: "perhaps",
      SECPLAT_DATABASE: "mysql://h/d",
    },
    "rate-limit: -1\nrtr-root: missing\ntls-cert: a.pem\ndev: true\nhost: 0.0.0.0\nmail-from: a@b.example\n",
  );
  expect(exitCode).toBe(2);
  for (const each of [
    "SECPLAT_PROT is no setting",
    "SECPLAT_PORT cannot be 'http'",
    "SECPLAT_WORKERS cannot be '0'",
    "SECPLAT_NO_DEMO cannot be 'perhaps'",
    'SECPLAT_DATABASE: unknown engine "mysql"',
    "secplat.yaml:1:13: rate-limit cannot be '-1'",
    "--rtr-root: there is no folder",
    "--tls-cert also requires --tls-key",
    "--dev serves loopback addresses only, not 0.0.0.0",
    "--mail-from needs --smtp-url as well",
  ]) {
    expect(stderr).toContain(each);
  }
  expect(stderr.trimEnd().split("\n")).toHaveLength(10);
});

test.each([
  ["a value that is wrong itself", "tls-cert: ' '\ntls-key: a.pem\n", "secplat.yaml:1:11"],
  ["a name that is wrong", "prot: 1\n", "secplat.yaml:1:1"],
])("%s brings no other problem", async (_case, text, place) => {
  const { stderr } = await together({}, text);
  expect(stderr).toMatch(new RegExp(`^secplat: ${place}: [^\n]+\n$`));
});

test.each([
  ["dev: true\nhost: 0.0.0.0\n", {}, "--dev serves loopback addresses only"],
  ["dev: true\nworkers: 2\n", {}, "--dev: the control plane works in a single process only"],
  ["database: 'sqlite::memory:'\nworkers: 2\n", {}, "--workers: an in-memory database"],
  [
    "port: 18080\nmetrics-port: 18080\n",
    {},
    "--metrics-port cannot be 18080, which is that of --port",
  ],
  ["port: 18080\nmetrics-port: 18080\nhost: 0.0.0.0\n", {}, "which is that of --port"],
  [
    "database: postgres://me@/name\nworkers: 4\ndatabase-connections: 15\n",
    {},
    "--database-connections cannot be 15 with 4 workers; expected at least 16",
  ],
  ["database-replica: postgres://me@/name\n", {}, "--database-replica: SQLite has no replicas"],
  ["database-replica: sqlite:x\n", {}, "Expected postgres://user@host/name"],
  ["docs: missing\n", {}, "--docs: "],
  ["secrets-key: missing\n", {}, "does not exist or has no key"],
  ["files: s3://b:999999/\n", { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b" }, "--files: "],
  [
    "",
    { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" },
    "OTEL_EXPORTER_OTLP_ENDPOINT: traces need",
  ],
  ["database: mysql://h/d\n", {}, "secplat.yaml:1:11: database: unknown engine"],
  ["database: postgres://u:x@h:999999/d\n", {}, "secplat.yaml:1:11: database is not a URL"],
  ["tls: true\ntls-cert: a.pem\ntls-key: b.pem\n", {}, "--tls: omit it with --tls-cert"],
])(
  "what serve refuses, the check refuses with the same words: %j",
  async (text, environment, words) => {
    const command = withFile(text, environment);
    const check = await command(["config", "check"]);
    const serve = await command(["serve"]);
    expect(check.stderr).toContain(words);
    expect(serve.stderr).toBe(check.stderr);
    expect([check.exitCode > 0, serve.exitCode > 0]).toEqual([true, true]);
    expect(existsSync(join(command.folder, ".data"))).toBe(false);
  },
);

test.each([
  ["port: 18080\nmetrics-port: 18080\nmetrics-host: ::1\n"],
  ["port: 0\nmetrics-port: 0\n"],
  ["dev: true\nhost: localhost\n"],
  ["database: postgres://me@/name?host=/run/postgresql\n"],
  ["database: postgres://me@/name\nworkers: 4\ndatabase-connections: 16\n"],
  ["workers: 4\ndatabase-connections: 4\n"],
  ["database: postgres://me@/name\ndatabase-replica: postgresql://me@replica/name\n"],
])("the check accepts %j", async (text) => {
  expect(await together({}, text)).toMatchObject({ exitCode: 0, stderr: "" });
});

test.each([
  ["data: platform\n", {}, "(from data in secplat.yaml:1:1)"],
  ["port: 1\ndatabase: sqlite:none.sqlite\n", {}, "(from database in secplat.yaml:2:1)"],
  ["data: platform\n", { SECPLAT_DATA: "other" }, "(from SECPLAT_DATA)"],
])("a missing database is reported with its origin: %j", async (text, environment, origin) => {
  for (const words of [
    ["tenants", "list"],
    ["backup", "b.tar"],
  ]) {
    const { stderr } = await withFile(text, environment)(words);
    expect(stderr).toMatch(/there is no database at .*\.sqlite \(/);
    expect(stderr).toContain(origin);
  }
  const flag = await withFile(
    text,
    environment,
  )(["tenants", "list", "--data", "x", "--database", "sqlite:x"]);
  expect(flag.stderr).not.toContain("(from");
});

test("doctor reports a broken file, and goes on", async () => {
  const { exitCode, stdout } = await withFile("prot: 1\n")(["doctor"]);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/^fail {2}settings {5}secplat\.yaml:1:1: there is no setting "prot"/m);
  expect(stdout).toMatch(/^\w+ +database/m);
});

test.each([
  ["true", false, "SECPLAT_NO_DOCS"],
  ["false", "/x", "SECPLAT_DOCS"],
])(
  "of SECPLAT_DOCS and SECPLAT_NO_DOCS=%s, the one that counts is shown",
  async (off, value, from) => {
    const command = withFile("", { SECPLAT_DOCS: "/x", SECPLAT_NO_DOCS: off });
    expect((await printed(command))("docs")).toEqual([value, from]);
  },
);

/** The same value as a flag, as a variable and in the file, and how messages call each place. */
const placesOf = (name: string, text: string) => {
  const variable = `SECPLAT_${name.toUpperCase().replaceAll("-", "_")}`;
  return [
    [`--${name}`, () => withFile("")(["config", "check", `--${name}`, text])],
    [variable, () => withFile("", { [variable]: text })(["config", "check"])],
    ["secplat.yaml:1:", () => withFile(`${name}: ${JSON.stringify(text)}\n`)(["config", "check"])],
  ] as const;
};

test.each([
  ["host", "http://x", "Expected an address such as 127.0.0.1"],
  ["host", "[::1]", "Expected an address such as 127.0.0.1"],
  ["host", "localhost:80", "Expected an address such as 127.0.0.1"],
  ["host", "127.0.0.", "Expected an address such as 127.0.0.1"],
  ["metrics-host", "a b", "Expected an address such as 127.0.0.1"],
  ["database", "sqlite://x", "sqlite:// has no host; expected sqlite:<path>"],
  ["database", "sqlite: ", "is incomplete after sqlite:"],
  ["database", "sqlite:.", "is a folder; expected a file, such as sqlite:"],
  ["database", "sqlite:secplat.yaml/x.sqlite", "secplat.yaml cannot be used: it is a file"],
  ["data", "a\u001bb", String.raw`has a control character, \u001b, as character 2; remove it`],
  ["files", "file:a\n", String.raw`has a control character, \u000a, as character 7; remove it`],
  ["smtp-url", "smtp://h\u007f", String.raw`has a control character, \u007f`],
  ["trust-proxy", "::1\t", String.raw`has a control character, \u0009`],
  ["files", "file:secplat.yaml", "secplat.yaml cannot be used: it is a file"],
  ["files", "file:secplat.yaml/a/b", "secplat.yaml is a file; choose another folder"],
  ["docs", "nowhere", "nowhere contains no index.html"],
  ["data", "secplat.yaml", "as data folder: it is a file; choose another with --data"],
])("%s cannot be %j, wherever it is set", async (name, text, words) => {
  for (const [place, check] of placesOf(name, text)) {
    const { exitCode, stderr } = await check();
    expect([place, exitCode]).toEqual([place, 2]);
    expect(stderr).toContain(place);
    expect(stderr).toContain(words);
    expect(stderr.trimEnd()).not.toContain("\n");
    vi.unstubAllEnvs();
  }
});

test("NUL in the file is refused", async () => {
  expect(await checked('data: "a\\0b"\n')).toBe(
    `secplat: secplat.yaml:1:7: data has a control character, ${String.raw`\u0000`}, as character 2; remove it\n`,
  );
});

test.each(["::1", "0.0.0.0", "fe80::1%eth0", "localhost", "my_host.example"])(
  "host can be %j",
  async (host) => {
    expect((await withFile("")(["config", "check", "--host", host])).stderr).toBe("");
  },
);

test("a command that writes files refuses a file as their folder", async () => {
  const command = withFile("");
  expect((await command(["seed", "--files", "file:secplat.yaml"])).stderr).toMatch(
    /^secplat: --files: .*secplat\.yaml cannot be used: it is a file; choose another folder\n$/,
  );
});

testWith("permission bits")(
  "a folder for files that this user cannot write is refused",
  async () => {
    const command = withFile("");
    mkdirSync(join(command.folder, "locked"), { mode: 0o500 });
    const { stderr } = await command(["config", "check", "--files", "file:locked/blobs"]);
    // The superuser may write everywhere.
    const refused = "cannot be used: this user has no write permission; choose another folder";
    expect(stderr).toContain(process.getuid?.() === 0 ? "" : refused);
  },
);
