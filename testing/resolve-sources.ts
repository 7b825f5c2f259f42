/** A setup file of Vitest that resolves imports of source files, which need no search, without its hook. */
import { registerHooks } from "node:module";
import { afterAll } from "vitest";

// Vitest's hook sends each import to another process, which takes longer than the import and serves only a Vitest
// that watches files.
if (process.env["VITEST_MODE"] !== "WATCH") {
  const hook = registerHooks({
    resolve(specifier, context, next) {
      const { parentURL } = context;
      return parentURL !== undefined && /^\.\.?\/.*\.ts$/.test(specifier)
        ? {
            url: new URL(specifier, parentURL).href,
            format: "module-typescript",
            shortCircuit: true,
          }
        : next(specifier, context);
    },
  });
  // Setup files run before each test file.
  afterAll(() => hook.deregister());
}
