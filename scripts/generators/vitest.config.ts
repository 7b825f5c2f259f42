import { packageTests } from "../../vitest.base.ts";

export default packageTests({ root: import.meta.dirname, include: ["*.test.ts"] });
