import { createRequire, registerHooks } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ICruiseOptions, ICruiseResult } from "dependency-cruiser";
import { rules } from "./rules.ts";

export const root = resolve(import.meta.dirname, "../..");

// dependency-cruiser reads sources with the API of TypeScript 5, which the gate of the specification uses too.
const older = createRequire(resolve(root, "packages/spec-gate/package.json"));
registerHooks({
  resolve: (name, context, next) =>
    /^typescript(?:\/|$)/.test(name) && context.parentURL?.includes("/dependency-cruiser/") === true
      ? { url: pathToFileURL(older.resolve(name)).href, shortCircuit: true }
      : next(name, context),
});
const { cruise } = await import("dependency-cruiser");

const options: ICruiseOptions = {
  ruleSet: { forbidden: rules },
  validate: true,
  exclude: { path: "/generated/|[.]test[.]ts$|/src/testing/" },
  doNotFollow: { path: "node_modules|^packages/[^/]+/(?!src(?:/|$))" },
  tsPreCompilationDeps: true,
  metrics: true,
  enhancedResolveOptions: {
    conditionNames: ["@security-platform/source", "import", "node", "default"],
    exportsFields: ["exports"],
    extensions: [".ts", ".js"],
  },
};

/** The imports of all packages, types included, with what breaks the rules. `baseDir`: the root of the repository. */
export async function cruiseSources(baseDir = root): Promise<ICruiseResult> {
  const { output } = await cruise(["packages"], { ...options, baseDir });
  return output as ICruiseResult;
}
