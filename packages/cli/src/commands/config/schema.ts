import type { Command } from "commander";
import { examples } from "../../options/examples.ts";
import { jsonOption } from "../../options/shared.ts";
import { settingsSchema } from "../../settings/settings-schema.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { printResult, type ResultOptions } from "../../terminal/print-result.ts";

export function addSchemaCommand(parent: Command, context: CliContext): void {
  parent
    .command("schema")
    .summary("print the JSON Schema of secplat.yaml")
    .description("Print the JSON Schema of secplat.yaml, with which editors complete and check it.")
    .addOption(jsonOption())
    .addHelpText("after", examples("secplat config schema > secplat.schema.json"))
    .action((options: ResultOptions) => {
      const schema = settingsSchema();
      printResult(context, options, schema, () => `${JSON.stringify(schema, null, 2)}\n`);
    });
}
