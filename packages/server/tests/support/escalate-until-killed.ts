/**
 * A process that escalates cases and delivers messages until every job has ended:
 * `node escalate-until-killed.ts <database url>`.
 */
import { setTimeout } from "node:timers/promises";
import { systemClock } from "../../src/clock.ts";
import { postMessages } from "../../src/domain/case-management/notifications/deliver.ts";
import { escalateCases } from "../../src/domain/case-management/slas/escalate.ts";
import { Worker } from "../../src/jobs/worker.ts";
import { createLogger } from "../../src/logger.ts";
import { Outgoing } from "../../src/outgoing/outgoing.ts";
import { resources } from "../../src/resources.ts";
import { openStore } from "../../src/store/index.ts";
import { testKeys } from "./secret-keys.ts";

const store = await openStore({
  url: process.argv[2] ?? "",
  clock: systemClock,
  resources,
  keys: testKeys,
});
const outgoing = new Outgoing({ allowedNetworks: ["127.0.0.0/8"] });
const kinds = [escalateCases, postMessages(store, outgoing, { pagerDutyUrl: "" })];
const worker = new Worker({
  store,
  clock: systemClock,
  logger: createLogger("error"),
  kinds,
  leaseMilliseconds: 500,
  pollMilliseconds: 50,
});
worker.start();
const isLeft = async (state: "queued" | "running" | "failed"): Promise<boolean> => {
  const lists = kinds.map(({ name }) => store.jobs.list({ limit: 1, state, kind: name }));
  return (await Promise.all(lists)).some((list) => list.length > 0);
};
while ((await isLeft("queued")) || (await isLeft("running")) || (await isLeft("failed"))) {
  // oxlint-disable-next-line no-await-in-loop -- until other processes' leases have ended, too
  await setTimeout(20);
}
await worker.stop();
await store.close();
