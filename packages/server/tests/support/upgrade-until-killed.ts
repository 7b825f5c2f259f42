/**
 * A process that opens a database whose sightings are upgraded, and prints how many versions it has read. At
 * the given number it stops and waits to be killed: `node upgrade-until-killed.ts <database url> <number>`.
 */
import { systemClock } from "../../src/foundation/clock.ts";
import { openStoreAt } from "../../src/host/open-store-at.ts";
import { upgradedSightings } from "./sightings.ts";

const [url = "", most = ""] = process.argv.slice(2);
const store = await openStoreAt({
  url,
  clock: systemClock,
  resources: [upgradedSightings],
  onUpgrade: ({ read }) => {
    process.stdout.write(`${read}\n`);
    if (read >= Number(most)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300_000);
  },
});
await store.close();
