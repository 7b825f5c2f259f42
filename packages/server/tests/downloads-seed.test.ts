/**
 * @module-tag exhaustive
 * @module-tag nightly
 */
import { expect, test } from "vitest";
import { downloads } from "../src/domain/downloads/downloads.ts";
import { seedWorld } from "../src/seed/index.ts";
import { startTestApi } from "./support/api.ts";
import { withPostgresAtNight } from "./support/engines.ts";

const everything = { kind: "everything" } as const;

withPostgresAtNight((engine) => {
  test("every tenant of a world has files to download, which are the same for the same seed", async () => {
    const { store, clock, blobs } = await startTestApi({ databaseUrl: await engine.url() });
    const seed = () => seedWorld(store, { world: "small", seed: 1, clock, blobs });
    const first = await seed();
    expect(first.downloads).toBe(9 * first.tenants.length);
    expect(await seed()).toEqual(first);
    const seen = new Set<string>();
    for (const { cid } of first.tenants) {
      const records = store.records(downloads, { cid });
      for await (const part of records.scanComplete(everything, clock.now())) {
        expect(part).toHaveLength(9);
        for (const { file_hash, size } of part) expect(await blobs.bytes(file_hash)).toBe(size);
        seen.add(JSON.stringify(part));
      }
    }
    expect(seen.size).toBe(1);
  });

  test("a world that is seeded without a blob store has none", async () => {
    const { url, seeded } = await engine.world("small");
    expect(seeded.downloads).toBe(0);
    const { store, clock } = await startTestApi({ databaseUrl: url });
    for (const { cid } of seeded.tenants) {
      expect(await store.records(downloads, { cid }).count(everything, clock.now())).toBe(0);
    }
  });
});
