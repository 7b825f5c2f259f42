/** The configuration of a tenant as a folder: out of a tenant and into another, changed in between. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startLiveServer, type LiveServer } from "../../client/tests/support/live-server.ts";
import type { CommandLine } from "../src/testing/command-line.ts";
import { filesOf, writeFiles, type Files } from "./support/tenant-files.ts";
import { edit, newTenant, succeed } from "./support/tenants.ts";

let server: LiveServer;
let finish: () => Promise<void>;

beforeAll(async () => {
  server = await startLiveServer({}, {}, (cleanUp) => (finish = cleanUp));
});
afterAll(() => finish());

/** Kinds that refer to each other, one with an order, and one whose records no operation changes. */
const only = [
  "--only",
  "host-groups,prevention-policies,ioa-exclusions,identity-protection-rules,notification-groups,slas",
];

const files: Files = {
  "host-groups/kiosks.yaml": "name: Kiosks\ngroup_type: dynamic\n",
  "prevention-policies/shops.yaml":
    "name: Shops\nplatform_name: Mac\nenabled: true\ngroups: [Kiosks]\n",
  "prevention-policies/offices.yaml": "name: Offices\nplatform_name: Mac\n",
  "precedence.yaml": "prevention-policies:\n  Mac: [Offices, Shops]\n",
  "ioa-exclusions/backup.yaml":
    'name: Backup\npattern_id: "41005"\nifn_regex: .*\\\\backup\\.exe\ncl_regex: .*\nhost_groups: [Kiosks]\n',
  "identity-protection-rules/mfa.yaml":
    "name: Second factor\naction: MFA\ntrigger: access\nenabled: true\nsimulation_mode: false\nactivity:\n  accessType:\n    include: [RDP]\n",
  "notification-groups/on-call.yaml":
    "name: On-call\nchannels:\n  - type: email\n    params:\n      recipients: [on-call@example.com]\n",
  "slas/critical.yaml":
    "name: Critical\ngoals:\n  - type: ack\n    duration_seconds: 900\n    escalation_policy:\n      steps:\n" +
    "        - notification_group_id: On-call\n          escalate_after_seconds: 60\n",
};

/** A tenant with the records of `files`, and their export in `config`. */
async function filled(): Promise<CommandLine> {
  const run = await newTenant(server);
  writeFiles(join(run.folder, "written"), files);
  await succeed(run, "import", "written", "--yes", ...only);
  await succeed(run, "export", "config", ...only);
  return run;
}

test("an export is imported into another tenant, and exported as the same bytes", async () => {
  const first = await filled();
  const exported = filesOf(join(first.folder, "config"));
  expect(Object.keys(exported)).toEqual(
    expect.arrayContaining(["host-groups/kiosks.yaml", "slas/critical.yaml", "precedence.yaml"]),
  );
  expect(exported["precedence.yaml"]).toContain("  Mac:\n    - Offices\n    - Shops\n");
  // References are names, because ids differ between tenants.
  expect(exported["slas/critical.yaml"]).toContain("notification_group_id: On-call\n");
  expect(Object.values(exported).join("\n")).not.toMatch(/[0-9a-f]{32}|20\d\d-\d\d-\d\dT/);

  const second = await newTenant(server);
  writeFiles(join(second.folder, "config"), exported);
  await succeed(second, "import", "config", "--yes", ...only);
  expect(await succeed(second, "import", "config", "--yes", ...only)).toMatch(/^Nothing to change/);
  await succeed(second, "export", "again", ...only);
  expect(filesOf(join(second.folder, "again"))).toEqual(exported);
});

test("changed, replaced and deleted files become changed, replaced and deleted records", async () => {
  const run = await filled();
  edit(run, "prevention-policies/mac-shops.yaml", (text) =>
    text.replace("name: Shops\n", "name: Shops\ndescription: All shops\n"),
  );
  edit(run, "precedence.yaml", (text) =>
    text.replace("- Offices\n    - Shops", "- Shops\n    - Offices"),
  );
  edit(run, "identity-protection-rules/second-factor.yaml", (text) => text.replace("RDP", "SMB"));
  rmSync(join(run.folder, "config/ioa-exclusions/backup.yaml"));
  const difference = await run(["tenant", "diff", "config", ...only]);
  expect(difference.exitCode).toBe(1);
  const lines = (text: string): readonly string[] => text.match(/^ {2}[-+~±].*/gm) ?? [];
  expect(lines(difference.stdout).toSorted()).toEqual([
    "  - Backup",
    "  ~ Mac: Shops",
    "  ~ Mac: order",
    "  ± Second factor",
  ]);
  const kept = await succeed(run, "import", "config", "--yes", ...only);
  expect(lines(kept)).not.toContain("  - Backup");
  expect(lines((await run(["tenant", "diff", "config", ...only])).stdout)).toEqual(["  - Backup"]);
  await succeed(run, "import", "config", "--prune", "--yes", ...only);
  expect(await succeed(run, "diff", "config", ...only)).toMatch(/^Nothing to change/);
  await succeed(run, "export", "after", ...only);
  expect(filesOf(join(run.folder, "after"))).toEqual(filesOf(join(run.folder, "config")));
});

test("an export deletes files of records that are gone only with --prune", async () => {
  const run = await filled();
  writeFiles(join(run.folder, "config"), {
    "slas/gone.yaml": "name: Gone\ngoals:\n  - type: ack\n    duration_seconds: 9\n",
  });
  expect(await succeed(run, "export", "config", ...only)).toContain(
    "kept slas/gone.yaml, which the tenant does not have; --prune deletes it\n",
  );
  expect(Object.keys(filesOf(join(run.folder, "config")))).toContain("slas/gone.yaml");
  expect(await succeed(run, "export", "config", "--prune", ...only)).toContain(
    "deleted slas/gone.yaml",
  );
  expect(Object.keys(filesOf(join(run.folder, "config")))).not.toContain("slas/gone.yaml");
});

test("nothing is applied if a file is wrong, and each problem has its place", async () => {
  const run = await filled();
  writeFiles(join(run.folder, "config"), {
    "host-groups/new.yaml": "name: New\ngroup_type: dynamic\n",
    "host-groups/wrong.yaml": "name: Wrong\ngroup_type: static-by-name\n",
    "ioa-exclusions/wrong.yaml":
      'name: W\npattern_id: "1"\nifn_regex: .*\ncl_regex: .*\nhost_groups: [Nowhere]\n',
  });
  const { exitCode, stdout, stderr } = await run(["tenant", "import", "config", "--yes", ...only]);
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/host-groups\/wrong\.yaml:2\b.*group_type/);
  expect(stderr).not.toContain("host-groups/new.yaml");
  await succeed(run, "export", "after", ...only);
  expect(Object.keys(filesOf(join(run.folder, "after")))).not.toContain("host-groups/new.yaml");
});

test("a folder that does not exist, and an unknown kind, are refused", async () => {
  const run = await newTenant(server);
  for (const [words, message] of [
    [["import", "nowhere"], "there is no folder nowhere"],
    [["diff", "nowhere"], "there is no folder nowhere"],
    [["export", "x", "--only", "host-group"], "Did you mean host-groups?"],
  ] as const) {
    const { exitCode, stderr } = await run(["tenant", ...words]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
  }
});
