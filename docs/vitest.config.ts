import { packageTests, twoWorkers } from "../vitest.base.ts";

export default packageTests({
  include: [".vitepress/*.test.ts", "scripts/**/*.test.ts", "tests/**/*.test.ts"],
  ...twoWorkers,
  // The programs on the pages print their results to the console.
  silent: "passed-only",
});
