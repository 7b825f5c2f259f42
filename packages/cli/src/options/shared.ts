import { Option } from "commander";

/** `--json`, the same on every command. */
export const jsonOption = (): Option =>
  new Option("--json", "print one JSON value, for scripts").helpGroup("Output:");

/** `--tenant`, for commands on a record of any tenant. */
export const ownerOption = (): Option =>
  new Option("--tenant <tenant>", "cid or name of its tenant (default: any tenant)");

/** `--tenant`, for commands on one tenant. */
export const tenantOption = (): Option =>
  new Option(
    "--tenant <tenant>",
    "cid or name of the tenant (default: the demo's, or the only one)",
  ).env("SECPLAT_TENANT");
