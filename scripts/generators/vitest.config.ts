import { packageTests } from "../../vitest.base.ts";

/** Milliseconds; the first run downloads generators and libraries. */
const longest = 1_200_000;

export default packageTests({
  root: import.meta.dirname,
  include: ["*.test.ts"],
  testTimeout: longest,
  // Names skipped tests, with the reason.
  reporters: ["verbose"],
  // Generated clients import files without their extensions, which Vite finds and Node.js does not.
  experimental: { viteModuleRunner: true },
});
