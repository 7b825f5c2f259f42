import type { components } from "@security-platform/spec";
import { proposeExpression, type TellingEnd } from "./propose-expression.ts";

type Schemas = components["schemas"];

const sources = [
  ["ifn_regex", "image_file_name", "end"],
  ["cl_regex", "command_line", "start"],
  ["parent_ifn_regex", "parent_image_file_name", "end"],
  ["parent_cl_regex", "parent_command_line", "start"],
  ["grandparent_ifn_regex", "grandparent_image_file_name", "end"],
  ["grandparent_cl_regex", "grandparent_command_line", "start"],
] as const satisfies readonly (readonly [string, string, TellingEnd])[];

/** The process of the request, with an expression for each non-empty line. */
export function proposedRule(
  process: Schemas["SsIoaNewRuleRequest"],
  hostGroups: readonly string[],
): Schemas["SsIoaDefaultRule"] {
  const expressions = sources.flatMap(([name, member, telling]) => {
    const line = process[member];
    return line === "" ? [] : [[name, proposeExpression(line, telling)] as const];
  });
  return { ...process, ...Object.fromEntries(expressions), host_groups: hostGroups };
}
