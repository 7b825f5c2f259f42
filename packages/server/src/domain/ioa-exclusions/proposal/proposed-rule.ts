import type { components } from "@security-platform/spec";
import { wholeProcess } from "../matching/process-lines.ts";
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

/** The process of the request, with a proposed expression for each non-empty line. */
export function proposedRule(
  process: Schemas["SsIoaNewRuleRequest"],
  hostGroups: readonly string[],
): Schemas["SsIoaDefaultRule"] {
  const whole = wholeProcess(process);
  const expressions = sources.flatMap(([name, member, telling]) => {
    const line = whole[member];
    return line === "" ? [] : [[name, proposeExpression(line, telling)] as const];
  });
  return {
    aid: process.aid,
    ...whole,
    ...Object.fromEntries(expressions),
    host_groups: hostGroups,
  };
}
