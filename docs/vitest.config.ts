import { packageTests, twoWorkers } from "../vitest.base.ts";

export default packageTests({
  include: [".vitepress/*.test.ts", "scripts/**/*.test.ts", "tests/**/*.test.ts"],
  ...twoWorkers,
  // The built site is tested in a browser and with programs, which take long on a busy machine.
  testTimeout: 120_000,
  // The programs on the pages print their results to the console.
  silent: "passed-only",
});
