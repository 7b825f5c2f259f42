import type { CustomRole } from "../../access/tenant-roles.ts";
import { roleImporter } from "../../imports/roles.ts";
import type { Cast } from "./cast.ts";
import { imported } from "./imported.ts";

/** A role that the tenant has defined itself. */
export const storyRole = ({ cid, known, at }: Cast): CustomRole =>
  imported(
    roleImporter,
    {
      id: known("d7e9f0a1b2c34d5e8f6a7b8c9d0e1f23"),
      display_name: "Indicator editor",
      description: "Maintains indicators, and reads cases.",
      permissions: ["ioc-management:read", "ioc-management:write", "cases:read"],
    },
    { cid, now: new Date(at(50, "09:00:00")) },
  );
