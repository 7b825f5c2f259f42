import { test as base } from "vitest";
import { startPlatform } from "./node-host.ts";
import type { StartOptions } from "./options.ts";
import type { TestPlatform } from "./test-platform.ts";

interface Fixtures {
  /** The platform, which is in its initial state at the start of each test. */
  readonly platform: TestPlatform;
}

interface WorkerFixtures {
  /** The platform of the worker, with what earlier tests did. */
  readonly workerPlatform: TestPlatform;
}

/** Vitest's `test` with one platform for each worker, which is reset before each test. */
export const testWith = (options: StartOptions) =>
  base.extend<Fixtures & WorkerFixtures>({
    workerPlatform: [
      // Vitest reads the names of the fixtures that a fixture uses from the braces.
      // oxlint-disable-next-line no-empty-pattern
      async ({}, use) => {
        await using platform = await startPlatform(options);
        await use(platform);
      },
      { scope: "worker" },
    ],
    platform: async ({ workerPlatform }, use) => {
      await workerPlatform.reset();
      await use(workerPlatform);
    },
  });

/** `testWith` without options. */
export const test = testWith({});
