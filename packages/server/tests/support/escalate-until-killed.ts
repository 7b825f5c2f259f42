/**
 * A process that escalates cases and delivers messages until every job has ended:
 * `node escalate-until-killed.ts <database url>`.
 */
import { systemClock } from "../../src/foundation/clock.ts";
import { postMessages } from "../../src/domain/case-management/notifications/deliver.ts";
import { escalateCases } from "../../src/domain/case-management/slas/escalate.ts";
import { HttpOutgoing } from "../../src/outgoing/http-outgoing.ts";
import { resources } from "../../src/platform/resources.ts";
import { openStoreAt } from "../../src/host/open-store-at.ts";
import { testKeys } from "./secret-keys.ts";
import { workUntilDone } from "./work-until-done.ts";

const store = await openStoreAt({
  url: process.argv[2] ?? "",
  clock: systemClock,
  resources,
  keys: testKeys,
});
const outgoing = new HttpOutgoing({ allowedNetworks: ["127.0.0.0/8"] });
const kinds = [escalateCases, postMessages(store, outgoing, { pagerDutyUrl: "" })];
await workUntilDone(store, kinds, 5_000);
