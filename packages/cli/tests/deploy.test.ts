import { spawnSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  createLogger,
  defaultLimits,
  defaultOutgoing,
  openStoreAt,
  startServer,
} from "@security-platform/server/internal";
import { Ajv } from "ajv";
import { validate } from "dockerfile-utils";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { testWith } from "../../../testing/platform.ts";
import { settingProperties } from "../src/settings/settings-schema.ts";
import { flagsOf, variablesOf } from "../src/settings/setting.ts";
import type { Setting } from "../src/settings/setting-types.ts";
import { settings } from "../src/settings/table.ts";
import { commandLine } from "../src/testing/command-line.ts";
import { temporaryFolder } from "../src/testing/temporary-folder.ts";

const folder = resolve(import.meta.dirname, "../deploy");
const read = (path: string): string => readFileSync(join(folder, path), "utf8");

/** The variables that the help of `serve` names. */
async function variablesOfServe(): Promise<ReadonlySet<string>> {
  const { stdout } = await commandLine()(["serve", "--help"]);
  return new Set(stdout.match(/SECPLAT_\w+/g));
}

/** What a program prints about a file, and its exit code. */
function checked(program: string, ...options: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(program, options, { encoding: "utf8" });
  return { status, printed: stdout + stderr, stdout };
}

describe("the Dockerfile", () => {
  const dockerfile = read("Dockerfile");

  test("has no problem that the linter knows", () => {
    expect(validate(dockerfile)).toEqual([]);
    expect(validate("FROM node\nENTRYPOINT a\nENTRYPOINT b\nUNKNOWN c\n")).not.toEqual([]);
  });

  test("ends in a stage without a shell, that runs as a user without rights", () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf("\nFROM "));
    expect(last).toMatch(/^\nFROM gcr\.io\/distroless\/\S+:nonroot\n/);
    expect(last).toMatch(/^USER 65532:65532$/m);
    expect(last).toMatch(/^STOPSIGNAL SIGTERM$/m);
    expect(last).toMatch(/^HEALTHCHECK /m);
    expect(last).not.toMatch(/^(?:RUN|ADD) /m);
    // Arguments in brackets, because there is no shell.
    for (const word of ["ENTRYPOINT", "CMD", "VOLUME"]) {
      expect(last).toMatch(new RegExp(`^\\s*${word} \\["`, "m"));
    }
  });
});

interface Kind {
  readonly kind: string;
}

interface Service {
  readonly image: string;
  readonly networks: readonly string[];
  readonly volumes?: readonly string[];
  readonly secrets?: readonly string[];
  readonly configs?: readonly { readonly source: string }[];
  readonly depends_on?: Readonly<Record<string, object>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
}

describe("compose.yaml", () => {
  interface Compose {
    readonly services: Readonly<Record<string, Service>>;
    readonly networks: object;
    readonly volumes: object;
    readonly secrets: object;
    readonly configs: Readonly<Record<string, { readonly content: string }>>;
  }
  const compose = parse(read("compose.yaml"), { merge: true }) as Compose;
  const services = Object.entries(compose.services);

  test("defines all that its services refer to", () => {
    const names = (value: object): readonly string[] => Object.keys(value);
    for (const [, service] of services) {
      expect(names(compose.networks)).toEqual(expect.arrayContaining([...service.networks]));
      const volumes = (service.volumes ?? []).map((each) => each.split(":")[0]);
      expect(names(compose.volumes)).toEqual(expect.arrayContaining(volumes));
      expect(names(compose.secrets)).toEqual(expect.arrayContaining([...(service.secrets ?? [])]));
      const configs = (service.configs ?? []).map(({ source }) => source);
      expect(names(compose.configs)).toEqual(expect.arrayContaining(configs));
      const others = names(service.depends_on ?? {});
      expect(names(compose.services)).toEqual(expect.arrayContaining([...others]));
    }
  });

  test("runs two equal servers behind the proxy, on a root file system that is read-only", async () => {
    const servers = services.filter(([, { image }]) => image.includes("/secplat:"));
    const [first, second, ...others] = servers;
    expect([first?.[1], others]).toEqual([second?.[1], []]);
    expect(first?.[1]).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
    const variables = await variablesOfServe();
    const names = Object.keys(first?.[1].environment ?? {}).filter((name) => name !== "PGPASSWORD");
    expect(names.length).toBeGreaterThan(2);
    expect(names.filter((name) => !variables.has(name))).toEqual([]);
    const proxy = compose.configs["caddyfile"]?.content ?? "";
    const targets = /reverse_proxy (.*) \{/.exec(proxy)?.[1]?.split(" ");
    expect(targets).toEqual(servers.map(([name]) => `${name}:8080`));
  });
});

describe("high availability", () => {
  const place = "high-availability";
  interface Patroni {
    readonly scope: string;
    readonly bootstrap: {
      readonly dcs: Readonly<
        Record<"ttl" | "loop_wait" | "retry_timeout", number> & { synchronous_mode: boolean }
      >;
    };
  }
  const patroni = read(`${place}/patroni.yaml`);
  const trial = read(`${place}/trial.sh`);
  const haproxy = read(`${place}/haproxy.cfg`);

  test("acknowledges a change once two nodes have it, within the times that Patroni allows", () => {
    const { dcs } = (parse(patroni) as Patroni).bootstrap;
    expect(dcs.synchronous_mode).toBe(true);
    expect(dcs.loop_wait + 2 * dcs.retry_timeout).toBeLessThanOrEqual(dcs.ttl);
  });

  test("the trial sets the variables that the file of Patroni names", () => {
    const comments = patroni.split("\nscope:")[0] ?? "";
    const named = new Set(comments.match(/[A-Z][A-Z0-9]+_[A-Z0-9_]+(?==)/g));
    expect(named.size).toBeGreaterThan(10);
    const set = new Set(trial.match(/(?:PATRONI|LOGIN|DATABASE)_[A-Z0-9_]+/g));
    expect([...named].filter((name) => !set.has(name))).toEqual([]);
  });

  test("the two addresses of the server are those of HAProxy, in the trial and in the guide", async () => {
    const ports = [...haproxy.matchAll(/bind "\$\{LISTEN\}:(\d+)"/g)].map(([, port]) => port);
    const guide = readFileSync(resolve(folder, "../../../docs/guides/production.md"), "utf8");
    const names = ["SECPLAT_DATABASE", "SECPLAT_DATABASE_REPLICA"];
    const variables = await variablesOfServe();
    for (const text of [trial, guide]) {
      const urls = [...text.matchAll(/export (\w+)=postgres:\/\/.*:(\d+)\/secplat/g)];
      expect(urls.map(([, name]) => name)).toEqual(names);
      expect(urls.map(([, , port]) => port)).toEqual(ports);
    }
    expect(names.filter((name) => !variables.has(name))).toEqual([]);
  });

  test("its scripts can be read by their shells", () => {
    for (const [shell, script] of [
      ["bash", "trial.sh"],
      ["sh", "create-database.sh"],
    ] as const) {
      const { status, printed } = checked(shell, "-n", join(folder, place, script));
      expect(status, printed).toBe(0);
    }
  });

  testWith("haproxy")("HAProxy accepts its configuration", () => {
    const addresses = { NODE_1: "127.0.0.1", NODE_2: "127.0.0.2", NODE_3: "127.0.0.3" };
    const { status, stderr } = spawnSync(
      "haproxy",
      ["-c", "-f", join(folder, place, "haproxy.cfg")],
      { encoding: "utf8", env: { ...process.env, ...addresses, LISTEN: "127.0.0.1" } },
    );
    expect(status, stderr).toBe(0);
  });
});

describe("the chart", () => {
  const values = parse(read("chart/values.yaml")) as Readonly<Record<string, unknown>>;
  const ajv = new Ajv({ allErrors: true, strict: true, strictTypes: false });
  const schema = JSON.parse(read("chart/values.schema.json")) as Record<string, unknown>;
  const isValid = ajv.compile(schema);
  const templates = globSync("chart/templates/*", { cwd: folder });

  test("has defaults that satisfy its schema", () => {
    expect(isValid(values), ajv.errorsText(isValid.errors)).toBe(true);
  });

  test.each([
    ["an unknown value", { ...values, replica: 3 }, "additional properties"],
    ["no replicas", { ...values, replicas: 0 }, "/replicas must be >= 1"],
    [
      "a secret in place of its name",
      { ...values, database: { secretName: "postgres://u:p@h/d", secretKey: "url" } },
      "/database/secretName must match",
    ],
    [
      "a digest without its algorithm",
      { ...values, image: { repository: "a", digest: "abc" } },
      "/image/digest must match",
    ],
  ])("refuses %s", (_, changed, message) => {
    expect(isValid(changed)).toBe(false);
    expect(ajv.errorsText(isValid.errors)).toContain(message);
  });

  test("uses only values that exist, and uses each", () => {
    const text = templates.map((path) => read(path)).join("\n");
    const used = [...text.matchAll(/\.Values\.([\w.]+)/g)].map(([, path = ""]) => path);
    const at = (path: string): unknown =>
      path
        .split(".")
        .reduce<unknown>(
          (value, name) => (value as Record<string, unknown> | undefined)?.[name],
          values,
        );
    expect(used.length).toBeGreaterThan(20);
    expect(used.filter((path) => at(path) === undefined)).toEqual([]);
    const unused = Object.keys(values).filter(
      (name) => !used.some((path) => path === name || path.startsWith(`${name}.`)),
    );
    expect(unused).toEqual([]);
  });

  const chart = join(folder, "chart");
  const guide = readFileSync(join(folder, "../../../docs/guides/production.md"), "utf8");
  const shownValues = /^```yaml \[values\.yaml\]\n([^]*?)^```$/m.exec(guide)?.[1] ?? "";

  testWith("helm")(
    "is rendered by Helm, with its defaults and with the values of the guide",
    () => {
      const file = join(temporaryFolder(), "values.yaml");
      writeFileSync(file, shownValues);
      for (const options of [[], ["--values", file]]) {
        expect(checked("helm", "lint", "--strict", chart, ...options)).toMatchObject({ status: 0 });
        const { status, stdout, printed } = checked(
          "helm",
          "template",
          "secplat",
          chart,
          ...options,
        );
        expect(status, printed).toBe(0);
        const kinds = parseAllDocuments(stdout).map((each) => (each.toJS() as Kind | null)?.kind);
        expect(kinds).toEqual(expect.arrayContaining(["Deployment", "NetworkPolicy", "Service"]));
        if (options.length > 0) expect(stdout).toContain("s3://secplat/files?region=eu-central-1");
      }
      const refused = checked("helm", "template", "secplat", chart, "--set", "replicas=0");
      expect(refused.status).not.toBe(0);
    },
  );

  test("passes variables that the command knows, and no secret as text", async () => {
    const text = read("chart/templates/deployment.yaml");
    const names = text.match(/SECPLAT_\w+/g) ?? [];
    const variables = await variablesOfServe();
    expect(names.length).toBeGreaterThan(3);
    expect(names.filter((name) => !variables.has(name))).toEqual([]);
    expect(text).toMatch(/name: SECPLAT_DATABASE\n\s+valueFrom:\n\s+secretKeyRef:/);
  });
});

describe("the settings of the chart", () => {
  const values = parse(read("chart/values.yaml")) as Readonly<Record<string, unknown>>;
  const schema = JSON.parse(read("chart/values.schema.json")) as {
    readonly properties: Readonly<Record<string, { readonly properties?: object }>>;
  };
  const passed = read("chart/templates/deployment.yaml");

  test("are those of secplat.yaml that no other value passes, without those that may have passwords", () => {
    const isPassed = (setting: Setting): boolean =>
      [...variablesOf(setting), ...flagsOf(setting)].some((name) =>
        new RegExp(`- (?:name: )?${name}$`, "m").test(passed),
      );
    const others = settings.filter((each) => !isPassed(each) && !("isSecret" in each));
    const ofServer = ["host", "port", "data"];
    const names = others.map(({ name }) => name).filter((name) => !ofServer.includes(name));
    expect(names.length).toBeGreaterThan(25);
    const all = settingProperties();
    expect(schema.properties["settings"]).toEqual({
      type: "object",
      additionalProperties: false,
      properties: JSON.parse(
        JSON.stringify(Object.fromEntries(names.map((name) => [name, all[name]]))),
      ),
    });
  });

  test.each([
    [{ "rate-limit": 7, "cors-origin": ["none"], compat: true }, true],
    [{ "rate-limt": 7 }, false],
    [{ "rate-limit": "7" }, false],
    [{ database: "postgres://u:p@h/d" }, false],
  ])("%j: %s", (set, isValid) => {
    const ajv = new Ajv({ allErrors: true, strict: true, strictTypes: false });
    expect(ajv.validate(schema, { ...values, settings: set })).toBe(isValid);
  });
});

describe("the dashboard and the alerts", () => {
  const dashboard = read("monitoring/grafana-dashboard.json");
  const rules = read("monitoring/prometheus-rules.yaml");

  interface Rules {
    readonly groups: readonly { readonly rules: readonly { alert: string; expr: string }[] }[];
  }
  const alerts = (parse(rules) as Rules).groups.flatMap((group) => group.rules);
  const queries = [...dashboard.matchAll(/"expr": (".*")/g)].map(
    ([, text = ""]) => JSON.parse(text) as string,
  );

  /** Names of metrics, and the labels in braces or after `by`. */
  const namesIn = (query: string) => query.match(/\b(?:secplat|nodejs|process)_\w+/g) ?? [];
  const labelsIn = (query: string) => [
    ...(query.match(/\w+(?==~?"|!=")/g) ?? []),
    ...[...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(", ")),
  ];

  test("name metrics and labels that a running server has", async () => {
    const store = await openStoreAt({ url: "sqlite::memory:" });
    // Only PostgreSQL has a replica.
    const reads = { served: 3, behind: 2, away: 1 };
    vi.spyOn(store, "replica").mockReturnValue({ state: "serving", reads });
    const server = await startServer({
      store,
      logger: createLogger("silent"),
      metrics: { version: "1.0.0" },
      config: {
        host: "127.0.0.1",
        port: 0,
        databaseUrl: "sqlite::memory:",
        compat: false,
        docsFolder: null,
        development: false,
        backgroundWork: true,
        mail: null,
        outgoing: defaultOutgoing,
        limits: defaultLimits,
      },
    });
    onTestFinished(async () => {
      await server.close();
      await store.close();
    });
    await fetch(`${server.url}/healthz`);
    const at = new Date();
    await store.write("0".repeat(32), (transaction) =>
      transaction.enqueue({ kind: "jobs.purge" }, at),
    );
    const metrics = async () => (await server.metrics?.text()) ?? "";
    await expect.poll(metrics).toMatch(/^secplat_job_attempts_total\{.*"succeeded"\}/m);
    await expect.poll(metrics).toMatch(/^secplat_files /m);
    const text = await metrics();
    const metricNames = new Set(text.match(/^[a-z]\w*/gm));
    expect(alerts.length).toBeGreaterThan(5);
    expect(queries.length).toBeGreaterThan(20);
    const used = [...queries, ...alerts.map(({ expr }) => expr)];
    const unknown = used.flatMap(namesIn).filter((name) => !metricNames.has(name));
    expect(unknown).toEqual([]);
    const labels = new Set(["job", "instance", ...(text.match(/\w+(?==")/g) ?? [])]);
    expect(used.flatMap(labelsIn).filter((label) => !labels.has(label))).toEqual([]);
  });

  test("have a test for each alert", () => {
    const tests = read("monitoring/prometheus-rules.test.yaml");
    expect(alerts.filter(({ alert }) => !tests.includes(`alertname="${alert}"`))).toEqual([]);
  });
});

test("the systemd unit names variables that the command knows", async () => {
  const names = read("secplat.service").match(/SECPLAT_\w+/g) ?? [];
  const variables = await variablesOfServe();
  expect(names.length).toBeGreaterThan(1);
  expect(names.filter((name) => !variables.has(name))).toEqual([]);
});

testWith("systemd-analyze")("systemd accepts the unit", () => {
  const unit = join(folder, "secplat.service");
  expect(checked("systemd-analyze", "verify", unit)).toMatchObject({ status: 0, printed: "" });
  const wrong = join(temporaryFolder(), "secplat.service");
  writeFileSync(wrong, read("secplat.service").replace("ExecStart=", "ExecStrt="));
  expect(checked("systemd-analyze", "verify", wrong).printed).toContain("ExecStrt");
});
