import { Option } from "commander";
import type { CalledOperation } from "@security-platform/spec";
import { readInteger } from "../options/read-integer.ts";
import { readText } from "../options/read-text.ts";
import { listedIds } from "./ids.ts";
import { resolved, type Schema } from "./schema.ts";

/** Default time limit of `--wait`. */
export const usualWaitSeconds = 600;

export interface RequestOptions {
  readonly all?: boolean;
  readonly limit?: number;
  readonly idsFrom?: string;
  readonly body?: string;
  readonly set?: readonly string[];
  readonly save?: string;
  /** Seconds; true for the usual number. */
  readonly wait?: number | true;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly verbose?: boolean;
}

const group = "Request:";

/** Whether people are asked before the request is sent. What the control plane deletes is only for tests. */
export const isDestructive = ({ method, collection }: CalledOperation): boolean =>
  method === "delete" && collection !== "dev";

/** The largest page of a list; undefined if the operation does not page. */
export const pageSizeOf = ({ paging, parameters }: CalledOperation): number | undefined =>
  paging === "none"
    ? undefined
    : // A limit that is text has a maximum of 100.
      (limitOf({ parameters }).maximum ?? 100);

const limitOf = ({ parameters }: Pick<CalledOperation, "parameters">): Schema =>
  resolved(parameters.find(({ name }) => name === "limit")?.schema);

/** The options that an operation has beside its parameters. */
export function requestOptions(operation: CalledOperation): readonly Option[] {
  const options: Option[] = [];
  const pageSize = pageSizeOf(operation);
  if (pageSize !== undefined) {
    options.push(
      new Option("--all", "all entries, page by page (default: one page)"),
      new Option(
        "--limit <count>",
        `at most this many entries; a page has up to ${pageSize}`,
      ).argParser(readInteger(limitOf(operation).minimum ?? 1)),
    );
  }
  if (listedIds(operation) !== undefined) {
    options.push(
      new Option(
        "--ids-from <file>",
        "read ids from a file, one a line; - is standard input",
      ).argParser(readText("a file")),
    );
  }
  options.push(...bodyOptions(operation));
  if (operation.answer === "file") {
    options.push(
      new Option("--save <file>", "where to save the file (default: standard output)").argParser(
        readText("a file"),
      ),
    );
  }
  if (operation.wait !== undefined) {
    const { state, done } = operation.wait;
    options.push(
      new Option(
        "--wait [seconds]",
        `wait until the ${state} of the record is ${done.join(" or ")}, and print it; at most this long ` +
          `(default: ${usualWaitSeconds})`,
      ).argParser(readInteger(0)),
    );
  }
  if (isDestructive(operation)) {
    options.push(new Option("--yes", "do not ask; required if there is no terminal"));
  }
  options.push(...traceOptions());
  return options.map((option) => option.helpGroup(group));
}

/** The options that set the body of an operation; none without a body. */
export const bodyOptions = ({ requestBody }: CalledOperation): readonly Option[] =>
  requestBody === undefined
    ? []
    : [
        new Option(
          "--body <file>",
          "body: a file with JSON or YAML, JSON itself, or - for standard input",
        )
          .argParser(readText("a file"))
          .helpGroup(group),
        new Option(
          "--set <path=value...>",
          "set a member of the body, such as indicators.0.type=domain or indicators[0].type=domain; path:=value takes JSON",
        ).helpGroup(group),
      ];

/** The options that show what is sent. */
export const traceOptions = (): readonly Option[] => [
  new Option("--dry-run", "print the request as a curl command, and send nothing").helpGroup(group),
  new Option("--verbose", "show the headers of requests and responses on standard error").helpGroup(
    group,
  ),
];
