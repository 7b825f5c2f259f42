import type { components } from "@security-platform/spec";
import type { ExpressionName } from "../exclusions.ts";

type Request = components["schemas"]["SsIoaMatchedRuleRequest"];

/** The line of a process that each expression matches. */
export type ProcessLines = Readonly<Record<ExpressionName, string>>;

export const linesOf = (process: Omit<Request, "aid" | "pattern_ids">): ProcessLines => ({
  ifn_regex: process.image_file_name,
  cl_regex: process.command_line,
  parent_ifn_regex: process.parent_image_file_name,
  parent_cl_regex: process.parent_command_line,
  grandparent_ifn_regex: process.grandparent_image_file_name,
  grandparent_cl_regex: process.grandparent_command_line,
});
