import { contractSuite } from "./support/contract-suite.ts";
import { onPostgres } from "./support/engines.ts";

onPostgres(contractSuite);
