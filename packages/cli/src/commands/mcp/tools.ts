import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { printFilter } from "@security-platform/fql";
import { z } from "zod";
import { evaluate } from "../../output/jmespath.ts";
import { describeError } from "../../terminal/describe-error.ts";
import { readFilter, sortProblems } from "../fql/check-expressions.ts";
import { explanationText } from "../fql/explain-filter.ts";
import { readFilterFields } from "../fql/filter-fields.ts";
import { boundedJson } from "./bounded.ts";
import type { Caller } from "./caller.ts";
import { describeOperation } from "./describe-operation.ts";
import { findOperation, isRead } from "./operation-names.ts";
import { searchOperations } from "./search-operations.ts";

const operation = z
  .string()
  .describe(
    "Id of an operation such as indicator.combined.v1, or its name such as ioc.list-indicators",
  );

const reads = { readOnlyHint: true, openWorldHint: false } as const;

/** Registers all tools. Their results are JSON of a limited length. */
export function addTools(server: McpServer, caller: Caller, allowWrites: boolean): void {
  server.registerTool(
    "search_operations",
    {
      title: "Search operations",
      description:
        "Find operations of the API by words of their names and texts, such as 'list prevention policies'. Empty: all.",
      inputSchema: { query: z.string().max(500) },
      annotations: reads,
    },
    ({ query }) => printResult(() => ({ ...searchOperations(query) }), "operations"),
  );
  server.registerTool(
    "describe_operation",
    {
      title: "Describe an operation",
      description:
        "Parameters, body, filter fields and an example of an operation. Read it before the first call.",
      inputSchema: { operation },
      annotations: reads,
    },
    (input) =>
      printResult(
        () => ({ ...describeOperation(findOperation(input.operation)) }),
        "filter_fields",
      ),
  );
  server.registerTool(
    "call_operation",
    {
      title: "Call an operation",
      description:
        "Send a request, and return the records. " +
        (allowWrites
          ? "Operations with changes_records change or delete records at once."
          : "Only operations without changes_records are allowed."),
      inputSchema: {
        operation,
        parameters: z
          .record(z.string(), z.unknown())
          .optional()
          .describe("By name, such as filter, sort, limit, offset or ids"),
        body: z.unknown().optional().describe("JSON value, if the operation has a body"),
        query: z
          .string()
          .max(2_000)
          .optional()
          .describe(
            "JMESPath expression that selects a part of the records: [].{id: id, name: name}",
          ),
      },
      annotations: allowWrites
        ? { readOnlyHint: false, destructiveHint: true, openWorldHint: false }
        : reads,
    },
    ({ operation: name, parameters = {}, body, query }, { signal }) =>
      printResult(async () => {
        const called = findOperation(name);
        if (!allowWrites && !isRead(called)) {
          throw new RangeError(
            `${called.id} changes records, which is not allowed; whoever started this server can allow it with --allow-writes`,
          );
        }
        const select = query === undefined ? undefined : evaluate(query);
        const { data, ...result } = await caller.call(called, parameters, body, signal);
        return { data: select === undefined ? data : select(data), ...result };
      }, "data"),
  );
  server.registerTool(
    "explain_filter",
    {
      title: "Explain a filter",
      description:
        "Check a filter in FQL, and explain in words what it finds. Reports every problem with its place.",
      inputSchema: {
        operation: operation.describe("The operation that the filter is for"),
        filter: z.string().max(8_192),
        sort: z.string().max(512).optional(),
      },
      annotations: reads,
    },
    (input) => printResult(() => explain(input), "problems"),
  );
}

function explain(input: {
  readonly operation: string;
  readonly filter: string;
  readonly sort?: string | undefined;
}) {
  const { fields } = readFilterFields(findOperation(input.operation).id);
  const { filter, problems } = readFilter(input.filter, fields);
  const all = [...problems, ...(input.sort === undefined ? [] : sortProblems(input.sort, fields))];
  return {
    valid: all.length === 0,
    ...(filter === undefined
      ? {}
      : { filter: printFilter(filter), explanation: explanationText(filter, fields) }),
    problems: all.map(({ expression, error }) => ({
      expression,
      offset: error.offset,
      message: error.message,
    })),
  };
}

/** Errors are results too, so that the assistant can correct its input. */
async function printResult(
  work: () => Readonly<Record<string, unknown>> | Promise<Readonly<Record<string, unknown>>>,
  list: string,
): Promise<CallToolResult> {
  try {
    return { content: [{ type: "text", text: boundedJson(await work(), list) }] };
  } catch (error) {
    return { content: [{ type: "text", text: describeError(error) }], isError: true };
  }
}
