import { packageTests } from "../vitest.base.ts";

export default packageTests({
  include: [".vitepress/*.test.ts", "scripts/**/*.test.ts", "tests/**/*.test.ts"],
  // The default is one for a machine with two processors.
  maxWorkers: 2,
  // The programs on the pages print their results to the console.
  silent: "passed-only",
});
