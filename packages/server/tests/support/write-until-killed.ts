/**
 * A process that inserts numbered sightings, a transaction each, and prints every number once its write
 * is acknowledged: `node write-until-killed.ts <url> <first number> [<how many>]`. A write that fails
 * ends it, with the error's name and message as the last line.
 */
import { systemClock } from "../../src/foundation/clock.ts";
import { openStoreAt } from "../../src/host/open-store-at.ts";
import { sighting, sightings } from "./sightings.ts";

const [url = "", first = "0", count = "Infinity"] = process.argv.slice(2);
const cid = "b".repeat(32);
try {
  const store = await openStoreAt({ url, clock: systemClock, resources: [sightings] });
  for (let number = Number(first); number < Number(first) + Number(count); number += 1) {
    const record = sighting(String(number), { note: "x".repeat(2_000) });
    await store.write(cid, (transaction) =>
      transaction.records(sightings).insert([record], new Date()),
    );
    process.stdout.write(`${number}\n`);
  }
  await store.close();
} catch (error) {
  process.stdout.write(`${String(error)}\n`);
}
