import { packageTests } from "../../vitest.base.ts";

export default packageTests({ globalSetup: ["tests/support/postgres-server.ts"] });
