import { printFilter } from "@security-platform/fql";
import type { Command } from "commander";
import { examples } from "../../options/examples.ts";
import { jsonOption } from "../../options/shared.ts";
import { printResult, type ResultOptions } from "../../terminal/print-result.ts";
import { exitCodes, SilentExit } from "../../terminal/exit-codes.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { formatTable } from "../../terminal/table.ts";
import { readFilter, sortProblems } from "./check-expressions.ts";
import { explanationText } from "./explain-filter.ts";
import { fieldRows } from "./field-rows.ts";
import { readFilterFields, type FilterFields } from "./filter-fields.ts";

interface CheckOptions extends ResultOptions {
  readonly sort?: string;
}

/** An operation by its id or its readable name. */
const operationHelp = "id of an operation, or its collection and method: ioc.list-indicators";

export function addFqlCommand(program: Command, context: CliContext): void {
  const fql = program
    .command("fql")
    .description(
      "Check and explain filters without a server, and list the fields of an operation.",
    );
  addCheckCommand(fql, context);
  addExplainCommand(fql, context);
  addFieldsCommand(fql, context);
}

function addCheckCommand(fql: Command, context: CliContext): void {
  fql
    .command("check")
    .argument("<operation>", operationHelp, readFilterFields)
    .argument("<filter>", "the filter; '' matches everything")
    .summary("check a filter")
    .description(
      "Check the filter, and the sort, of an operation. Prints all problems with their places; the exit code is " +
        "1 if there are any.",
    )
    .option("--sort <sort>", "a sort to check as well")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        "secplat fql check ioc.list-indicators \"severity:'high'+modified_on:>'now-7d'\"",
        'secplat fql check indicator.combined.v1 "" --sort modified_on.desc',
      ),
    )
    .action((operation: FilterFields, text: string, { sort, ...options }: CheckOptions) => {
      const { filter, problems: found } = readFilter(text, operation.fields);
      const problems = [
        ...found,
        ...(sort === undefined ? [] : sortProblems(sort, operation.fields)),
      ];
      const valid = problems.length === 0;
      const canonical = filter === undefined ? null : printFilter(filter);
      printResult(
        context,
        options,
        {
          valid,
          filter: canonical,
          problems: problems.map(({ expression, error }) => ({
            expression,
            offset: error.offset,
            reason: error.reason,
            suggestion: error.suggestion ?? null,
            hint: error.hint ?? null,
            excerpt: error.excerpt,
          })),
        },
        () => (valid ? "valid\n" : problems.map(({ error }) => `${error.message}\n`).join("\n")),
      );
      if (!valid) throw new SilentExit(exitCodes.failure);
    });
}

function addExplainCommand(fql: Command, context: CliContext): void {
  fql
    .command("explain")
    .argument("<operation>", operationHelp, readFilterFields)
    .argument("<filter>", "the filter; '' matches everything")
    .summary("explain a filter in words")
    .description("Explain what a filter of an operation finds. The filter must be valid.")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        "secplat fql explain ioc.list-indicators \"severity:['high','critical']+tags:!'test'\"",
      ),
    )
    .action((operation: FilterFields, text: string, options: ResultOptions) => {
      const { filter, problems } = readFilter(text, operation.fields);
      if (filter === undefined) throw problems[0]?.error;
      const explanation = explanationText(filter, operation.fields);
      const { id, resource } = operation;
      printResult(
        context,
        options,
        { operation: id, resource, filter: printFilter(filter), explanation },
        () => `${explanation}\n`,
      );
    });
}

function addFieldsCommand(fql: Command, context: CliContext): void {
  fql
    .command("fields")
    .argument("<operation>", operationHelp, readFilterFields)
    .summary("list the fields of filters and sorts")
    .description(
      "List the fields that an operation can filter and sort by, with their types, operators and an example.",
    )
    .addOption(jsonOption())
    .addHelpText("after", examples("secplat fql fields ioc.list-indicators"))
    .action(({ fields }: FilterFields, options: ResultOptions) => {
      const rows = fieldRows(fields);
      printResult(context, options, rows, () =>
        formatTable(
          ["field", "type", "sorts", "operators", "example"],
          rows.map(({ sortable, operators, list, type, ...row }) => ({
            ...row,
            type: list ? `list of ${type}` : type,
            sorts: sortable ? "yes" : "",
            operators: operators.join("  "),
          })),
        ),
      );
    });
}
