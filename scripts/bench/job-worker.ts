import { createLogger, openStoreAt, systemClock } from "@security-platform/server/internal";
import { Worker } from "../../packages/server/src/jobs/worker.ts";
import { benchJob } from "./bench-job.ts";

/** Runs the bench's jobs of one database until it is ended. Prints `ready` and waits for input first. */
const [url = ""] = process.argv.slice(2);
const logger = createLogger("warn");
const store = await openStoreAt({ url, clock: systemClock, resources: [], logger });
const worker = new Worker({ store, clock: systemClock, logger, kinds: [benchJob] });
process.stdin.once("data", () => worker.start());
process.on("SIGTERM", () => process.exit(0));
console.log("ready");
