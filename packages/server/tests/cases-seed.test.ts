/** @module-tag exhaustive */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { users } from "../src/access/users.ts";
import { viewerOf } from "../src/access/viewer.ts";
import { everyCase } from "../src/domain/case-management/access-tags/reader.ts";
import { ownBlobs } from "../src/blobs/open-blobs.ts";
import { cases } from "../src/domain/case-management/kinds/cases.ts";
import { newCase } from "../src/domain/case-management/cases/new-case.ts";
import { filled } from "../src/domain/case-management/kinds/store-cases.ts";
import { caseFiles } from "../src/domain/case-management/files/files.ts";
import { alerts, events } from "../src/domain/case-management/evidence/evidence-records.ts";
import { serverIdentity } from "../src/domain/case-management/identity.ts";
import { hosts } from "../src/inventory/hosts.ts";
import { resources } from "../src/platform/resources.ts";
import { seedWorld } from "../src/seed/index.ts";
import { openStoreAt } from "../src/host/open-store-at.ts";
import type { Records } from "../src/store/types/types.ts";
import { allOf } from "./support/all-of.ts";
import { withPostgresAtNight, onSqlite } from "./support/engines.ts";
import { ManualClock } from "./support/manual-clock.ts";
import { testKeys } from "./support/secret-keys.ts";

const clock = new ManualClock();

const all = <Kind extends object>(records: Records<Kind>) =>
  allOf(records.scanComplete({ kind: "everything" }, clock.now()));

/** The result of the first engine, for comparison. */
let created: string | undefined;

withPostgresAtNight((engine) => {
  test("seeded cases refer to hosts, users and evidence, and are the same on both engines", async () => {
    const { url, seeded } = await engine.world("small");
    const store = await openStoreAt({ url, clock, resources, keys: testKeys, durable: false });
    try {
      expect(await seedWorld(store, { world: "small", seed: 1, clock })).toEqual(seeded);
      const texts: string[] = [];
      let count = 0;
      for (const { cid } of seeded.tenants) {
        const stored = await all(store.records(cases, everyCase(cid)));
        const evidence = [
          ...(await all(store.records(alerts, { cid }))),
          ...(await all(store.records(events, { cid }))),
        ];
        const machines = await all(store.records(hosts, { cid }));
        const people = await all(store.records(users, await viewerOf(store.directory, cid)));
        texts.push(JSON.stringify([stored, evidence]));
        count += stored.length;
        const storedIds = {
          evidence: new Set(evidence.map(({ id }) => id)),
          hosts: new Set(machines.map(({ device_id }) => device_id)),
          users: new Set(people.map(({ uuid }) => uuid)),
        };
        for (const [index, each] of stored.entries()) {
          expect(each.reference_id).toBe(`CSE-${index + 1}`);
          for (const { selector } of each.evidence.alerts.records ?? []) {
            expect(storedIds.evidence.has(selector.id)).toBe(true);
          }
          for (const { aid } of each.analysis_results.hosts.records ?? []) {
            expect(storedIds.hosts.has(aid)).toBe(true);
          }
          expect(storedIds.users.has(each.assigned_to?.uuid ?? people[0]?.uuid ?? "")).toBe(true);
        }
      }
      expect(count).toBe(seeded.cases);
      expect(seeded.cases).toBeGreaterThan(20);
      const digest = createHash("sha256").update(texts.join("\n")).digest("hex");
      expect(created ?? digest).toBe(digest);
      created = digest;
    } finally {
      await store.close();
    }
  });
});

onSqlite((engine) => {
  test("a seed does not change existing cases and their numbers", async () => {
    const { url, seeded: world } = await engine.world("small");
    const store = await openStoreAt({ url, clock, resources, keys: testKeys, durable: false });
    try {
      const tenant = world.tenants[2];
      if (tenant === undefined) throw new Error("the world has too few tenants");
      const { cid } = tenant;
      const seeded = await all(store.records(cases, everyCase(cid)));
      const before = newCase(cid, clock.now(), serverIdentity, {
        name: "before",
        severity: { severity: 1, severity_info: { level: "informational" } },
      });
      await store.write(cid, async (transaction) => {
        const records = transaction.records(cases);
        await records.remove(
          seeded.map(({ id }) => id),
          clock.now(),
        );
        await records.insert([filled({ ...before, reference_id: "CSE-1" })], clock.now());
      });
      await seedWorld(store, { world: "small", seed: 1, clock });
      const after = await all(store.records(cases, everyCase(cid)));
      expect(after.map(({ id }) => id).toSorted()).toEqual(
        [before.id, ...seeded.map(({ id }) => id)].toSorted(),
      );
      expect(after.find(({ id }) => id === before.id)?.reference_id).toBe("CSE-1");
      expect(new Set(after.map(({ reference_id }) => reference_id)).size).toBe(after.length);
    } finally {
      await store.close();
    }
  });

  test("seeded cases have files, which are the same after a second seed", async () => {
    const { blobs, close } = ownBlobs("sqlite::memory:");
    const store = await openStoreAt({
      url: await engine.url(),
      clock,
      resources,
      keys: testKeys,
      durable: false,
    });
    try {
      const seed = () => seedWorld(store, { world: "small", seed: 3, clock, blobs });
      const { cid, case_files } = await seed();
      const files = await all(store.records(caseFiles, everyCase(cid)));
      const owners = await all(store.records(cases, everyCase(cid)));
      expect(files.length).toBeGreaterThan(0);
      expect(files.length).toBeLessThanOrEqual(case_files);
      for (const file of files) {
        expect(owners.some(({ id }) => id === file.case_id)).toBe(true);
        expect(file.status).toBe("available");
        expect(await blobs.bytes(file.hash_value ?? "")).toBe(file.file_size_bytes);
      }
      expect(new Set(files.map(({ file_type }) => file_type))).toEqual(
        new Set(["application/vnd.tcpdump.pcap", "image/png", "text/csv", "text/plain"]),
      );
      await seed();
      expect(await all(store.records(caseFiles, everyCase(cid)))).toEqual(files);
    } finally {
      await store.close();
      await close();
    }
  });
});
