import { defineConfig, type ViteUserConfig } from "vitest/config";

/** A busy machine may take this long over any test; with `FC_RUNS`, it may take any time. */
const slowest = process.env["FC_RUNS"] === undefined ? 120_000 : 0;

/** The one vitest configuration; packages read each other's sources, so no build comes first. */
export function packageTests(test: ViteUserConfig["test"] = {}): ViteUserConfig {
  const conditions = ["@security-platform/source", "node"];
  return defineConfig({
    resolve: { conditions },
    ssr: { resolve: { conditions, externalConditions: conditions } },
    test: {
      include: ["src/**/*.test.ts", "tests/**/*.test.ts"],
      testTimeout: slowest,
      hookTimeout: slowest,
      ...test,
    },
  });
}
