import { defineConfig, type ViteUserConfig } from "vitest/config";

/** The one vitest configuration; packages read each other's sources, so no build comes first. */
export function packageTests(test: ViteUserConfig["test"] = {}): ViteUserConfig {
  const conditions = ["@security-platform/source", "node"];
  return defineConfig({
    resolve: { conditions },
    ssr: { resolve: { conditions, externalConditions: conditions } },
    test: { include: ["src/**/*.test.ts", "tests/**/*.test.ts"], ...test },
  });
}
