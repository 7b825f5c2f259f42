import { Option, type Command } from "commander";
import { readChoice } from "../options/read-choice.ts";
import { jsonOption } from "../options/shared.ts";
import type { CliContext } from "../terminal/cli-context.ts";
import { openPager } from "./pager.ts";
import { formats, printerOf, type Format, type Printer } from "./printer.ts";

export interface OutputOptions {
  readonly output: Format;
  readonly json?: boolean;
  readonly fields?: readonly string[];
  readonly query?: string;
  readonly pager: boolean;
}

const group = "Output:";

export const outputOptions = (format: Format = "table"): readonly Option[] => [
  new Option("--output <format>", `output format: ${formats.join(", ")}`)
    .argParser(readChoice(formats))
    .default(format)
    .helpGroup(group),
  jsonOption(),
  new Option(
    "--fields <names>",
    "only these fields, separated by commas, such as id,metadata.filename",
  )
    .argParser(readFields)
    .helpGroup(group),
  new Option(
    "--query <expression>",
    "JMESPath expression that selects a part of the result",
  ).helpGroup(group),
  new Option("--no-pager", "on a terminal, do not show long output with PAGER").helpGroup(group),
];

function readFields(text: string): readonly string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/**
 * Calls `work` with a printer for the command's output, and shows it with a pager on a terminal. Printing items
 * waits for a slow reader, and fails when nobody reads any more.
 */
export async function withPrinter(
  { output: format, json, fields, query, pager }: OutputOptions,
  context: CliContext,
  work: (printer: Printer, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  // https://no-color.org
  const colour = (context.environment["NO_COLOR"] ?? "") === "";
  const options = { format: json === true ? ("json" as const) : format, fields, query, colour };
  const page = openPager(context, pager);
  try {
    const printer = await printerOf(options, page.output, (text) => {
      // A hint for people, which scripts must not get.
      if (context.stderr.isTTY === true) context.stderr.write(`secplat: ${text}\n`);
    });
    const paced: Printer = {
      ...printer,
      items: async (items) => {
        await printer.items(items);
        await page.drained();
      },
    };
    await work(paced, page.signal);
  } finally {
    await page.end();
  }
}

export const addOptions = (command: Command, options: readonly Option[]): Command => {
  for (const option of options) command.addOption(option);
  return command;
};
