import { contractSuite } from "./support/contract-suite.ts";
import { onSqlite } from "./support/engines.ts";

onSqlite(contractSuite);
