/** The configuration of a tenant as a folder of files. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testWith } from "../../../testing/platform.ts";
import { startLiveServer, type LiveServer } from "../../client/tests/support/live-server.ts";
import { commandLine, type CommandLine } from "../src/testing/command-line.ts";
import { demoFolder } from "../src/testing/prepared-folder.ts";
import { temporaryFolder } from "../src/testing/temporary-folder.ts";
import { secplat } from "./support/process.ts";
import { serve } from "./support/server.ts";
import { limitedFiles, smallFileSystem } from "./support/storage.ts";
import { filesOf, handWritten, secrets, writeFiles } from "./support/tenant-files.ts";

let server: LiveServer;
let finish: () => Promise<void>;

beforeAll(async () => {
  server = await startLiveServer({}, {}, (cleanUp) => (finish = cleanUp));
});
afterAll(() => finish());

/** A tenant with nothing but the catalogue; its command line has the variables of `handWritten`. */
async function newTenant(
  on: LiveServer = server,
  answers?: readonly string[],
): Promise<CommandLine> {
  const tenant = await on.newTenant();
  const { baseUrl, clientId, clientSecret } = await on.newCredentials({ tenant });
  return commandLine({
    environment: {
      SECPLAT_URL: baseUrl,
      SECPLAT_CLIENT_ID: clientId,
      SECPLAT_CLIENT_SECRET: clientSecret,
      ...secrets,
    },
    ...(answers === undefined ? {} : { terminal: true, answers }),
  });
}

async function succeed(run: CommandLine, ...words: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await run(["tenant", ...words]);
  expect([exitCode, stderr]).toEqual([0, ""]);
  return stdout;
}

/** A tenant with the records of `handWritten`, and their export in `config`. Users are unique on a server. */
async function filledTenant(): Promise<CommandLine> {
  const run = await newTenant();
  writeFiles(join(run.folder, "written"), handWritten);
  await succeed(run, "import", "written", "--yes", "--only", kindsButUsers);
  await succeed(run, "export", "config");
  return run;
}

const kindsButUsers = [...new Set(Object.keys(handWritten).map((path) => path.split("/")[0] ?? ""))]
  .filter((kind) => !/users|user-groups|\.yaml/.test(kind))
  .join(",");

/** Changes a file of the folder `config`. */
function edit(run: CommandLine, path: string, change: (text: string) => string): void {
  const file = join(run.folder, "config", path);
  const text = readFileSync(file, "utf8");
  expect(change(text)).not.toBe(text);
  writeFileSync(file, change(text));
}

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

test("the demo can be moved to another server", async () => {
  const { folder } = await demoFolder();
  const demo = await serve([], { folder });
  const source = commandLine({ folder, environment: { SECPLAT_URL: demo.greeting.url } });
  await succeed(source, "export", "config");
  const exported = filesOf(join(folder, "config"));
  await demo.stop();
  expect(Object.keys(exported)).toEqual(
    expect.arrayContaining(["host-groups/site-oslo.yaml", "user-groups/night-shift.yaml"]),
  );

  const target = await newTenant(await startLiveServer());
  writeFiles(join(target.folder, "config"), exported);
  await succeed(target, "import", "config", "--yes");
  await succeed(target, "export", "again");
  expect(filesOf(join(target.folder, "again"))).toEqual(exported);
});

test("a plan names exactly what was changed in the files", async () => {
  const run = await filledTenant();
  edit(run, "prevention-policies/windows-kiosks.yaml", (text) =>
    text
      .replace("description: In the shops\n", "")
      .replace("  - Kiosks", "  - Servers")
      .replace(
        "  CloudAntiMalware:\n    detection: DISABLED",
        "  CloudAntiMalware:\n    detection: MODERATE",
      ),
  );
  edit(run, "case-templates/ransomware.yaml", (text) =>
    text.replace("sla_id: Critical\n", "").replace("      - value: Finance\n", ""),
  );
  edit(run, "precedence.yaml", (text) =>
    text.replace("    - Kiosks\n    - Servers", "    - Servers\n    - Kiosks"),
  );
  writeFiles(join(run.folder, "config"), {
    "host-groups/new.yaml": "name: New\ngroup_type: dynamic\n",
  });
  const outcome = await run(["tenant", "diff", "config"]);
  expect(outcome.stdout).toBe(`host-groups
  + New
prevention-policies
  ~ Windows: Kiosks
      description: "In the shops" → (empty)
      settings.CloudAntiMalware.detection: "DISABLED" → "MODERATE"
      groups: - "Kiosks", + "Servers"
case-templates
  ~ Ransomware
      fields.Business unit.options.Finance: {"value":"Finance"} → (empty)
      sla_id: "Critical" → (empty)
prevention-policies
  ~ Windows: order
      Kiosks, Servers
    → Servers, Kiosks
1 to create, 3 to update, 0 to delete, 92 the same.
`);
  expect(outcome.exitCode).toBe(1);
  expect(await succeed(run, "import", "config", "--dry-run")).toBe(outcome.stdout);
  const { changes } = await run.json<{ readonly changes: readonly object[] }>([
    "tenant",
    "import",
    "config",
    "--yes",
  ]);
  expect(changes).toContainEqual({
    action: "create",
    kind: "host-groups",
    name: "New",
    file: "host-groups/new.yaml",
  });
  expect(await succeed(run, "diff", "config")).toMatch(/^Nothing to change/);
});

test("--prune deletes what the folder does not describe, in the order of references", async () => {
  const run = await filledTenant();
  writeFiles(join(run.folder, "config"), {
    "prevention-policies/windows-laptops.yaml": "name: Laptops\nplatform_name: Windows\n",
  });
  await succeed(run, "import", "config", "--yes");
  for (const path of [
    "host-groups/servers.yaml",
    "prevention-policies/windows-servers.yaml",
    "data-protection-policies/win-first.yaml",
    "ioa-exclusions/nightly-backup.yaml",
    "slas/critical.yaml",
    "notification-groups/on-call.yaml",
    "case-templates/ransomware.yaml",
    "identity-protection-rules/second-factor.yaml",
  ]) {
    rmSync(join(run.folder, "config", path));
  }
  edit(run, "precedence.yaml", (text) =>
    text.replace("    - Servers\n", "    - Laptops\n").replace("    - First\n", ""),
  );
  expect(await succeed(run, "import", "config", "--dry-run")).toContain(
    "→ Kiosks, Laptops, Servers\n0 to create, 1 to update, 0 to delete",
  );
  edit(run, "precedence.yaml", (text) => text.replace("    - Laptops\n", ""));
  expect(await succeed(run, "import", "config", "--yes")).toBe(
    "Nothing to change: 87 records are the same.\nOnly in the tenant, and kept without --prune: host-groups Servers, " +
      "prevention-policies Windows: Servers, ioa-exclusions Nightly backup, data-protection-policies win: First, " +
      "identity-protection-rules Second factor and 3 more\n",
  );
  expect((await run(["tenant", "diff", "config"])).exitCode).toBe(1);
  edit(run, "precedence.yaml", (text) =>
    text.replace("    - Kiosks\n", "    - Laptops\n    - Kiosks\n"),
  );
  const plan = await succeed(run, "import", "config", "--prune", "--yes");
  expect(plan).toContain("→ Laptops, Kiosks\n0 to create, 1 to update, 8 to delete");
  expect(plan.indexOf("- Servers")).toBeGreaterThan(plan.indexOf("- Windows: Servers"));
  expect(await succeed(run, "diff", "config")).toMatch(/^Nothing to change/);
});

test("--prune refuses to delete all records of a kind that has no folder", async () => {
  const run = await filledTenant();
  rmSync(join(run.folder, "config/case-templates"), { recursive: true });
  rmSync(join(run.folder, "config/ioa-exclusions"), { recursive: true });
  const words = ["tenant", "import", "config", "--prune", "--yes"];
  const refused = await run(words);
  expect([refused.exitCode, refused.stdout]).toEqual([2, ""]);
  expect(refused.stderr).toBe(
    "secplat: config has no folder ioa-exclusions, so --prune would delete all 2 ioa-exclusions; " +
      "create the folder, or name the kinds with --only\n" +
      "config has no folder case-templates, so --prune would delete the only one of case-templates; " +
      "create the folder, or name the kinds with --only\n",
  );
  expect((await run(["tenant", "diff", "config"])).stdout).toContain("3 to delete");
  expect(await succeed(run, ...words.slice(1), "--only", "case-templates,slas")).toContain(
    "1 to delete",
  );
  mkdirSync(join(run.folder, "config/ioa-exclusions"));
  expect(await succeed(run, ...words.slice(1))).toContain("2 to delete");
});

test("records that no operation changes are replaced", async () => {
  const run = await filledTenant();
  edit(run, "identity-protection-rules/second-factor.yaml", (text) => text.replace("RDP", "SMB"));
  const plan = await succeed(run, "import", "config", "--yes");
  expect(plan).toContain(
    '  ± Second factor\n      activity.accessType.include: - "RDP", + "SMB"\n',
  );
  expect(await succeed(run, "diff", "config")).toMatch(/^Nothing to change/);
});

test("a replacement that the server refuses leaves the old record", async () => {
  const run = await filledTenant();
  edit(run, "identity-protection-rules/second-factor.yaml", (text) =>
    text.replace("    include:\n", "    exclude:\n      - RDP\n    include:\n"),
  );
  const { exitCode, stderr } = await run(["tenant", "import", "config", "--yes"]);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining("RDP is also in include")]);
  await succeed(run, "export", "after", "--only", "identity-protection-rules");
  expect(filesOf(join(run.folder, "after"))).toEqual({
    "identity-protection-rules/second-factor.yaml": expect.stringContaining("Second factor"),
  });
});

test("a label that a classification uses is not replaced, and nothing is applied", async () => {
  const run = await filledTenant();
  edit(run, "sensitivity-labels/confidential.yaml", (text) =>
    text.replace("display_name: Confidential", "display_name: Secret"),
  );
  writeFiles(join(run.folder, "config"), {
    "host-groups/new.yaml": "name: New\ngroup_type: dynamic\n",
  });
  const problem =
    "secplat: nothing was changed\nconfig/sensitivity-labels/confidential.yaml:2: confidential cannot change, because " +
    "no operation changes sensitivity-labels and classifications Contracts refers to it; " +
    "choose another name, or remove the references first\n";
  for (const only of [[], ["--only", "sensitivity-labels"]]) {
    const { exitCode, stderr } = await run(["tenant", "import", "config", "--yes", ...only]);
    expect([exitCode, stderr]).toEqual([2, problem]);
  }
  rmSync(join(run.folder, "config/sensitivity-labels/confidential.yaml"));
  await succeed(run, "export", "config");
  writeFiles(join(run.folder, "config"), {
    "sensitivity-labels/internal.yaml":
      "name: internal\ndisplay_name: Internal\nlabel_provider: microsoft\n",
  });
  await succeed(run, "import", "config", "--yes");
  edit(run, "sensitivity-labels/internal.yaml", (text) => text.replace("Internal", "House"));
  expect(await succeed(run, "import", "config", "--yes")).toContain("± internal");
  expect(await succeed(run, "diff", "config")).toMatch(/^Nothing to change/);
});

test("problems of files are reported together with their lines, and nothing is applied", async () => {
  const run = await filledTenant();
  const before = filesOf(join(run.folder, "config"));
  edit(run, "host-groups/kiosks.yaml", (text) => text.replace("group_type", "group_typ"));
  edit(run, "host-groups/servers.yaml", (text) => text.replace("name:", "name: ["));
  edit(run, "content-patterns/contract-numbers.yaml", (text) => text.replace("Custom", "Customs"));
  writeFiles(join(run.folder, "config"), {
    "host-group/x.yaml": "name: X\n",
    "slas/copy.yaml": before["slas/critical.yaml"] ?? "",
    "users/empty.yaml": "- uid\n",
    "host-groups/new.yaml": "name: New\ngroup_type: dynamic\n",
    "precedence.yaml": "prevention-policies:\n  Windos: []\n",
  });
  const outcome = await run(["tenant", "import", "config", "--yes"]);
  expect([outcome.exitCode, outcome.stdout]).toEqual([2, ""]);
  expect(
    outcome.stderr.split("\n").map((line) => line.replace(/: not YAML: .*/, ": not YAML")),
  ).toEqual([
    "secplat: nothing was changed",
    "config/host-group/x.yaml:1: host-group is no kind of record. Did you mean host-groups?",
    "config/host-groups/kiosks.yaml:2: record has no member group_typ. Did you mean group_type?",
    "config/host-groups/servers.yaml:2: not YAML",
    "config/content-patterns/contract-numbers.yaml:2: record.category cannot be 'Customs'. " +
      "Expected one of PII, PCI DSS, PHI, Custom, ITAR, Secret. Did you mean Custom?",
    "config/slas/critical.yaml:1: slas/copy.yaml also describes Critical; remove one",
    "config/users/empty.yaml:1: expected the members of a record, such as name: Servers",
    "config/precedence.yaml:2: record.prevention-policies has no member Windos. Did you mean Windows?",
    "",
  ]);
  expect((await run(["tenant", "diff", "config"])).exitCode).toBe(2);
  await succeed(run, "export", "after");
  expect(filesOf(join(run.folder, "after"))).toEqual(before);
});

test("references, names in orders and variables are checked before anything is applied", async () => {
  const run = await filledTenant();
  const before = filesOf(join(run.folder, "config"));
  edit(run, "ioa-exclusions/nightly-backup.yaml", (text) =>
    text.replace("- Servers", "- Kiosks\n  - Server"),
  );
  edit(run, "host-groups/kiosks.yaml", (text) => text.replace("static", "dynamic"));
  edit(run, "precedence.yaml", (text) => text.replace("- Kiosks", "- Kiosk"));
  edit(run, "notification-groups/on-call.yaml", (text) =>
    text.replace("93.184.215.14/cases", "93.184.215.14/other").replace("ON_CALL_3_URL", "UNSET"),
  );
  writeFiles(join(run.folder, "config"), {
    "host-groups/new.yaml": "name: New\ngroup_type: dynamic\n",
  });
  const outcome = await run(["tenant", "import", "config", "--yes"]);
  expect([outcome.exitCode, outcome.stdout]).toEqual([2, ""]);
  expect(outcome.stderr).toBe(
    `secplat: nothing was changed
config/host-groups/kiosks.yaml:2: group_type of Kiosks cannot change from "static"; choose another name, or delete the record first
config/ioa-exclusions/nightly-backup.yaml:8: host_groups.1: neither the tenant nor the folder has host-groups called Server. Did you mean Servers?
config/notification-groups/on-call.yaml:2: set the variable UNSET to the secret
config/precedence.yaml:3: Windows has no prevention-policies called Kiosk. Did you mean Kiosks?
`,
  );
  await succeed(run, "export", "after");
  expect(filesOf(join(run.folder, "after"))).toEqual(before);
});

test("--prune refuses to delete what a file refers to", async () => {
  const run = await filledTenant();
  rmSync(join(run.folder, "config/slas/critical.yaml"));
  const { exitCode, stderr } = await run(["tenant", "import", "config", "--prune", "--yes"]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(
    "config/case-templates/ransomware.yaml:13: sla_id: the folder does not describe Critical of slas, so --prune would delete it",
  );
});

test("an import that fails in the middle is completed by the next one", async () => {
  const run = await newTenant();
  const files = {
    "host-groups/servers.yaml": "name: Servers\ngroup_type: dynamic\n",
    "ioa-exclusions/a.yaml":
      'name: A\npattern_id: "5702"\nifn_regex: "(agent"\ncl_regex: .*\nhost_groups: [Servers]\n',
    "slas/critical.yaml": "name: Critical\ngoals:\n  - type: ack\n    duration_seconds: 900\n",
  };
  writeFiles(join(run.folder, "config"), files);
  const outcome = await run(["tenant", "import", "config", "--yes"]);
  expect(outcome.exitCode).toBe(1);
  expect(outcome.stderr).toMatch(/^secplat: ioa-exclusions\/a\.yaml: .*ifn_regex/s);
  expect(outcome.stderr).toMatch(/\n1 of 3 changes made; import again to make the others\n$/);
  edit(run, "ioa-exclusions/a.yaml", (text) => text.replace("(agent", "agent"));
  expect(await succeed(run, "import", "config", "--yes")).toContain(
    "2 to create, 0 to update, 0 to delete, 1 the same",
  );
  expect(await succeed(run, "import", "config", "--yes")).toMatch(/^Nothing to change/);
});

test("an import asks on a terminal, and needs --yes elsewhere", async () => {
  const files = { "host-groups/a.yaml": "name: A\ngroup_type: dynamic\n" };
  const run = await newTenant();
  writeFiles(join(run.folder, "config"), files);
  const refused = await run(["tenant", "import", "config"]);
  expect([refused.exitCode, refused.stderr]).toEqual([
    2,
    "secplat: Make 1 change? There is no terminal to ask; confirm with --yes\n",
  ]);
  const atTerminal = await newTenant(server, []);
  writeFiles(join(atTerminal.folder, "config"), files);
  const declined = await atTerminal(["tenant", "import", "config"], "n\n");
  expect([declined.exitCode, declined.stderr]).toEqual([
    1,
    expect.stringContaining("nothing was changed"),
  ]);
  expect((await atTerminal(["tenant", "import", "config"], "y\n")).exitCode).toBe(0);
  expect((await atTerminal(["tenant", "import", "config"])).stdout).toMatch(/^Nothing to change/);
  writeFiles(join(atTerminal.folder, "config"), {
    "host-groups/a.yaml": "name: B\ngroup_type: dynamic\n",
  });
  const pruning = await atTerminal(
    ["tenant", "import", "config", "--only", "host-groups", "--prune", "--json"],
    "n\n",
  );
  expect([pruning.exitCode, pruning.stdout]).toEqual([1, ""]);
  expect(pruning.stderr).toContain(
    "  + B\nhost-groups (only in the tenant)\n  - A\n1 to create, 0 to update, 1 to delete, ",
  );
  expect(pruning.stderr).toContain("Make 2 changes, including 1 deletion? [y/N] ");
});

test("an export keeps names and comments of files, and deletes files only with --prune", async () => {
  const run = await filledTenant();
  const folder = join(run.folder, "config");
  renameSync(join(folder, "host-groups/servers.yaml"), join(folder, "host-groups/all-servers.yml"));
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
});

test("an export keeps the variables that a file names for the secrets of channels", async () => {
  const run = await newTenant();
  const path = "notification-groups/on-call.yaml";
  const slack = (variable = "ON_CALL_3_URL") =>
    `  - type: slack\n    params:\n      url: \${${variable}}\n`;
  const webhook = (name: string, variable = "ON_CALL_2_SECRET") =>
    "  - type: webhook\n    params:\n" +
    `      url: https://93.184.215.14/${name}\n      secret: \${${variable}}\n`;
  const file = (...channels: readonly string[]) => `name: On-call\nchannels:\n${channels.join("")}`;
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
});

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

test("an export removes the orders of policies that are gone", async () => {
  const run = await newTenant();
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

test("an export writes a file with aliases anew if its record has changed", async () => {
  const run = await newTenant();
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

test("names that differ only in signs get files of their own", async () => {
  const run = await newTenant();
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

test("wrong folders and kinds are refused", async () => {
  const run = await newTenant();
  writeFiles(run.folder, { "empty/readme.yaml": "" });
  for (const [words, message] of [
    [["import", "nowhere"], "there is no folder nowhere"],
    [
      ["import", "empty", "--prune", "--yes"],
      "empty describes no records; expected YAML files in empty/host-groups/",
    ],
    [["export", "x", "--only", "host-group"], "Did you mean host-groups?"],
  ] as const) {
    const { exitCode, stderr } = await run(["tenant", ...words]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
  }
});
