import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterEach, expect, test, vi } from "vitest";
import type { Command } from "commander";
import { createProgram } from "../../program.ts";
import { readSettings } from "../../settings/read-settings.ts";
import { variablesOf } from "../../settings/setting.ts";
import { settings } from "../../settings/table.ts";
import { otherVariables } from "../../settings/variables.ts";
import { CommandError } from "../../terminal/exit-codes.ts";
import { commandLine } from "../../testing/command-line.ts";
import { checked, printed, withFile } from "../../testing/settings-file.ts";
import { silentContext } from "../../testing/silent-context.ts";

afterEach(() => void vi.unstubAllEnvs());

test("a flag comes before a variable, a variable before the file, and the file before the default", async () => {
  const command = withFile(
    "# Three of them.\nport: 1\nhost: ::1\n\ntrust-proxy: [10.0.0.0/8, ::1]\ncors-origin: none\ndrain-delay: 4\n",
    { SECPLAT_PORT: "2", SECPLAT_TRUST_PROXY: "192.0.2.1", SECPLAT_HOST: "127.0.0.2" },
  );
  const of = await printed(command, "--host", "127.0.0.3", "--cors-origin", "https://a.example");
  expect(of("host")).toEqual(["127.0.0.3", "--host"]);
  expect(of("port")).toEqual([2, "SECPLAT_PORT"]);
  expect(of("trust-proxy")).toEqual([["192.0.2.1"], "SECPLAT_TRUST_PROXY"]);
  expect(of("cors-origin")).toEqual([["https://a.example"], "--cors-origin"]);
  expect(of("drain-delay")).toEqual([4, "secplat.yaml:7:1"]);
  expect(of("workers")).toEqual([1, "default"]);
  expect(of("public-url")).toEqual([null, "default"]);
});

test("every command reads the settings that it has, from the default file or a named one", async () => {
  const command = withFile("data: there\nrate-limit: 7\nport: 0\ndemo: false\ndocs: false\n");
  await command.json(["tenants", "create", "Acme"]);
  expect(existsSync(join(command.folder, "there/platform.sqlite"))).toBe(true);
  expect(existsSync(join(command.folder, ".data"))).toBe(false);
  const { stdout, stderr } = await command(["serve", "--json"]);
  expect(stderr).toBe("");
  const greeting = JSON.parse(stdout) as { url: string; database: string; client_id: null };
  expect(greeting.database).toBe(`sqlite:${join(command.folder, "there/platform.sqlite")}`);
  expect(greeting.client_id).toBeNull();
  expect(new URL(greeting.url).port).not.toBe("8080");
  writeFileSync(join(command.folder, "other.yaml"), "data: elsewhere\n");
  await command.json(["tenants", "create", "Acme", "--config", "other.yaml"]);
  expect(existsSync(join(command.folder, "elsewhere/platform.sqlite"))).toBe(true);
  vi.stubEnv("SECPLAT_CONFIG", "missing.yaml");
  expect((await command(["tenants", "list"])).stderr).toBe(
    "secplat: cannot read the settings in missing.yaml: ENOENT; choose another file with --config\n",
  );
});

test("all problems of a file are reported with line, column and the nearest name", async () => {
  const text =
    "prot: 1\nport: '80'\n\nrate-limit: -1\n  # a comment\nlog-level: wran\nworkers:\ntrust-proxy: [10.0.0.0/8, 7]\n" +
    "pubic-url: https://a.example\ndocs: true\ncompat: yes please\ntls-cert: ' '\ndemo: 'true'\n";
  expect(await checked(text)).toBe(
    `secplat: ${[
      'secplat.yaml:1:1: there is no setting "prot". Did you mean port?',
      "secplat.yaml:2:7: port cannot be '80'. Expected an integer from 0 to 65535, without quotes, which make it a text.",
      "secplat.yaml:4:13: rate-limit cannot be '-1'. Expected an integer from 0 to 2147483647.",
      "secplat.yaml:6:12: log-level cannot be 'wran'. Expected one of debug, info, warn, error, silent. Did you mean warn?",
      "secplat.yaml:7:1: workers has no value; expected an integer from 1 to 64",
      `secplat.yaml:8:14: trust-proxy cannot be '["10.0.0.0/8",7]'. Expected a list of texts, each a network.`,
      'secplat.yaml:9:1: there is no setting "pubic-url". Did you mean public-url?',
      "secplat.yaml:10:7: docs cannot be 'true'. Expected a text or false.",
      "secplat.yaml:11:9: compat cannot be 'yes please'. Expected true or false.",
      "secplat.yaml:12:11: tls-cert cannot be ' '. Expected a file.",
      "secplat.yaml:13:7: demo cannot be 'true'. Expected true or false, without quotes, which make it a text.",
    ].join("\n")}\n`,
  );
});

test.each([
  [
    "port: 1\nport: 2\n",
    "secplat.yaml:2:1: port is set twice, first at secplat.yaml:1:1; remove one of them",
  ],
  ["port: [1\n", "secplat.yaml:2:1: "],
  ["- port: 1\n", "secplat.yaml:1:1: expected settings such as port: 8080"],
  ["port\n", "secplat.yaml:1:1: expected settings such as port: 8080"],
  ["port: 1\n---\nport: 2\n", "secplat.yaml:2:1: a second document begins here"],
  [
    "cors-origin: 1\n",
    "secplat.yaml:1:14: cors-origin cannot be '1'. Expected a list of texts, each an origin.",
  ],
  ["__proto__: 1\n", 'secplat.yaml:1:1: there is no setting "__proto__".'],
  ["? [a]\n: 1\n", 'secplat.yaml:1:3: there is no setting "".'],
  ["port: *none\n", "secplat.yaml:1:7: "],
  ["trust-proxy: []\n", "secplat.yaml:1:1: trust-proxy has no value"],
])("a file that is not a list of settings is refused: %j", async (text, message) => {
  expect(await checked(text)).toContain(`secplat: ${message}`);
});

test.each([
  `data: ${"[".repeat(200_000)}`,
  `data: ${"[".repeat(20_000)}${"]".repeat(20_000)}`,
  `data: ${"[".repeat(2_000)}${"]".repeat(2_000)}`,
  `data: ${"{a: ".repeat(20_000)}`,
  "data: &a [*a, *a, *a]\n",
  "cors-origin: &a { b: *a }\n",
])(
  "a file with many nested values is refused in a few plain lines",
  { tags: ["exhaustive"] },
  async (text) => {
    const stderr = await checked(text);
    expect(stderr).toMatch(/^secplat: secplat\.yaml/);
    expect(stderr).not.toContain("call stack");
    expect(stderr.length).toBeLessThan(1_000);
  },
);

test("settings that need each other are checked together", async () => {
  const cases = [
    ["smtp-url: smtp://127.0.0.1\n", "--smtp-url needs --mail-from as well"],
    ["tls-cert: missing.pem\n", "--tls-cert also requires --tls-key"],
    ["tls-cert: missing.pem\ntls-key: missing.pem\n", "--tls-cert: cannot read"],
    ["files: s4://bucket\n", "--files: expected file:<folder> or s3://"],
    ["rtr-root: missing\n", "--rtr-root: there is no folder"],
  ] as const;
  for (const [text, message] of cases) expect(await checked(text)).toContain(message);
});

test("valid settings are counted, and nothing is started or created", async () => {
  const command = withFile("port: 1\ndata: new\n");
  expect(await command(["config", "check"])).toMatchObject({
    exitCode: 0,
    stdout: "secplat.yaml is valid: 2 settings\n",
  });
  expect(existsSync(join(command.folder, "new"))).toBe(false);
  expect((await commandLine()(["config", "check"])).exitCode).toBe(0);
  expect((await withFile("# nothing\n")(["config", "check"])).exitCode).toBe(0);
});

test("no password is printed, wherever it comes from, and whatever is wrong with it", async () => {
  const secret = "Hunter2";
  const command = withFile(
    `database: postgres://me:${secret}@db/name?password=${secret}\nsmtp-url: smtp://me:${secret}@mail\nmail-from: a@b.example\n`,
  );
  const { stdout } = await command(["config", "print"]);
  expect(stdout).toMatch(/^database +postgres:\/\/me:…@db\/name\?… +secplat.yaml:1:1$/m);
  expect(stdout).toMatch(/^smtp-url +smtp:\/\/me:…@mail /m);
  const wrong = `database: postgres//me:${secret}@db\nsmtp-url: http://me:${secret}@mail\n`;
  for (const output of [
    stdout,
    (await command(["config", "print", "--json"])).stdout,
    (await withFile(`database: postgres://me:a/b@${secret}/x\n`)(["config", "print"])).stdout,
    await checked(wrong),
    await checked(`database: [${secret}]\nsmtp-url: 7\n`),
  ]) {
    expect(output).not.toContain(secret);
  }
});

test("a variable that nothing reads is refused with the nearest name; those of others are left alone", async () => {
  const others = { SECPLAT_SERVICE_HOST: "10.0.0.1", SECPLAT_PORT_80_TCP_ADDR: "10.0.0.1" };
  const wrong = commandLine({ environment: { ...others, SECPLAT_PROT: "1" } });
  for (const words of [
    ["serve", "--port", "0"],
    ["config", "check"],
    ["config", "print"],
  ]) {
    expect(await wrong(words)).toMatchObject({
      exitCode: 2,
      stderr: "secplat: SECPLAT_PROT is no setting; unset it. Did you mean SECPLAT_PORT?\n",
    });
  }
  const right = commandLine({ environment: { ...others, SECPLAT_TOKEN: "x" } });
  expect((await right(["config", "check"])).exitCode).toBe(0);
});

test("every variable of a command is known", async () => {
  const known = new Set([...settings.flatMap(variablesOf), ...otherVariables]);
  const variablesIn = (command: Command): readonly string[] => [
    ...command.options.flatMap(({ envVar }) => envVar ?? []),
    ...command.options.flatMap(({ description }) => description.match(/SECPLAT_\w+/g) ?? []),
    ...command.commands.flatMap(variablesIn),
  ];
  const named = variablesIn(await createProgram(silentContext));
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test.each([
  ["SECPLAT_COMPAT", "compat", "true", true],
  ["SECPLAT_COMPAT", "compat", "0", false],
  ["SECPLAT_NO_DEMO", "demo", "1", false],
  ["SECPLAT_NO_DEMO", "demo", "false", true],
  ["SECPLAT_NO_PREPARE", "prepare", "true", false],
  ["SECPLAT_NO_DOCS", "docs", "true", false],
])("%s, a switch, sets %s with %j to %j", async (variable, name, text, value) => {
  const command = withFile("", { [variable]: text });
  expect((await printed(command))(name)).toEqual([value, variable]);
});

test.each(["", "yes", "TRUE"])("a switch cannot be %j", async (text) => {
  const { exitCode, stderr } = await withFile("", { SECPLAT_NO_DEMO: text })(["config", "check"]);
  expect(exitCode).toBe(2);
  expect(stderr).toBe(`secplat: SECPLAT_NO_DEMO cannot be '${text}'. Expected true or false.\n`);
});

const values: readonly unknown[] = [
  true,
  false,
  0,
  1,
  100,
  70_000,
  -1,
  1.5,
  1e300,
  "text",
  "",
  " ",
  "10.0.0.0/8",
  "https://host.example",
  ["10.0.0.0/8"],
  ["10.0.0.0/8", "::1"],
  [],
  [1],
  {},
  null,
  "a@b.example",
  "smtp://host",
  "sqlite:file",
  "postgres://me@host/name",
  "warn",
  "file:blobs",
  "loopback",
];

function reads(path: string): boolean {
  try {
    readSettings({ name: "secplat.yaml", path });
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(CommandError);
    return false;
  }
}

test("the schema accepts what the command accepts, and refuses no less of types and ranges", async () => {
  const command = withFile("");
  const schema = await command.json<object>(["config", "schema"]);
  const accepts = new Ajv2020({ strict: true, strictTypes: false }).compile(schema);
  expect(accepts(null)).toBe(true);
  expect(accepts({ prot: 1 })).toBe(false);
  for (const { name, type } of settings) {
    const accepted = [];
    for (const value of values) {
      writeFileSync(join(command.folder, "secplat.yaml"), JSON.stringify({ [name]: value }));
      const isRead = reads(join(command.folder, "secplat.yaml"));
      const valid = accepts({ [name]: value });
      if (isRead) accepted.push(value);
      if (isRead || type === "switch" || type === "integer") {
        expect([name, value, valid]).toEqual([name, value, isRead]);
      }
    }
    expect([name, accepted.length > 0]).toEqual([name, true]);
  }
});
