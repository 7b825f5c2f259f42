import type { components } from "@security-platform/spec";
import { wholeProcess } from "../matching/process-lines.ts";
import { proposeExpression, type SpecificEnd } from "./propose-expression.ts";

type Schemas = components["schemas"];

const sources = [
  ["ifn_regex", "image_file_name", "end"],
  ["cl_regex", "command_line", "start"],
  ["parent_ifn_regex", "parent_image_file_name", "end"],
  ["parent_cl_regex", "parent_command_line", "start"],
  ["grandparent_ifn_regex", "grandparent_image_file_name", "end"],
  ["grandparent_cl_regex", "grandparent_command_line", "start"],
] as const satisfies readonly (readonly [string, string, SpecificEnd])[];

/** The process of the request, with a proposed expression for each non-empty line. */
export function proposedRule(
  process: Schemas["SsIoaNewRuleRequest"],
  hostGroups: readonly string[],
): Schemas["SsIoaDefaultRule"] {
  const whole = wholeProcess(process);
  const expressions = sources.flatMap(([name, member, specificEnd]) => {
    const line = whole[member];
    return line === "" ? [] : [[name, proposeExpression(line, specificEnd)] as const];
  });
  return {
    aid: process.aid,
    ...whole,
    ...Object.fromEntries(expressions),
    host_groups: hostGroups,
  };
}
