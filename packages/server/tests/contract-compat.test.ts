import { test } from "vitest";
import { ofExistingClients, runContract, slowest } from "./support/contract-run.ts";
import { forEachEngine } from "./support/engines.ts";

forEachEngine((engine) => {
  test(
    "with --compat every success is an Envelope, and what existing clients send is accepted",
    () => runContract(engine, ofExistingClients),
    slowest,
  );
});
