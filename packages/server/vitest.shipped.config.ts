import { fileURLToPath } from "node:url";
import { packageTests, twoWorkers } from "../../vitest.base.ts";
import { LongestFirst } from "./tests/support/longest-first.ts";

const testing = (name: string): string =>
  fileURLToPath(new URL(`../../testing/${name}`, import.meta.url));

/** The tests of the running server, with the server that the command ships. */
export default packageTests({
  include: ["tests/**/*.test.ts"],
  exclude: [
    // They expect instances of classes: of a function that no program uses, and of the driver's own error.
    "tests/hosts.test.ts",
    "tests/http-disk-full.test.ts",
    // It looks at the statements of the driver, and the bundle has a driver of its own.
    "tests/store-partitions.test.ts",
  ],
  globalSetup: ["tests/support/postgres-server.ts"],
  setupFiles: [testing("resolve-sources.ts"), testing("shipped-server.ts")],
  ...twoWorkers,
  sequence: { sequencer: LongestFirst },
});
