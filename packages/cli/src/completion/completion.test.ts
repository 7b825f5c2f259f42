import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { calledDocument } from "@security-platform/spec";
import { expect, test } from "vitest";
import { serve } from "../../tests/support/server.ts";
import { commandLine, type CommandLine } from "../testing/command-line.ts";
import { demoFolder } from "../testing/prepared-folder.ts";
import { completionScripts, shells } from "./scripts.ts";

/** The candidates for the last word of a line, without descriptions. */
async function complete(line: string, run: CommandLine = commandLine()) {
  const { stdout, stderr } = await run(["__complete", "fish", line]);
  expect(stderr).toBe("");
  return stdout.split("\n").flatMap((each) => (each === "" ? [] : [each.split("\t")[0]]));
}

test.each([
  ["secplat tena", ["tenants", "tenant"]],
  ["secplat ioa", ["ioa-exclusions"]],
  ["secplat help ioa", ["ioa-exclusions"]],
  ["secplat ioc list-ind", ["list-indicator-ids", "list-indicator-types", "list-indicators"]],
  ["secplat call indicator.comb", ["indicator.combined.v1"]],
  ["secplat call indicator.combined.v1 --fil", ["--filter"]],
  ["secplat profile ", ["list", "use", "remove"]],
  ["secplat ioc list-indicators --from-parent ", ["true", "false"]],
  ["secplat ioc list-indicators --from-parent --al", ["--all"]],
  ["secplat ioc list-indicators --all --al", []],
  ["secplat ioc list-indicators --ten", ["--tenant"]],
  ["secplat ioc count-devices --type d", ["domain"]],
  ["secplat ioc count-devices --type=d", ["--type=domain"]],
  [`secplat ioc list-indicators --filter "a b" --output j`, ["json"]],
  ["secplat jobs list --state ru", ["running"]],
  ["secplat completion z", ["zsh"]],
  ["secplat import tenant-", ["tenant-groups"]],
  ["secplat import hosts ", [":files"]],
  ["secplat ioc create-indicators --body x", [":files"]],
  ["secplat api G", ["GET"]],
  ["secplat api GET /iocs/comb", ["/iocs/combined/indicator/v1"]],
  ["secplat fql check ioc.list-indicators", ["ioc.list-indicators"]],
  ["secplat nothing ", []],
  ["secplat ioc nothing --", ["--help"]],
  ["secplat exec -- --", []],
])("completes %j", async (line, candidates) => {
  expect(await complete(line)).toEqual(candidates);
});

test("offers every option and every enumeration of every operation", async () => {
  const run = commandLine();
  const { operations } = calledDocument();
  const enumerated = operations.flatMap(({ id, parameters }) =>
    parameters.flatMap(({ name, schema }) =>
      Array.isArray(schema["enum"])
        ? [{ id, flag: `--${name.toLowerCase().replaceAll("_", "-")}`, values: schema["enum"] }]
        : [],
    ),
  );
  expect(enumerated.length).toBeGreaterThan(5);
  for (const { id, flag, values } of enumerated) {
    expect(await complete(`secplat call ${id} ${flag} `, run), `${id} ${flag}`).toEqual(
      values.map(String),
    );
  }
});

test("describes candidates for shells that show it", async () => {
  const run = commandLine();
  const zsh = await run(["__complete", "zsh", "secplat tenants"]);
  expect(zsh.stdout).toBe("tenants\tmanage tenants\n");
  expect((await run(["__complete", "bash", "secplat tenants", "tenants"])).stdout).toBe(
    "tenants\n",
  );
});

test("gives bash the part after the last = or :, which it regards as a word", async () => {
  const run = commandLine();
  const afterEquals = await run(["__complete", "bash", "secplat jobs list --state=ru", "ru"]);
  expect(afterEquals.stdout).toBe("running\n");
});

test("completes names of profiles, also if one is broken", async () => {
  const run = commandLine();
  const file = join(run.folder, "profiles.json");
  const profiles = commandLine({
    folder: run.folder,
    environment: { SECPLAT_PROFILES: file },
  });
  writeFileSync(file, JSON.stringify({ staging: { url: "https://api.example" }, production: 1 }));
  expect(await complete("secplat profile use st", profiles)).toEqual(["staging"]);
  expect(await complete("secplat ioc list-indicators --profile pro", profiles)).toEqual([
    "production",
  ]);
  writeFileSync(file, "no JSON");
  expect(await complete("secplat profile use st", profiles)).toEqual([]);
});

test(
  "completes ids from the server on this machine, and from no other",
  { tags: ["exhaustive"] },
  async () => {
    const { folder } = await demoFolder();
    const run = commandLine({ folder });
    const line = "secplat ioc get-indicators --ids ";
    expect(await complete(line, run)).toEqual([]);
    const server = await serve([], { folder });
    const { stdout } = await run(["ioc", "list-indicator-ids", "--limit", "100"]);
    const ids = stdout.trim().split("\n");
    expect(await complete(line, run)).toEqual(ids);
    const [first = ""] = ids;
    expect(await complete(`${line}${first.slice(0, 40)}`, run)).toEqual([first]);
    // The list has one more value, whose option is still the same.
    expect(await complete(`${line}${first} ${first.slice(0, 40)}`, run)).toEqual([first]);
    expect(await complete("secplat ioc get-indicators --url http://a.example --ids ", run)).toEqual(
      [],
    );
    const cases = (await run(["case-management", "list-case-ids"])).stdout.trim().split("\n");
    expect(cases.length).toBeGreaterThan(1);
    expect(await complete("secplat case-management remove-tags --id ", run)).toEqual(cases);
    const hosts = (await run(["companion", "list-host-ids"])).stdout.trim().split("\n");
    expect(hosts.length).toBeGreaterThan(1);
    expect(await complete("secplat ioc list-process-ids --device-id ", run)).toEqual(hosts);
    await server.stop();
    expect(await complete(line, run)).toEqual([]);
  },
);

test(
  "completes what list commands show of the database of a server on this machine",
  { tags: ["exhaustive"] },
  async () => {
    const { folder } = await demoFolder();
    const run = commandLine({ folder });
    const shown = async (list: string, ...members: readonly string[]) => {
      const records = await run.json<readonly Readonly<Record<string, unknown>>[]>(list.split(" "));
      expect(records.length).toBeGreaterThan(0);
      return members.flatMap((member) => records.map((record) => record[member]));
    };
    const tenants = await shown("tenants list", "cid");
    expect(await complete("secplat jobs list --tenant ", run)).toEqual([]);
    const server = await serve([], { folder });
    expect(await complete("secplat jobs list --tenant ", run)).toEqual(tenants);
    expect(await complete("secplat tenants domains ", run)).toEqual(tenants);
    // A name with a blank cannot be completed.
    expect(await complete("secplat clients delete ", run)).toEqual(
      (await shown("clients list", "client_id", "name")).filter((name) => !/ /.test(String(name))),
    );
    const named = await run.json<readonly { readonly cid: string; readonly name: string }[]>([
      "tenants",
      "list",
    ]);
    const cidOf = (name: string): string => named.find((tenant) => tenant.name === name)?.cid ?? "";
    const [first, other] = [cidOf("Harbour Demo"), cidOf("Harbour Group")];
    const cancel = "secplat invitations cancel --tenant";
    expect(await complete(`${cancel} ${first} `, run)).toEqual(
      await shown(`invitations list --tenant ${first}`, "invitation_id"),
    );
    expect(await complete(`${cancel}=${other} `, run)).toEqual([]);
    const names = await shown(`host-groups list --tenant ${first}`, "name");
    expect(names).toEqual(expect.arrayContaining(["Cloud", "Domain controllers"]));
    expect(await complete(`secplat host-groups add --tenant ${first} C`, run)).toEqual(
      names.filter((name) => /^C\w+$/.test(String(name))),
    );
    expect(await complete("secplat jobs show ", run)).toContain(
      String((await shown("jobs list", "id"))[0]),
    );
    expect(await complete("secplat cases files show ", run)).toEqual(
      await shown("cases files list", "id"),
    );
    expect(await complete("secplat keys remove ", run)).toEqual(await shown("keys list", "id"));
    expect(await complete("secplat jobs show --data elsewhere ", run)).toEqual([]);
    await server.stop();
  },
);

test.each(shells)("prints the script of %s", async (shell) => {
  const { exitCode, stdout } = await commandLine()(["completion", shell]);
  expect([exitCode, stdout]).toEqual([0, completionScripts[shell]]);
});
