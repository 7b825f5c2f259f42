import type { Input } from "@security-platform/client";
import { Option, type Command } from "commander";
import { addConnectionOptions, withClient } from "../../api/connection.ts";
import type { ConnectionOptions } from "../../api/resolve-connection.ts";
import { readChoice } from "../../options/read-choice.ts";
import { readText } from "../../options/read-text.ts";
import { jsonOption } from "../../options/shared.ts";
import { printResult, type ResultOptions } from "../../terminal/print-result.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { saveExport, waitForExport } from "./save-export.ts";

type Request = Input<"LaunchExportJob">["body"];

const formats = ["csv", "json"] as const;

interface CreateOptions extends ConnectionOptions, ResultOptions {
  readonly format: (typeof formats)[number];
  readonly filter?: string;
  readonly sort?: string;
  readonly expand?: boolean;
  readonly output?: string;
}

export function addCreateCommand(exports: Command, context: CliContext): void {
  const command = exports
    .command("create")
    .summary("export a resource")
    .description(
      "Create an export, which a server writes in the background. With --output, wait for it and save its file.",
    )
    .argument(
      "<resource>",
      "what to export, such as images.vulnerabilities, images.packages or images.images-assessment",
      readText("a resource such as images.vulnerabilities"),
    )
    .addOption(
      new Option("--format <format>", `format of the file: ${formats.join(", ")}`)
        .argParser(readChoice(formats))
        .default("csv"),
    )
    .option("--filter <fql>", "only records that match this filter (default: all)")
    .option("--sort <fields>", "fields to sort by, such as severity_number.desc,cve_id")
    .option("--expand", "for images.vulnerabilities: one row for each image with the vulnerability")
    .addOption(
      new Option("--output <file>", "wait for the export and save its file here").helpGroup(
        "Output:",
      ),
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  secplat exports create images.vulnerabilities --filter "severity:'critical'" --output critical.csv
  secplat exports create images.packages --format json`,
    );
  addConnectionOptions(command, "the scope container-image:read").action(
    (resource: string, options: CreateOptions) =>
      withClient(options, context, async (client) => {
        const { format, filter, sort, expand, output } = options;
        const body = {
          resource,
          format,
          ...(filter === undefined ? {} : { fql: filter }),
          ...(sort === undefined ? {} : { sort }),
          ...(expand === undefined ? {} : { expand_vulnerabilities: expand }),
        };
        // The server validates the resource and suggests the closest one.
        const { data } = await client.container.createExport({ body: body as Request });
        const [id = ""] = data;
        if (output === undefined) {
          printResult(context, options, { id }, () => `export ${id} is created\n`);
          return;
        }
        await waitForExport(client, id, context);
        const bytes = await saveExport(client, id, output, context);
        printResult(context, options, { id, bytes }, () => `${bytes} bytes saved to ${output}\n`);
      }),
  );
}
