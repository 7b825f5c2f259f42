import type { GroupedFault } from "../fault.ts";
import { accessFaults } from "./access.ts";
import { aggregatesFaults } from "./aggregates.ts";
import { cliFaults } from "./cli.ts";
import { clientFaults } from "./client.ts";
import { domainFaults } from "./domain.ts";
import { fqlFaults } from "./fql.ts";
import { gateFaults } from "./gate.ts";
import { serverFaults } from "./server.ts";
import { storeFaults } from "./store.ts";

const packages = [
  accessFaults,
  serverFaults,
  domainFaults,
  storeFaults,
  aggregatesFaults,
  fqlFaults,
  clientFaults,
  gateFaults,
  cliFaults,
];

/** All planted faults. A group may have faults in several packages. */
export const faults: readonly GroupedFault[] = packages.flatMap((groups) =>
  Object.entries(groups).flatMap(([group, each]) => each.map((fault) => ({ group, ...fault }))),
);
