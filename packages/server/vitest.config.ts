import { packageTests, twoWorkers } from "../../vitest.base.ts";
import { LongestFirst } from "./tests/support/longest-first.ts";

export default packageTests({
  globalSetup: ["tests/support/postgres-server.ts"],
  ...twoWorkers,
  sequence: { sequencer: LongestFirst },
});
