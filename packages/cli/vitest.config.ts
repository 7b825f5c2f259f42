import { packageTests, twoWorkers } from "../../vitest.base.ts";

export default packageTests(twoWorkers);
