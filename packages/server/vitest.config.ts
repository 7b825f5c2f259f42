import { packageTests } from "../../vitest.base.ts";
import { LongestFirst } from "./tests/support/longest-first.ts";

export default packageTests({
  globalSetup: ["tests/support/postgres-server.ts"],
  // The default is one for a machine with two processors.
  maxWorkers: 2,
  // Node.js runs the sources itself: Vite would compile each of them first.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  execArgv: [
    "--conditions=@security-platform/source",
    // Servers make much garbage that is short-lived; the default of 16 MiB collects too often.
    "--max-semi-space-size=64",
    "--min-semi-space-size=32",
  ],
  sequence: { sequencer: LongestFirst },
});
