import { packageTests } from "../../vitest.base.ts";

export default packageTests({
  root: import.meta.dirname,
  include: ["*.test.ts"],
  // Generated clients import files without their extensions, which Vite finds and Node.js does not.
  experimental: { viteModuleRunner: true },
});
