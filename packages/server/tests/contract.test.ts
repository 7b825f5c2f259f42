import { test } from "vitest";
import { ofExistingClients, runContract, slowest } from "./support/contract-run.ts";
import { forEachEngine } from "./support/engines.ts";

/** In one file, and so one worker, which compiles the document's schemas once. */
forEachEngine((engine) => {
  test(
    "every documented response of every operation is obtained, and the laws hold",
    () => runContract(engine),
    slowest,
  );

  test(
    "with --compat, every success is an Envelope, and requests of existing clients are accepted",
    () => runContract(engine, ofExistingClients),
    slowest,
  );
});
