import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ViteUserConfig } from "vitest/config";

/** The package's own configuration, with the test files that main.ts names, and without costly tests. */
const { default: config } = (await import(pathToFileURL(resolve("vitest.config.ts")).href)) as {
  readonly default: ViteUserConfig;
};

/** Vitest reads the filter of tags, but declares it for its command only. */
type Config = ViteUserConfig & { readonly test: { readonly tagsFilter: readonly string[] } };

const chosen: Config = {
  ...config,
  test: {
    ...config.test,
    include: JSON.parse(process.env["MUTATION_TESTS"] ?? "[]") as string[],
    tagsFilter: ["!exhaustive"],
  },
};

export default chosen;
