import { describe, expect, test } from "vitest";
import { hosts } from "../src/inventory/hosts.ts";
import type { TestApi } from "./support/api.ts";
import { forEachEngine } from "./support/engines.ts";
import { hours, minutes } from "./support/manual-clock.ts";
import { messages, type ErrorBody } from "./support/session.ts";
import { sharedApi } from "./support/shared-api.ts";

const path = "/devices/queries/devices-scroll/v1";

interface Page {
  readonly meta: {
    readonly pagination: {
      readonly limit: number;
      readonly offset: string;
      readonly total: number;
      readonly expires_at?: number;
    };
  };
  readonly resources: readonly string[];
}

const deviceId = (number: number): string => number.toString(16).padStart(32, "0");

/** Stores hosts 1 to `count`. Host 3 is the only one with organizational units. */
async function storeHosts(api: TestApi, count: number): Promise<void> {
  const { cid } = api.tenant;
  const records = Array.from({ length: count }, (_, index) => ({
    cid,
    device_id: deviceId(index + 1),
    hostname: `host-${index + 1}`,
    platform_name: "Linux" as const,
    ...(index === 2 ? { bios_version: "b", major_version: "10", config_id_base: "1" } : {}),
    ...(index === 1 ? { bios_version: "a", major_version: "9" } : {}),
  }));
  await api.store.write(cid, (transaction) =>
    transaction.records(hosts).put(records, api.clock.now()),
  );
}

/** Reads pages as FalconPy's callers do: until `offset` is empty. */
async function scroll(api: TestApi, query: Record<string, string | number>) {
  const pages: Page[] = [];
  let offset: string | undefined;
  do {
    const { status, text, body } = await api.request<Page>("GET", path, {
      query: { ...query, ...(offset === undefined ? {} : { offset }) },
    });
    expect(status, text).toBe(200);
    pages.push(body);
    offset = body.meta.pagination.offset;
  } while (offset !== "" && pages.length < 10);
  return pages;
}

forEachEngine((engine) => {
  describe("hosts by cursor, with --compat", () => {
    const suite = sharedApi(engine, { catalogue: true, config: { compat: true } });

    test("each host once; every page has the total, and the last one an empty offset", async () => {
      const api = await suite.open();
      await storeHosts(api, 5);
      const query = { limit: 2, filter: "platform_name:'linux'", sort: "hostname|desc" };
      const pages = await scroll(api, query);
      expect(pages.flatMap(({ resources }) => resources)).toEqual([5, 4, 3, 2, 1].map(deviceId));
      const facts = pages.map(({ meta: { pagination } }) => [pagination.limit, pagination.total]);
      expect(facts).toEqual([1, 2, 3].map(() => [2, 5]));
      const expiry = (api.clock.now().getTime() + hours(1)) * 1_000_000;
      expect(pages.map(({ meta }) => meta.pagination.expires_at)).toEqual([
        expiry,
        expiry,
        undefined,
      ]);
    });

    test("the cursor expires an hour after the first page, and keeps the hosts of that time", async () => {
      const api = await suite.open();
      await storeHosts(api, 3);
      const first = await api.request<Page>("GET", path, { query: { limit: 2 } });
      api.clock.advance(minutes(10));
      await storeHosts(api, 4);
      const { pagination } = first.body.meta;
      const second = await api.request<Page>("GET", path, {
        query: { limit: 1, offset: pagination.offset },
      });
      expect(second.body.resources).toEqual([deviceId(3)]);
      expect(second.body.meta.pagination).toEqual({ limit: 1, offset: "", total: 3 });
    });

    test("no hosts: one empty page", async () => {
      const api = await suite.open();
      const [page, ...others] = await scroll(api, { limit: 10_000, offset: "" });
      expect(others).toEqual([]);
      expect(page).toMatchObject({ resources: [], meta: { pagination: { offset: "", total: 0 } } });
    });
  });

  describe("hosts by cursor", () => {
    const suite = sharedApi(engine, { catalogue: true });

    test("the page data is in headers", async () => {
      const api = await suite.open();
      await storeHosts(api, 3);
      const first = await api.request<readonly string[]>("GET", path, { query: { limit: 2 } });
      expect(first.body).toHaveLength(2);
      expect(first.headers.get("x-total-count")).toBe("3");
      const offset = first.headers.get("x-pagination-after") ?? "";
      const link = first.headers.get("link") ?? "";
      expect(new URL(link.slice(1, link.indexOf(">")), api.url).searchParams.get("offset")).toBe(
        offset,
      );
      const last = await api.request<readonly string[]>("GET", path, { query: { offset } });
      expect(last.body).toHaveLength(1);
      expect(last.headers.get("x-pagination-after")).toBeNull();
      const other = await api.request("GET", path, { query: { offset, sort: "hostname" } });
      expect(other.status).toBe(400);
      const unknown = await api.request("GET", path, { query: { offset: "5" } });
      expect(unknown.status).toBe(400);
      const many = await api.request("GET", path, { query: { limit: 10_001 } });
      expect(many.status).toBe(400);
    });

    test("a cursor whose hosts are no longer kept is refused by the name of its parameter", async () => {
      const api = await suite.open();
      await storeHosts(api, 3);
      const first = await api.request("GET", path, { query: { limit: 1 } });
      const offset = first.headers.get("x-pagination-after") ?? "";
      const changed = { cid: api.tenant.cid, device_id: deviceId(2), hostname: "renamed" };
      await api.store.write(api.tenant.cid, (transaction) =>
        transaction.records(hosts).put([changed], api.clock.now()),
      );
      api.clock.advance(hours(2));
      await api.store.sweep(api.clock.now());
      const token = await api.newToken(api.client);
      const stale = await api.request<ErrorBody>("GET", path, { token, query: { offset } });
      expect([stale.status, messages(stale)]).toEqual([
        400,
        ["query.offset: this cursor is too old; start again without offset"],
      ]);
    });

    test.each([
      "agent_load_flags",
      "bios_manufacturer",
      "bios_version",
      "config_id_base",
      "config_id_build",
      "config_id_platform",
      "cpu_signature",
      "local_ip.raw",
      "major_version",
      "minor_version",
      "ou",
      "platform_id",
      "reduced_functionality_mode",
      "release_group",
    ])("hosts can be sorted by %s; hosts without it come last", async (field) => {
      const api = await suite.open();
      const { cid } = api.tenant;
      const member = field === "local_ip.raw" ? "local_ip" : field;
      const values = field === "local_ip.raw" ? ["10.0.0.2", "10.0.0.1"] : ["b", "a"];
      const records = [undefined, ...values].map((value, index) => ({
        cid,
        device_id: deviceId(index + 1),
        ...(value === undefined ? {} : { [member]: field === "ou" ? [value, "x"] : value }),
      }));
      await api.store.write(cid, (transaction) =>
        transaction.records(hosts).put(records, api.clock.now()),
      );
      for (const [sort, expected] of [
        [`${field}.asc`, [3, 2, 1]],
        [`${field}|desc`, [2, 3, 1]],
      ] as const) {
        const answer = await api.request("GET", "/devices/queries/devices/v1", { query: { sort } });
        expect(answer.body, answer.text).toEqual(expected.map(deviceId));
      }
    });

    test("hosts can be filtered by cid", async () => {
      const api = await suite.open();
      await storeHosts(api, 1);
      const { cid } = api.tenant;
      const idsBy = async (filter: string) =>
        (await api.request("GET", "/devices/queries/devices/v1", { query: { filter } })).body;
      expect(await idsBy(`cid:'${cid}'`)).toEqual([deviceId(1)]);
      expect(await idsBy(`cid:'${cid.toUpperCase()}-A1'`)).toEqual([deviceId(1)]);
      expect(await idsBy(`cid:!'${cid}'`)).toEqual([]);
    });
  });
});
