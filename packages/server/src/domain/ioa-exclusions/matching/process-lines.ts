import type { components } from "@security-platform/spec";
import type { ExpressionName } from "../exclusions.ts";

type Request = components["schemas"]["SsIoaNewRuleRequest"];

/** The lines of a process by the expression that matches each of them. */
export type ProcessLines = Readonly<Record<ExpressionName, string>>;

type Lines = Omit<Request, "aid">;

/** All lines of a process. Lines of missing ancestors are empty. */
export const wholeProcess = ({
  image_file_name,
  command_line,
  parent_image_file_name = "",
  parent_command_line = "",
  grandparent_image_file_name = "",
  grandparent_command_line = "",
}: Lines): Required<Lines> => ({
  image_file_name,
  command_line,
  parent_image_file_name,
  parent_command_line,
  grandparent_image_file_name,
  grandparent_command_line,
});

export function linesOf(lines: Lines): ProcessLines {
  const process = wholeProcess(lines);
  return {
    ifn_regex: process.image_file_name,
    cl_regex: process.command_line,
    parent_ifn_regex: process.parent_image_file_name,
    parent_cl_regex: process.parent_command_line,
    grandparent_ifn_regex: process.grandparent_image_file_name,
    grandparent_cl_regex: process.grandparent_command_line,
  };
}
