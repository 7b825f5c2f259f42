/** A setup file of Vitest with which the tests of the test double import what its package ships. */
import { registerHooks } from "node:module";
import { afterAll } from "vitest";

const source = new URL("../packages/testing/src/", import.meta.url).href;
const dist = new URL("../packages/testing/dist/", import.meta.url).href;

const hook = registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const [, name] = /^(index|portable|vitest)\.ts$/.exec(resolved.url.replace(source, "")) ?? [];
    return name === undefined
      ? resolved
      : { url: `${dist}${name}.js`, format: "module", shortCircuit: true };
  },
});
// Setup files run before each test file.
afterAll(() => hook.deregister());
