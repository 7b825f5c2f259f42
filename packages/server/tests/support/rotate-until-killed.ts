/**
 * A process that rotates secrets to the second key one by one, and prints how many it has done. At the
 * given number it stops and waits to be killed: `node rotate-until-killed.ts <database url> <number>`.
 */
import { systemClock } from "../../src/foundation/clock.ts";
import { FixedKeys } from "../../src/secrets/keyring.ts";
import { openStoreAt } from "../../src/host/open-store-at.ts";
import { firstKey, secondKey } from "./secret-keys.ts";
import { sealedSightings } from "./sightings.ts";

const [url = "", most = ""] = process.argv.slice(2);
const store = await openStoreAt({
  url,
  clock: systemClock,
  resources: [sealedSightings],
  keys: new FixedKeys([firstKey, secondKey]),
});
await store.secrets.rotateTo(secondKey.id, {
  batch: 1,
  onProgress: (changed) => {
    process.stdout.write(`${changed}\n`);
    if (changed >= Number(most))
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300_000);
  },
});
await store.close();
