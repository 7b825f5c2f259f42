/** @module-tag exhaustive */
/** A tenant's configuration is written to a folder of files. */
import { readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testWith } from "../../../testing/platform.ts";
import { startLiveServer, type LiveServer } from "../../client/tests/support/live-server.ts";
import { commandLine } from "../src/testing/command-line.ts";
import { demoFolder } from "../src/testing/prepared-folder.ts";
import { temporaryFolder } from "../src/testing/temporary-folder.ts";
import { secplat } from "./support/process.ts";
import { serve } from "./support/server.ts";
import { limitedFiles, smallFileSystem } from "./support/storage.ts";
import { filesOf, handWritten, writeFiles } from "./support/tenant-files.ts";
import { edit, filledTenant, newTenant, succeed } from "./support/tenants.ts";

const nightly = { tags: ["nightly"] };

let server: LiveServer;
let finish: () => Promise<void>;

beforeAll(async () => {
  server = await startLiveServer({}, {}, (cleanUp) => (finish = cleanUp));
});
afterAll(() => finish());

test("a tenant that is imported from an export exports the same bytes", async () => {
  const first = await newTenant(await startLiveServer());
  writeFiles(join(first.folder, "written"), handWritten);
  await succeed(first, "import", "written", "--yes");
  expect(await succeed(first, "import", "written", "--yes")).toMatch(/^Nothing to change/);
  await succeed(first, "export", "config");
  expect(await succeed(first, "diff", "config")).toMatch(/^Nothing to change/);
  const exported = filesOf(join(first.folder, "config"));
  expect(exported["precedence.yaml"]).toBe(`prevention-policies:
  Windows:
    - Kiosks
    - Servers
  Mac:
    - Servers
data-protection-policies:
  win:
    - Second
    - First
`);
  expect(exported["notification-groups/on-call.yaml"]).toBe(`name: On-call
channels:
  - type: email
    config_name: Mail
    params:
      recipients:
        - on-call@example.com
  - type: webhook
    params:
      url: https://93.184.215.14/cases
      secret: \${ON_CALL_2_SECRET}
  - type: slack
    params:
      url: \${ON_CALL_3_URL}
`);
  expect(exported["user-groups/night-shift.yaml"]).toBe(
    "name: Night shift\nmembers:\n  - mara@example.com\n  - tomas@example.com\n",
  );
  expect(Object.values(exported).join("\n")).not.toMatch(/[0-9a-f]{32}|20\d\d-\d\d-\d\dT/);

  const second = await newTenant(await startLiveServer());
  writeFiles(join(second.folder, "config"), exported);
  await succeed(second, "import", "config", "--yes");
  expect(await succeed(second, "import", "config", "--yes")).toMatch(/^Nothing to change/);
  await succeed(second, "export", "again");
  expect(filesOf(join(second.folder, "again"))).toEqual(exported);
});

test("the demo can be moved to another server", nightly, async () => {
  const { folder } = await demoFolder();
  const demo = await serve([], { folder });
  const source = commandLine({ folder, environment: { SECPLAT_URL: demo.greeting.url } });
  await succeed(source, "export", "config");
  const exported = filesOf(join(folder, "config"));
  await demo.stop();
  expect(Object.keys(exported)).toEqual(
    expect.arrayContaining(["host-groups/site-oslo.yaml", "user-groups/harbour-analysts.yaml"]),
  );

  const target = await newTenant(await startLiveServer(), undefined, {
    LEADS_OF_INCIDENTS_2_URL: "https://hooks.example.com/cases/incident-leads",
    ON_CALL_2_URL: "https://teams.example.com/hooks/on-call",
    ON_CALL_3_SECRET: "correct-horse-battery-staple",
  });
  writeFiles(join(target.folder, "config"), exported);
  await succeed(target, "import", "config", "--yes");
  await succeed(target, "export", "again");
  expect(filesOf(join(target.folder, "again"))).toEqual(exported);
});

test(
  "an export keeps names and comments of files, and deletes files only with --prune",
  nightly,
  async () => {
    const run = await filledTenant(server);
    const folder = join(run.folder, "config");
    renameSync(
      join(folder, "host-groups/servers.yaml"),
      join(folder, "host-groups/all-servers.yml"),
    );
    edit(
      run,
      "host-groups/all-servers.yml",
      (text) => `# The racks\n${text.replace("'Server'", "'Domain Controller' # not yet")}`,
    );
    writeFiles(folder, {
      "slas/gone.yaml": "name: Gone\ngoals:\n  - type: ack\n    duration_seconds: 9\n",
    });
    const report = await succeed(run, "export", "config");
    expect(report).toBe(
      "wrote host-groups/all-servers.yml\n" +
        "kept slas/gone.yaml, which the tenant does not have; --prune deletes it\n" +
        "1 file written, 94 the same, 0 deleted\n",
    );
    expect(readFileSync(join(folder, "host-groups/all-servers.yml"), "utf8")).toBe(
      "# The racks\nname: Servers\ngroup_type: dynamic\nassignment_rule: product_type_desc:'Server'\n",
    );
    expect(await succeed(run, "export", "config", "--prune")).toContain("deleted slas/gone.yaml");
    expect(await succeed(run, "diff", "config")).toMatch(/^Nothing to change/);
  },
);

test(
  "an export keeps the variables that a file names for the secrets of channels",
  nightly,
  async () => {
    const run = await newTenant(server);
    const path = "notification-groups/on-call.yaml";
    const slack = (variable = "ON_CALL_3_URL") =>
      `  - type: slack\n    params:\n      url: \${${variable}}\n`;
    const webhook = (name: string, variable = "ON_CALL_2_SECRET") =>
      "  - type: webhook\n    params:\n" +
      `      url: https://93.184.215.14/${name}\n      secret: \${${variable}}\n`;
    const file = (...channels: readonly string[]) =>
      `name: On-call\nchannels:\n${channels.join("")}`;
    writeFiles(join(run.folder, "config"), { [path]: file(webhook("a"), slack()) });
    await succeed(run, "import", "config", "--yes");
    const afterImportOf = async (...channels: readonly string[]) => {
      writeFiles(join(run.folder, "other"), { [path]: file(...channels) });
      await succeed(run, "import", "other", "--yes");
      await succeed(run, "export", "config", "--only", "notification-groups");
      return filesOf(join(run.folder, "config"))[path];
    };
    // The usual name of the second variable is that of another channel.
    expect(await afterImportOf(slack(), webhook("b"), webhook("a"))).toBe(
      file(slack(), webhook("b", "ON_CALL_3_SECRET"), webhook("a")),
    );
    expect(await afterImportOf(slack(), webhook("b"), webhook("c"))).toBe(
      file(slack(), webhook("b", "ON_CALL_3_SECRET"), webhook("c")),
    );
    expect(await afterImportOf(webhook("c"), webhook("b"))).toBe(
      file(webhook("c"), webhook("b", "ON_CALL_3_SECRET")),
    );
  },
);

testWith("ulimit")("a full disk ends an export with the name of the file", async () => {
  const { baseUrl, clientId, clientSecret } = await server.newCredentials({
    tenant: await server.newTenant(),
  });
  const parent = temporaryFolder();
  const { under, folder } = smallFileSystem(parent, 16) ?? limitedFiles(parent, 1);
  const environment = {
    SECPLAT_URL: baseUrl,
    SECPLAT_CLIENT_ID: clientId,
    SECPLAT_CLIENT_SECRET: clientSecret,
    // The cache of compiled code would also be cut off.
    NODE_DISABLE_COMPILE_CACHE: "1",
  };
  const words = ["tenant", "export", "config"];
  const { exitCode, stdout, stderr } = await secplat(words, { folder, under, environment });
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  expect(stderr).toMatch(
    /^secplat: cannot write \S*config\/\S+\.yaml: (the disk is full|EFBIG.*)\n$/,
  );
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  expect(names.filter((name) => name.endsWith(".part"))).toEqual([]);
});

test("an export removes the orders of policies that are gone", nightly, async () => {
  const run = await newTenant(server);
  const policy = "prevention-policies/kiosks.yaml";
  writeFiles(join(run.folder, "config"), {
    [policy]: "name: Kiosks\nplatform_name: Mac\n",
    "host-groups/a.yaml": "name: A\ngroup_type: dynamic\n",
  });
  await succeed(run, "import", "config", "--yes");
  await succeed(run, "export", "config");
  expect(filesOf(join(run.folder, "config"))["precedence.yaml"]).toContain("- Kiosks");
  writeFiles(join(run.folder, "other"), { "host-groups/a.yaml": "name: A\ngroup_type: dynamic\n" });
  const only = "host-groups,prevention-policies";
  await succeed(run, "import", "other", "--prune", "--yes", "--only", only);
  await succeed(run, "export", "config", "--prune");
  expect(filesOf(join(run.folder, "config"))).toMatchObject({ "precedence.yaml": "{}\n" });
  expect(await succeed(run, "diff", "config")).toMatch(/^Nothing to change/);
});

test("an export writes a file with aliases anew if its record has changed", nightly, async () => {
  const run = await newTenant(server);
  const folder = join(run.folder, "config");
  const path = "notification-groups/on-call.yaml";
  const channels = (recipient: string) => `channels:
  - type: email
    config_name: First
    params: &mail
      recipients:
        - ${recipient}
  - type: email
    config_name: Second
    params: *mail
`;
  writeFiles(folder, {
    [path]: `name: On-call\n${channels("a@example.com")}`,
    "precedence.yaml":
      "prevention-policies:\n  Windows: &order [One, Two]\n  Mac: *order\ndata-protection-policies: {}\n",
    ...Object.fromEntries(
      ["Windows", "Mac"].flatMap((platform) =>
        ["One", "Two"].map((name) => [
          `prevention-policies/${platform}-${name}.yaml`,
          `name: ${name}\nplatform_name: ${platform}\n`,
        ]),
      ),
    ),
  });
  await succeed(run, "import", "config", "--yes");
  writeFiles(join(run.folder, "other"), {
    [path]: `name: On-call\n${channels("a@example.com").replace("*mail", "{ recipients: [b@example.com] }")}`,
    "precedence.yaml": "prevention-policies:\n  Mac: [Two, One]\n",
  });
  await succeed(run, "import", "other", "--yes");
  await succeed(run, "export", "config");
  const exported = filesOf(folder);
  expect(exported[path]).not.toMatch(/[&*]/);
  expect(exported[path]).toMatch(/- a@example\.com[^]*- b@example\.com/);
  expect(exported["precedence.yaml"]).toBe(
    "prevention-policies:\n  Windows:\n    - One\n    - Two\n  Mac:\n    - Two\n    - One\n",
  );
  expect(await succeed(run, "diff", "config")).toMatch(/^Nothing to change/);
});

test("names that differ only in signs get files of their own", nightly, async () => {
  const run = await newTenant(server);
  const names = ["A b", "a-b", "con", "日本", "!", "ü".repeat(200)];
  writeFiles(
    join(run.folder, "config"),
    Object.fromEntries(
      names.map((name, index) => [
        `host-groups/${index}.yaml`,
        `name: ${JSON.stringify(name)}\ngroup_type: dynamic\n`,
      ]),
    ),
  );
  await succeed(run, "import", "config", "--yes");
  await succeed(run, "export", "again", "--only", "host-groups");
  expect(Object.keys(filesOf(join(run.folder, "again")))).toEqual([
    expect.stringMatching(/^host-groups\/a-b-[0-9a-f]{6}\.yaml$/),
    expect.stringMatching(/^host-groups\/a-b-[0-9a-f]{6}\.yaml$/),
    // The hash of "!", as no letters are left.
    "host-groups/bb7208.yaml",
    expect.stringMatching(/^host-groups\/con-[0-9a-f]{6}\.yaml$/),
    expect.stringMatching(/^host-groups\/u{60}-[0-9a-f]{6}\.yaml$/),
    "host-groups/日本.yaml",
  ]);
});
