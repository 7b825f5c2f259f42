import { InvalidArgumentError, Option } from "commander";
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

/** `--tenant`, for commands that call the API: it knows no names of tenants. */
export const actForOption = (more = ""): Option =>
  new Option("--tenant, --member-cid <cid>", `cid of the child tenant to act for${more}`).argParser(
    readCid,
  );

function readCid(text: string): string {
  if (/^[0-9a-f]{32}$/i.test(text)) return text;
  throw new InvalidArgumentError(
    "Expected a cid of 32 hexadecimal digits, because this command calls the API " +
      "(secplat tenants list shows the cids).",
  );
}

/** `--tenant`, for commands on a record of any tenant. */
export const ownerOption = (): Option =>
  new Option(
    "--tenant <tenant>",
    "cid or name of its tenant in the database (default: any tenant)",
  ).argParser(readTenant);

/** `--tenant`, for commands on one tenant. */
export const tenantOption = (): Option =>
  new Option(
    "--tenant <tenant>",
    "cid or name of the tenant in the database (default: the demo's, or the only one)",
  )
    .env("SECPLAT_TENANT")
    .argParser(readTenant);
