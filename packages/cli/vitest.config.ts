import { packageTests } from "../../vitest.base.ts";

// Tests that start processes share the machine with each other.
export default packageTests({ testTimeout: 30_000 });
