import { describe, expect, test } from "vitest";
import { casesSuite } from "./support/cases.ts";
import { forEachEngine } from "./support/engines.ts";
import { minutes } from "./support/manual-clock.ts";
import { once } from "./support/once.ts";
import type { ErrorBody } from "./support/session.ts";

const host = (index: number, hostname: string) => ({
  aid: index.toString(16).padStart(32, "a"),
  hostname,
  local_ip: `10.0.0.${index}`,
});

const commandLine = `powershell.exe -EncodedCommand ${"QUJD".repeat(2_000)}`;

/** An alert with all filterable data. */
const alert = {
  id: "5e1f:ind:0d9c:45-1",
  timestamp: "2026-02-01T10:00:00.500Z",
  name: "Credential dumping",
  description: "LSASS memory was read by a tool named Nightjar",
  severity: 90,
  data_domains: ["Endpoint"],
  source_vendors: ["Example"],
  source_products: ["Sensor"],
  tactics: [{ id: "TA0006", name: "Credential Access" }],
  techniques: [{ id: "T1003.001", name: "LSASS Memory" }],
  hosts: [{ ...host(1, "FIN-WS-014"), cloud_instance_id: "i-0abc" }],
  users: [{ username: "b.olsen", email_addresses: ["Birk.Olsen@example.com"] }],
  files: [{ filename: "mimi.exe", sha256: "a".repeat(64), md5: "b".repeat(32) }],
  cloud_assets: [
    {
      cloud_provider: "aws",
      asset_id: "arn:x",
      account_id: "1234",
      region: "eu-west-1",
      availability_zone: "eu-west-1a",
    },
  ],
  cloud_service_names: ["S3"],
  processes: [{ image_file_name: "C:\\Windows\\mimi.exe", command_line: commandLine }],
  ips: ["203.0.113.9", "2001:db8::9"],
};

forEachEngine((engine) => {
  const suite = casesSuite(engine);

  test("filters by all fields of the evidence", async () => {
    const api = await suite.open();
    expect(await api.imported("alerts", [alert])).toMatchObject({ imported: 1, problems: [] });
    const user = await api.user("nadia");
    await api.stored({ name: "other" });
    const { id } = await api.stored({
      name: "Match",
      description: "about something",
      severity: 81,
      status: "in_progress",
      tags: ["x", "y"],
      assigned_to_user_uuid: user.uuid,
      evidence: { alerts: [{ id: alert.id }], leads: [{ id: "lead-1" }] },
    });
    expect(await api.read(id)).toMatchObject({
      start_timestamp: "2026-02-01T10:00:00.500Z",
      end_timestamp: "2026-02-01T10:00:00.500Z",
      analysis_results: {
        alerts: { records: [{ id: alert.id }] },
        leads: { records: [{ id: "lead-1" }] },
        hosts: { records: alert.hosts },
        users: { records: alert.users },
        files: { records: alert.files },
        cloud_assets: { records: alert.cloud_assets },
        data_domains: ["Endpoint"],
      },
    });
    const filters = [
      `id:'${id}'`,
      "reference_id:'CSE-2'",
      `cid:'${api.tenant.cid}'+name:'match'`,
      "name:*'MAT*'",
      "description:~'SOMETHING'",
      "severity:>80",
      "status:['in_progress']",
      "tags:'x'+tags:'y'",
      `assigned_to_uuid:'${user.uuid}'`,
      "assigned_to_name:'NADIA tester'",
      `created_by:'${api.clientId}'+name:'match'`,
      `modified_by:'${api.clientId}'+name:'match'`,
      `alerts:'${alert.id}'`,
      "data_domains:'Endpoint'",
      "source_vendors:'Example'",
      "source_products:'Sensor'",
      "tactics:'credential access'",
      "tactic_ids:'TA0006'",
      "techniques:~'lsass'",
      "technique_ids:'T1003.001'",
      `aids:'${alert.hosts[0]?.aid}'`,
      "hostnames:'fin-ws-014'",
      "ips:'10.0.0.0/24'",
      "ips:'2001:db8::9'",
      "usernames:'B.OLSEN'",
      "email_addresses:'birk.olsen@example.com'",
      `sha256s:'${"a".repeat(64)}'`,
      `md5s:'${"b".repeat(32)}'`,
      "file_names:'MIMI.exe'",
      "image_file_names:*'*mimi.exe'",
      `command_lines:'${commandLine}'`,
      "command_lines:*'POWERSHELL.exe *'",
      "command_lines:~'encodedcommand'",
      "cloud_providers:'aws'",
      "cloud_account_ids:'1234'",
      "cloud_regions:'eu-west-1'",
      "cloud_availability_zones:'eu-west-1a'",
      "cloud_instance_ids:'i-0abc'",
      "cloud_service_names:'S3'",
      "all_text:~'night jar'",
      "updated_timestamp:>='2026-01-01'+case_template_id:null+severity:81",
    ];
    for (const filter of filters) expect(await api.found({ filter }), filter).toEqual(["Match"]);
    expect(await api.found({ filter: `command_lines:!'${commandLine}'` })).toEqual(["other"]);
  });

  test("a case whose evidence has only unknown values has no values to filter by", async () => {
    const api = await suite.open();
    await api.imported("alerts", [
      {
        id: "unknown",
        timestamp: "2026-02-01T10:00:00.000Z",
        hosts: [{ aid: "a".repeat(32) }],
        users: [{ sid: "S-1-5-21" }],
        files: [{ path: "/tmp/x" }],
        cloud_assets: [{ cloud_provider: "aws", asset_id: "arn:x" }],
      },
    ]);
    const stored = await api.stored({
      name: "Unknown",
      evidence: { alerts: [{ id: "unknown" }] },
    });
    expect(stored.analysis_results).toMatchObject({
      hosts: {
        records: [
          { aid: "a".repeat(32), hostname: "", agent_ip: "", local_ip: "", cloud_instance_id: "" },
        ],
      },
      users: {
        records: [
          {
            username: "",
            user_full_name: "",
            user_id: "",
            user_principal_id: "",
            user_token_key_id: "",
            idp_user_id: "",
            sid: "S-1-5-21",
            email_addresses: [],
          },
        ],
      },
      files: { records: [{ filename: "", path: "/tmp/x", md5: "" }] },
      cloud_assets: {
        records: [
          {
            cloud_provider: "aws",
            asset_id: "arn:x",
            asset_type: "",
            account_id: "",
            region: "",
            availability_zone: "",
            gcrn: "",
          },
        ],
      },
    });
    const absent = ["hostnames", "usernames", "email_addresses", "sha256s", "md5s", "file_names"];
    const cloud = ["account_ids", "regions", "availability_zones", "instance_ids"];
    for (const field of [...absent, ...cloud.map((name) => `cloud_${name}`)]) {
      expect(await api.found({ filter: `${field}:!*` }), field).toEqual(["Unknown"]);
    }
  });

  describe("q finds the tenant's cases that contain all words, ignoring case, in any member", () => {
    const fill = async () => {
      const api = await suite.open();
      await api.imported("alerts", [alert]);
      const other = await suite.open();
      await other.stored({ name: "emberfall elsewhere" });
      const first = await api.stored({
        name: "Emberfall on FIN-WS-014",
        description: "Crème brûlée",
      });
      await api.stored({ name: "Nothing", tags: ["EMBERFALL"] });
      await api.stored({ name: "With evidence", evidence: { alerts: [{ id: alert.id }] } });
      return { api, first };
    };
    const filled = once(fill);

    test.each([
      ["emberfall", ["Nothing", "Emberfall on FIN-WS-014"]],
      ["EMBERFALL fin", ["Emberfall on FIN-WS-014"]],
      ["CRÈME brûlée", ["Emberfall on FIN-WS-014"]],
      ["creme", []],
      ["ember", []],
      ["nightjar", ["With evidence"]],
      ["203.0.113.9", ["With evidence"]],
      ["203.0.113.1", []],
      ["fin-ws-014", ["With evidence", "Emberfall on FIN-WS-014"]],
      ["014-fin", []],
      ["b.olsen@nowhere", []],
      ["cse-1", ["Emberfall on FIN-WS-014"]],
      ["nightjar emberfall", []],
      ["' OR 1=1 --", []],
      ['"emberfall', ["Nothing", "Emberfall on FIN-WS-014"]],
      ["emberfall NOT nothing", []],
      ["emberfall*", ["Nothing", "Emberfall on FIN-WS-014"]],
      ["!!!", []],
    ])("%s", async (q, names) => {
      const { api } = await filled();
      expect(await api.found({ q })).toEqual(names);
    });

    test("with a filter, a sort, and after a change", async () => {
      const { api, first } = await fill();
      expect(await api.found({ q: "emberfall", filter: "tags:'EMBERFALL'" })).toEqual(["Nothing"]);
      expect(await api.found({ q: "emberfall", sort: "name.asc" })).toEqual([
        "Emberfall on FIN-WS-014",
        "Nothing",
      ]);
      await api.patch(first.id, { name: "Renamed" });
      expect(await api.found({ q: "emberfall" })).toEqual(["Nothing"]);
      expect(await api.found({ q: "renamed" })).toEqual(["Renamed"]);
      const counted = await api.search({ q: "emberfall" });
      expect(counted.headers.get("x-total-count")).toBe("1");
    });
  });

  test("lists newest first, sorts and pages", async () => {
    const api = await suite.open();
    for (const [name, severity, tags] of [
      ["b", 10, ["net", "disk"]],
      ["C", 30, []],
      ["a", 20, ["mail", "zip"]],
    ] as const) {
      await api.stored({ name, severity, tags });
      api.clock.advance(minutes(1));
    }
    expect(await api.found({})).toEqual(["a", "C", "b"]);
    expect(await api.found({ sort: "severity|desc" })).toEqual(["C", "a", "b"]);
    expect(await api.found({ sort: "severity.asc", limit: 2, offset: 1 })).toEqual(["a", "C"]);
    expect(await api.found({ offset: 3 })).toEqual([]);
    // By the first tag; cases without tags come last.
    expect(await api.found({ sort: "tags" })).toEqual(["a", "b", "C"]);
    expect(await api.found({ sort: "tags|desc" })).toEqual(["b", "a", "C"]);
    expect(await api.found({ sort: "tags.desc,name.asc", limit: 1, offset: 2 })).toEqual(["C"]);
    expect((await api.search({ sort: "first_tag" })).status).toBe(400);
    const unknown = await api.search<ErrorBody>({ sort: "colour" });
    expect(unknown.status).toBe(400);
    const hidden = await api.search<ErrorBody>({ filter: "restricted:true" });
    expect(hidden.status).toBe(400);
  });

  test("an alert that is imported again changes the cases that contain it", async () => {
    const api = await suite.open();
    await api.imported("alerts", [alert]);
    const { id } = await api.stored({ evidence: { alerts: [{ id: alert.id }] } });
    await api.imported("alerts", [{ ...alert, hosts: [host(2, "HR-1")], name: "Kestrel" }], true);
    expect(await api.read(id)).toMatchObject({
      version: 2,
      consistency: { consistent: true, version: 2 },
      update_actor: { type: "system" },
      analysis_results: { hosts: { records: [host(2, "HR-1")] } },
    });
    expect((await api.search({ filter: "hostnames:'fin-ws-014'" })).body).toEqual([]);
    expect((await api.search({ q: "kestrel" })).body).toEqual([id]);
  });
});
