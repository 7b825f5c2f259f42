import { Option } from "commander";
import { offeringListed } from "./offering-listed.ts";
import { readText } from "./read-text.ts";

/** `--json`, the same on every command. */
export const jsonOption = (): Option =>
  new Option("--json", "print one JSON value, for scripts").helpGroup("Output:");

/** Reads the cid or the name of a tenant. */
export const readTenant = offeringListed(
  readText("the cid or name of a tenant"),
  "tenants list",
  "cid",
  "name",
);

/** `--tenant`, for commands on a record of any tenant. */
export const ownerOption = (): Option =>
  new Option("--tenant <tenant>", "cid or name of its tenant (default: any tenant)").argParser(
    readTenant,
  );

/** `--tenant`, for commands on one tenant. */
export const tenantOption = (): Option =>
  new Option(
    "--tenant <tenant>",
    "cid or name of the tenant (default: the demo's, or the only one)",
  )
    .env("SECPLAT_TENANT")
    .argParser(readTenant);
