import { fileURLToPath } from "node:url";
import { defineConfig, type ViteUserConfig } from "vitest/config";

/**
 * Milliseconds. These limits end what hangs; no test is judged by its time. `TEST_TIME_FACTOR` raises them on a slow
 * machine. With `FC_RUNS`, a test may take any time.
 */
const timeFactor = Number(process.env["TEST_TIME_FACTOR"] ?? 1);
const longest = 30_000 * timeFactor;
const longestExhaustive = 120_000 * timeFactor;
const limited = (milliseconds: number): number =>
  process.env["FC_RUNS"] === undefined ? milliseconds : 0;

/** Programs that tests start compile each source file once for all of them. */
const compiled = fileURLToPath(new URL("node_modules/.cache/node-compile", import.meta.url));

/** For a package with many tests: the default is one worker on a machine with two processors. */
export const twoWorkers = { maxWorkers: 2 } as const;

/** The one vitest configuration; packages read each other's sources, so no build comes first. */
export function packageTests(test: ViteUserConfig["test"] = {}): ViteUserConfig {
  return defineConfig({
    test: {
      include: ["src/**/*.test.ts", "tests/**/*.test.ts"],
      // Test files of a worker share its modules: most of a small file's time goes into loading them.
      isolate: false,
      // Node.js runs the sources itself: Vite would compile each of them first.
      experimental: { viteModuleRunner: false, nodeLoader: false },
      execArgv: [
        "--conditions=@security-platform/source",
        // Tests make much garbage that is short-lived; the default of 16 MiB collects too often.
        "--max-semi-space-size=128",
        "--min-semi-space-size=128",
      ],
      setupFiles: [fileURLToPath(new URL("testing/resolve-sources.ts", import.meta.url))],
      env: { NODE_COMPILE_CACHE: compiled },
      tags: [
        {
          name: "exhaustive",
          description: "Runs in `npm run test:push` and in CI, not in `npm test`.",
          timeout: limited(longestExhaustive),
        },
        {
          name: "nightly",
          description:
            "Beside `exhaustive`: runs in `npm run test:exhaustive`, and in CI at night.",
          timeout: limited(2 * longestExhaustive),
        },
      ],
      expect: { poll: { timeout: longestExhaustive } },
      testTimeout: limited(longest),
      hookTimeout: limited(longestExhaustive),
      teardownTimeout: longestExhaustive,
      ...test,
    },
  });
}
