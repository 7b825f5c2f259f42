import { test } from "vitest";
import { runContract, slowest } from "./support/contract-run.ts";
import { onPostgres } from "./support/engines.ts";

/** Both engines take longer than all other tests, so each has a file and may have a worker. */
onPostgres((engine) => {
  test(
    "every documented answer of every operation is obtained, and the laws hold",
    () => runContract(engine),
    slowest,
  );
});
