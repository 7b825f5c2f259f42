/** What `secplat tenant import --prune` deletes, and what protects a tenant from it. */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startLiveServer, type LiveServer } from "../../client/tests/support/live-server.ts";
import type { CommandLine } from "../src/testing/command-line.ts";
import { writeFiles } from "./support/tenant-files.ts";
import { newTenant, succeed } from "./support/tenants.ts";

let server: LiveServer;
let finish: () => Promise<void>;

beforeAll(async () => {
  server = await startLiveServer({}, {}, (cleanUp) => (finish = cleanUp));
});
afterAll(() => finish());

const only = ["--only", "host-groups,slas"];

/** A tenant with two host groups and an SLA, which `config` and `whole` describe. */
async function filled(replies?: readonly string[]): Promise<CommandLine> {
  const run = await newTenant(server, replies);
  const files = {
    "host-groups/a.yaml": "name: A\ngroup_type: dynamic\n",
    "host-groups/b.yaml": "name: B\ngroup_type: dynamic\n",
    "slas/critical.yaml": "name: Critical\ngoals:\n  - type: ack\n    duration_seconds: 900\n",
  };
  for (const folder of ["config", "whole"]) writeFiles(join(run.folder, folder), files);
  expect((await run(["tenant", "import", "whole", "--yes", ...only])).exitCode).toBe(0);
  return run;
}

/** What differs from the tenant as it was filled. */
const lost = async (run: CommandLine): Promise<readonly string[]> =>
  (await run(["tenant", "diff", "whole", ...only])).stdout.match(/^ {2}.*/gm) ?? [];

test("--prune deletes nothing without --yes where there is no terminal", async () => {
  const run = await filled();
  rmSync(join(run.folder, "config/host-groups/b.yaml"));
  const { exitCode, stderr } = await run(["tenant", "import", "config", "--prune", ...only]);
  expect([exitCode, stderr]).toEqual([
    2,
    "secplat: Make 1 change, including 1 deletion? There is no terminal to ask; confirm with --yes\n",
  ]);
  expect(await lost(run)).toEqual([]);
  expect(await succeed(run, "import", "config", "--prune", "--yes", ...only)).toContain(
    "1 of 1 change made",
  );
  expect(await lost(run)).toEqual(["  + B"]);
});

test("--prune asks on a terminal, and deletes nothing if the answer is no", async () => {
  const run = await filled([]);
  rmSync(join(run.folder, "config/host-groups/b.yaml"));
  const declined = await run(["tenant", "import", "config", "--prune", ...only], "n\n");
  expect([declined.exitCode, declined.stderr]).toEqual([
    1,
    expect.stringContaining("Make 1 change, including 1 deletion? [y/N] "),
  ]);
  expect(await lost(run)).toEqual([]);
  expect((await run(["tenant", "import", "config", "--prune", ...only], "y\n")).exitCode).toBe(0);
  expect(await lost(run)).toEqual(["  + B"]);
});

test("without --prune, an import keeps what the folder does not describe", async () => {
  const run = await filled();
  rmSync(join(run.folder, "config/host-groups/b.yaml"));
  expect(await succeed(run, "import", "config", "--yes", ...only)).toContain(
    "kept without --prune: host-groups B",
  );
  expect(await lost(run)).toEqual([]);
});

test("--prune refuses to delete all records of a kind whose folder is missing", async () => {
  const run = await filled();
  rmSync(join(run.folder, "config/host-groups"), { recursive: true });
  const words = ["tenant", "import", "config", "--prune", "--yes"];
  const refused = await run(words);
  expect([refused.exitCode, refused.stdout]).toEqual([2, ""]);
  expect(refused.stderr).toContain(
    "config has no folder host-groups, so --prune would delete all 2 host-groups; " +
      "create the folder, or name the kinds with --only\n",
  );
  expect(await lost(run)).toEqual([]);
  mkdirSync(join(run.folder, "config/host-groups"));
  expect(await succeed(run, "import", "config", "--prune", "--yes", ...only)).toContain(
    "2 of 2 changes made",
  );
});

test("--prune refuses a folder that describes nothing", async () => {
  const run = await filled();
  writeFiles(run.folder, { "empty/readme.yaml": "" });
  mkdirSync(join(run.folder, "empty/host-groups"));
  const { exitCode, stderr } = await run([
    "tenant",
    "import",
    "empty",
    "--prune",
    "--yes",
    ...only,
  ]);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("empty describes no records")]);
  expect(await lost(run)).toEqual([]);
});

const referring = ["--only", "notification-groups,slas"];

/** A tenant with an SLA that refers to a notification group. */
async function withReference(): Promise<CommandLine> {
  const run = await newTenant(server);
  const group =
    "name: On-call\nchannels:\n  - type: email\n    params:\n      recipients: [a@example.com]\n";
  const sla =
    "name: Critical\ngoals:\n  - type: ack\n    duration_seconds: 900\n    escalation_policy:\n" +
    "      steps:\n        - notification_group_id: On-call\n";
  writeFiles(join(run.folder, "config"), {
    "notification-groups/on-call.yaml": group,
    "notification-groups/kept.yaml": group.replace("On-call", "Kept"),
    "slas/critical.yaml": sla,
  });
  await succeed(run, "import", "config", "--yes", ...referring);
  return run;
}

test("--prune deletes a record before those that it refers to", async () => {
  const run = await withReference();
  rmSync(join(run.folder, "config/slas/critical.yaml"));
  rmSync(join(run.folder, "config/notification-groups/on-call.yaml"));
  expect(await succeed(run, "import", "config", "--prune", "--yes", ...referring)).toContain(
    "2 of 2 changes made",
  );
});

test("--prune refuses to delete what a file refers to", async () => {
  const run = await withReference();
  rmSync(join(run.folder, "config/notification-groups/on-call.yaml"));
  const words = ["tenant", "import", "config", "--prune", "--yes", ...referring];
  const { exitCode, stderr } = await run(words);
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringContaining(
      "the folder does not describe On-call of notification-groups, so --prune would delete it",
    ),
  ]);
  // Without --prune, the reference is to the record of the tenant.
  expect(await succeed(run, "import", "config", "--yes", ...referring)).toMatch(
    /^Nothing to change/,
  );
});
