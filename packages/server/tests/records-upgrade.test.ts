import { expect, onTestFinished, test } from "vitest";
import { everyCase } from "../src/domain/case-management/access-tags/reader.ts";
import { cases } from "../src/domain/case-management/kinds/cases.ts";
import { notificationGroups } from "../src/domain/case-management/notifications/notification-groups.ts";
import { indicators } from "../src/domain/ioc/indicators.ts";
import { resources } from "../src/platform/resources.ts";
import { openStoreAt } from "../src/host/open-store-at.ts";
import type { Resource, Store } from "../src/store/index.ts";
import { casesSuite } from "./support/cases.ts";
import { forEachEngine } from "./support/engines.ts";
import { paths } from "./support/ioc.ts";
import { administer } from "./support/raw-sql.ts";
import { testKeys } from "./support/secret-keys.ts";

/** The record as earlier versions of the server wrote it: without these texts if empty, and without these lists. */
const earlier = <Record extends object>(record: Record, members: readonly string[]): Record =>
  JSON.parse(
    JSON.stringify(record, (name, value: unknown) =>
      (value === "" || Array.isArray(value)) && members.includes(name) ? undefined : value,
    ),
  ) as Record;

forEachEngine((engine) => {
  const suite = casesSuite(() => engine.url());

  /** Replaces the record by its earlier form. */
  async function age<Record extends object>(
    store: Store,
    cid: string,
    resource: Resource<Record>,
    id: string,
    members: readonly string[],
  ): Promise<void> {
    const now = new Date();
    const { upgrade: _upgrade, ...before } = resource;
    await store.write(cid, async (transaction) => {
      const records = transaction.records<Record, never>(before);
      const record = (await records.getForUpdate([id])).get(id) as Record;
      const aged = earlier(record, members);
      expect(JSON.stringify(aged)).not.toBe(JSON.stringify(record));
      await records.replace([aged], now);
    });
  }

  const reopened = async (url: string, clock: { now(): Date }): Promise<void> => {
    await administer(url, "delete from record_revisions; select 1");
    const store = await openStoreAt({ url, clock, resources, keys: testKeys, durable: false });
    onTestFinished(() => store.close());
  };

  test("a case gets the e-mail addresses and members of evidence that earlier versions left out", async () => {
    const api = await suite.open();
    const { cid } = api.tenant;
    const sha256 = "a".repeat(64);
    await api.imported("alerts", [
      { id: "one", timestamp: "2026-02-01T00:00:00Z", files: [{ filename: "odd.exe", sha256 }] },
      {
        id: "two",
        timestamp: "2026-02-01T00:00:00Z",
        files: [{ path: "/tmp/x" }],
        hosts: [{ aid: "b".repeat(32), hostname: "WEB-7" }],
        users: [{ sid: "S-1-5-21" }],
        cloud_assets: [{ cloud_provider: "aws", asset_id: "arn:x" }],
      },
    ]);
    const alerts = ["one", "two"].map((id) => ({ id }));
    const nadia = await api.user("nadia");
    const stored = await api.stored({ evidence: { alerts }, assigned_to_user_uuid: nadia.uuid });
    expect(stored.analysis_results.files.records).toEqual([
      { filename: "odd.exe", path: "", md5: "", sha256 },
      { filename: "", path: "/tmp/x", md5: "" },
    ]);
    const read = async (): Promise<string | undefined> =>
      (await api.store.records(cases, everyCase(cid)).get([stored.id], api.clock.now())).get(
        stored.id,
      );
    const before = await read();
    await age(api.store, cid, cases, stored.id, [
      "email",
      "filename",
      "path",
      "md5",
      "agent_ip",
      "local_ip",
      "cloud_instance_id",
      "username",
      "user_id",
      "idp_user_id",
      "email_addresses",
      "region",
      "gcrn",
      "hostnames",
    ]);
    expect(await read()).not.toBe(before);
    await reopened(suite.databaseUrl(), api.clock);
    expect(await read()).toBe(before);
    expect(await api.read(stored.id)).toEqual(stored);
    expect(await api.found({ q: "odd.exe" })).toEqual([stored.name]);
    expect(await api.found({ filter: "hostnames:'web-7'" })).toEqual([stored.name]);
  });

  test("a channel without the name of its connection gets an empty one, and keeps its secrets", async () => {
    const api = await suite.open();
    const { cid } = api.tenant;
    const created = await api.request<readonly { readonly id: string }[]>(
      "POST",
      "/casemgmt/entities/notification-groups/v2",
      {
        body: {
          name: "Old",
          channels: [{ type: "slack", params: { url: "https://hooks.slack.example/T0/x" } }],
        },
      },
    );
    const { id = "" } = created.body[0] ?? {};
    const { resource } = notificationGroups;
    const records = api.store.records(resource, { cid });
    const complete = async () => (await records.getComplete([id], api.clock.now())).get(id);
    const before = await complete();
    expect(before?.secrets).toEqual([{ url: "https://hooks.slack.example/T0/x" }]);
    await age(api.store, cid, resource, id, ["config_name"]);
    expect(await complete()).not.toEqual(before);
    await reopened(suite.databaseUrl(), api.clock);
    expect(await complete()).toEqual(before);
  });

  test("an indicator without a description gets an empty one", async () => {
    const api = await suite.open();
    const { cid } = api.tenant;
    const indicator = {
      type: "domain",
      value: "aged.example",
      action: "no_action",
      platforms: ["mac"],
      applied_globally: true,
    };
    const created = await api.request<readonly { readonly id: string }[]>(
      "POST",
      paths.indicators,
      {
        body: { indicators: [indicator] },
      },
    );
    const { id = "" } = created.body[0] ?? {};
    const records = api.store.records(indicators, { cid });
    const text = async () => (await records.get([id], api.clock.now())).get(id);
    const before = await text();
    await age(api.store, cid, indicators, id, ["description"]);
    expect(await text()).not.toBe(before);
    await reopened(suite.databaseUrl(), api.clock);
    expect(await text()).toBe(before);
  });
});
