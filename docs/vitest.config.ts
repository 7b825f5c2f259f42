import { packageTests } from "../vitest.base.ts";

export default packageTests({ include: ["scripts/**/*.test.ts", "tests/**/*.test.ts"] });
