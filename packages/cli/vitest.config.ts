import { packageTests } from "../../vitest.base.ts";

export default packageTests({
  // The default is one for a machine with two processors.
  maxWorkers: 2,
});
