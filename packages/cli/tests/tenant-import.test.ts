/** @module-tag exhaustive */
/** A folder of files becomes a tenant's configuration. */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startLiveServer, type LiveServer } from "../../client/tests/support/live-server.ts";
import { filesOf, writeFiles } from "./support/tenant-files.ts";
import { edit, filledTenant, newTenant, succeed } from "./support/tenants.ts";

const nightly = { tags: ["nightly"] };

let server: LiveServer;
let finish: () => Promise<void>;

beforeAll(async () => {
  server = await startLiveServer({}, {}, (cleanUp) => (finish = cleanUp));
});
afterAll(() => finish());

test("a plan names exactly what was changed in the files", async () => {
  const run = await filledTenant(server);
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

test(
  "--prune deletes what the folder does not describe, in the order of references",
  nightly,
  async () => {
    const run = await filledTenant(server);
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
  },
);

test("--prune refuses to delete all records of a kind that has no folder", async () => {
  const run = await filledTenant(server);
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

test("records that no operation changes are replaced", nightly, async () => {
  const run = await filledTenant(server);
  edit(run, "identity-protection-rules/second-factor.yaml", (text) => text.replace("RDP", "SMB"));
  const plan = await succeed(run, "import", "config", "--yes");
  expect(plan).toContain(
    '  ± Second factor\n      activity.accessType.include: - "RDP", + "SMB"\n',
  );
  expect(await succeed(run, "diff", "config")).toMatch(/^Nothing to change/);
});

test("a replacement that the server refuses leaves the old record", async () => {
  const run = await filledTenant(server);
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

test(
  "a label that a classification uses is not replaced, and nothing is applied",
  nightly,
  async () => {
    const run = await filledTenant(server);
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
  },
);

test("problems of files are reported together with their lines, and nothing is applied", async () => {
  const run = await filledTenant(server);
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
    "config/host-groups/kiosks.yaml:1: record.group_type: is required",
    "config/host-groups/kiosks.yaml:2: record.group_typ: unknown field; did you mean group_type?",
    "config/host-groups/servers.yaml:2: not YAML",
    "config/content-patterns/contract-numbers.yaml:2: record.category: " +
      'expected one of PII, PCI DSS, PHI, Custom, ITAR, Secret, got "Customs"; did you mean Custom?',
    "config/slas/critical.yaml:1: slas/copy.yaml also describes Critical; remove one",
    "config/users/empty.yaml:1: expected the members of a record, such as name: Servers",
    "config/precedence.yaml:2: record.prevention-policies.Windos: unknown field; did you mean Windows?",
    "",
  ]);
  expect((await run(["tenant", "diff", "config"])).exitCode).toBe(2);
  await succeed(run, "export", "after");
  expect(filesOf(join(run.folder, "after"))).toEqual(before);
});

test(
  "references, names in orders and variables are checked before anything is applied",
  nightly,
  async () => {
    const run = await filledTenant(server);
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
  },
);

test("--prune refuses to delete what a file refers to", nightly, async () => {
  const run = await filledTenant(server);
  rmSync(join(run.folder, "config/slas/critical.yaml"));
  const { exitCode, stderr } = await run(["tenant", "import", "config", "--prune", "--yes"]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(
    "config/case-templates/ransomware.yaml:13: sla_id: the folder does not describe Critical of slas, so --prune would delete it",
  );
});

test("an import that fails in the middle is completed by the next one", async () => {
  const run = await newTenant(server);
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
  const run = await newTenant(server);
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

test("wrong folders and kinds are refused", nightly, async () => {
  const run = await newTenant(server);
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
