/** A process that rotates secrets to the second key one by one, and prints how many it has done. */
import { systemClock } from "../../src/clock.ts";
import { FixedKeys } from "../../src/secrets/keyring.ts";
import { openStore } from "../../src/store/index.ts";
import { firstKey, secondKey } from "./secret-keys.ts";
import { sealedSightings } from "./sightings.ts";

const store = await openStore({
  url: process.argv[2] ?? "",
  clock: systemClock,
  resources: [sealedSightings],
  keys: new FixedKeys([firstKey, secondKey]),
});
await store.secrets.rotateTo(secondKey.id, {
  batch: 1,
  onProgress: (changed) => process.stdout.write(`${changed}\n`),
});
await store.close();
