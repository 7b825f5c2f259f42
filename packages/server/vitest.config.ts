import { packageTests } from "../../vitest.base.ts";
import { LongestFirst } from "./tests/support/longest-first.ts";

export default packageTests({
  globalSetup: ["tests/support/postgres-server.ts"],
  // The default is one for a machine with two processors.
  maxWorkers: 2,
  sequence: { sequencer: LongestFirst },
});
