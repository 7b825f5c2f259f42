import { openStoreAt } from "../../src/host/open-store-at.ts";
import { resources } from "../../src/platform/resources.ts";
import type { SeededWorld, World } from "../../src/seed/index.ts";
import type { Store } from "../../src/store/types/types.ts";
import type { Engine } from "./engines.ts";
import { ManualClock } from "./manual-clock.ts";
import { testKeys } from "./secret-keys.ts";

/** Opens the store of a generated world, and closes it after `work`. */
export async function withWorld(
  engine: Engine,
  world: World,
  work: (store: Store, seeded: SeededWorld) => Promise<void>,
): Promise<void> {
  const { url, seeded } = await engine.world(world);
  const clock = new ManualClock();
  const store = await openStoreAt({ url, clock, resources, keys: testKeys, durable: false });
  try {
    await work(store, seeded);
  } finally {
    await store.close();
  }
}
