/**
 * A process that assesses images of registries until every job has ended: `node assess-until-killed.ts
 * <database url> <folder of blobs>`.
 */
import { LocalBlobs } from "../../src/blobs/local-blobs.ts";
import { systemClock } from "../../src/foundation/clock.ts";
import { assessImages } from "../../src/domain/container/assessments/assess-images.ts";
import { HttpOutgoing } from "../../src/outgoing/http-outgoing.ts";
import { resources } from "../../src/platform/resources.ts";
import { openStoreAt } from "../../src/host/open-store-at.ts";
import { workUntilDone } from "./work-until-done.ts";

const [url = "", folder = ""] = process.argv.slice(2);
const store = await openStoreAt({ url, clock: systemClock, resources });
const outgoing = new HttpOutgoing({ allowedNetworks: ["127.0.0.0/8"] });
const blobs = new LocalBlobs(folder);
// On a busy machine a running process may lose its lease.
const kind = { ...assessImages({ store, blobs, outgoing, fileClock: systemClock }), attempts: 20 };
await workUntilDone(store, [kind], 5_000);
