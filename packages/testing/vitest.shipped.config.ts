import { fileURLToPath } from "node:url";
import { packageTests } from "../../vitest.base.ts";

const testing = (name: string): string =>
  fileURLToPath(new URL(`../../testing/${name}`, import.meta.url));

/** All tests of the package, with what it ships. */
export default packageTests({
  setupFiles: [testing("resolve-sources.ts"), testing("shipped-double.ts")],
});
