import { describe, expect, test } from "vitest";
import type { Sensor } from "../src/domain/identity-protection/sensors.ts";
import { importRecords, type ImportKind } from "../src/imports/index.ts";
import type { TestApi } from "./support/api.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { deviceId } from "./support/hosts.ts";
import { sharedApi } from "./support/shared-api.ts";

const queryPath = "/identity-protection/queries/devices/v1";
const detailsPath = "/identity-protection/entities/devices/GET/v1";
const aggregatesPath = "/identity-protection/aggregates/devices/GET/v1";

const load = (
  { store, clock }: TestApi,
  cid: string,
  kind: ImportKind,
  lines: readonly object[],
  update = false,
) =>
  importRecords(store, {
    cid,
    kind,
    clock,
    update,
    lines: lines.map((line) => JSON.stringify(line)),
  });

const host = (number: number, more: object = {}) => ({
  device_id: deviceId(number),
  platform_name: "Windows",
  hostname: `DC-${number}`,
  machine_domain: "corp.example",
  local_ip: `10.0.0.${number}`,
  os_version: "Windows Server 2022",
  agent_version: "7.20.1.0",
  ...more,
});

const sensor = (number: number, more: object = {}) => ({
  device_id: deviceId(number),
  status: number === 3 ? "attention" : "protected",
  heartbeat_time: 1_700_000_000 + number,
  kerberos_config: "enabled",
  ...more,
});

/** Five hosts, the first three of which are sensors. */
async function withSensors(api: TestApi): Promise<TestApi> {
  const { cid } = api.tenant;
  await load(
    api,
    cid,
    "hosts",
    [1, 2, 3, 4, 5].map((number) => host(number)),
  );
  const reports = [sensor(1), sensor(2), sensor(3, { status_causes: ["auditing"] })];
  expect(await load(api, cid, "sensors", reports)).toMatchObject({ imported: 3, rejected: 0 });
  return api;
}

const details = (api: TestApi, ids: readonly string[]) =>
  api.request<readonly Sensor[]>("POST", detailsPath, { body: { ids } });

withPostgresAtNight((engine) => {
  const { open } = sharedApi(engine);
  const start = async (): Promise<TestApi> => withSensors(await open());

  describe("sensors", () => {
    test("are hosts with their identity reports", async () => {
      const api = await start();
      const { status, body } = await details(api, [deviceId(3), deviceId(1), deviceId(3)]);
      expect(status).toBe(200);
      expect(body).toEqual([
        {
          device_id: deviceId(3),
          cid: api.tenant.cid,
          hostname: "DC-3",
          machine_domain: "corp.example",
          local_ip: "10.0.0.3",
          os_version: "Windows Server 2022",
          agent_version: "7.20.1.0",
          status: "attention",
          status_causes: ["auditing"],
          heartbeat_time: 1_700_000_003,
          kerberos_config: "enabled",
        },
        expect.objectContaining({ device_id: deviceId(1), status_causes: [] }),
      ]);
    });

    test("are found by every field, sorted and paged", async () => {
      const api = await start();
      const list = (query: Record<string, string | number>) =>
        api.request<readonly string[]>("GET", queryPath, { query });
      const all = await list({ sort: "heartbeat_time.desc", limit: 2 });
      expect(all.body).toEqual([deviceId(3), deviceId(2)]);
      expect(all.headers.get("x-total-count")).toBe("3");
      const rest = await list({ sort: "heartbeat_time.desc", limit: 2, offset: 2 });
      expect(rest.body).toEqual([deviceId(1)]);
      for (const [filter, ids] of [
        ["status:'attention'", [3]],
        ["status_causes:'auditing'", [3]],
        ["local_ip:'10.0.0.0/31'", [1]],
        ["local_ip:'10.0.0.2/31'", [2, 3]],
        ["hostname:*'dc-*'+kerberos_config:'enabled'", [1, 2, 3]],
        ["ldap_config:null", [1, 2, 3]],
        ["heartbeat_time:>1700000001", [2, 3]],
        ["machine_domain:'CORP.example'+status:!'attention'", [1, 2]],
        [`cid:'${api.tenant.cid.toUpperCase()}-A1'+status:'attention'`, [3]],
        [`cid:!'${api.tenant.cid}'`, []],
      ] as const) {
        const sensors = await list({ filter, sort: "hostname.asc" });
        expect([filter, sensors.body]).toEqual([filter, ids.map(deviceId)]);
      }
    });

    test("a missing one causes a 404 that includes the others", async () => {
      const api = await start();
      const answer = await api.request<{
        errors: readonly object[];
        resources: readonly object[];
      }>("POST", detailsPath, { body: { ids: [deviceId(1), deviceId(4)] } });
      expect(answer.status).toBe(404);
      expect(answer.body).toMatchObject({
        errors: [{ code: 404, id: deviceId(4), message: `sensor ${deviceId(4)} not found` }],
        resources: [{ device_id: deviceId(1) }],
      });
    });

    test("invalid requests are rejected with the reason", async () => {
      const api = await start();
      const many = Array.from({ length: 5_001 }, (_, at) => deviceId(at));
      for (const [ids, message] of [
        [[], /ids/],
        [many, /5000/],
        [["DC-1"], /ids\[0\]/],
      ] as const) {
        const answer = await details(api, ids);
        expect(answer.status).toBe(400);
        expect(answer.text).toMatch(message);
      }
      for (const [query, message] of [
        [{ limit: 201 }, /limit/],
        [{ limit: 0 }, /limit/],
        [{ offset: -1 }, /offset/],
        [{ sort: "colour.asc" }, /colour/],
        [{ filter: "colour:'red'" }, /colour/],
        [{ filter: "status:" }, /Invalid filter expression/],
      ] as const) {
        const answer = await api.request("GET", queryPath, { query });
        expect([query, answer.status]).toEqual([query, 400]);
        expect(answer.text).toMatch(message);
      }
    });

    test("are counted once each, after any number of imports", async () => {
      const api = await start();
      const { cid } = api.tenant;
      await load(api, cid, "hosts", [host(1, { hostname: "DC-ONE" })], true);
      expect(await load(api, cid, "sensors", [sensor(1)])).toMatchObject({ unchanged: 1 });
      await load(api, cid, "sensors", [sensor(1, { status: "attention" })], true);
      const answer = await api.request<
        readonly { buckets: readonly { label: string; count: number }[] }[]
      >("POST", aggregatesPath, {
        body: [
          { name: "by-status", type: "terms", field: "status" },
          { name: "hosts", type: "cardinality", field: "device_id" },
        ],
      });
      const [byStatus, hosts] = answer.body;
      expect(byStatus?.buckets).toMatchObject([
        { label: "attention", count: 2 },
        { label: "protected", count: 1 },
      ]);
      expect(hosts?.buckets).toMatchObject([{ value: 3 }]);
      const refused = await api.request("POST", aggregatesPath, {
        body: { name: "no", type: "terms", field: "colour" },
      });
      expect(refused.status).toBe(400);
    });

    test("are updated with their hosts", async () => {
      const api = await start();
      const { cid } = api.tenant;
      const moved = host(2, { hostname: "DC-MOVED", local_ip: "10.9.9.9" });
      await load(api, cid, "hosts", [moved], true);
      const { body } = await details(api, [deviceId(2)]);
      expect(body).toMatchObject([
        {
          hostname: "DC-MOVED",
          local_ip: "10.9.9.9",
          status: "protected",
          heartbeat_time: 1_700_000_002,
        },
      ]);
      const afterMove = await api.request("GET", queryPath, {
        query: { filter: "hostname:'dc-moved'" },
      });
      expect(afterMove.body).toEqual([deviceId(2)]);
    });

    test("belong to a host of their tenant", async () => {
      const api = await start();
      const other = await api.newTenant("other");
      const outcome = await load(api, other.tenant.cid, "sensors", [sensor(1)]);
      expect(outcome).toMatchObject({ imported: 0, rejected: 1 });
      expect(outcome.problems[0]?.message).toContain("there is no host");
      const list = await api.request("GET", queryPath, { token: other.token });
      expect(list.body).toEqual([]);
      const one = await api.request("POST", detailsPath, {
        token: other.token,
        body: { ids: [deviceId(1)] },
      });
      expect(one.status).toBe(404);
    });
  });
});
