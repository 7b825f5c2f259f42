import { calledDocument, type CalledOperation } from "@security-platform/spec";
import { Option, type Command } from "commander";
import { exampleOf } from "../../calls/example.ts";
import { flagsOf } from "../../calls/flags.ts";
import { kebabCase } from "../../calls/operations.ts";
import { bodyOptions, traceOptions } from "../../calls/request-options.ts";
import { examples } from "../../options/examples.ts";
import { readText } from "../../options/read-text.ts";
import { addOptions, outputOptions } from "../../output/output-options.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import type { ControlOptions } from "./run-control.ts";

/** Adds a command for each operation of the control plane, which `spec/control.yaml` describes. */
export function addDevCommand(program: Command, context: CliContext): void {
  const dev = program
    .command("dev")
    .description(
      "Control a server that runs with --dev, for tests: its state, its clock, its background work and its faults, " +
        "and see which requests arrived. No credentials are needed. A reset needs a server with " +
        "--database sqlite::memory:.",
    )
    .addHelpText(
      "after",
      examples(
        "secplat serve --dev --database sqlite::memory:",
        'secplat dev advance-clock --duration "3 h"',
        "secplat dev add-fault --operation-id indicator.combined.v1 --status 503 --times 2",
        "secplat dev list-requests --path /oauth2/token --count 2 --wait-ms 5000",
      ),
    );
  for (const operation of calledDocument().control) addControlCommand(dev, context, operation);
}

const serverOptions = (): readonly Option[] =>
  [
    new Option(
      "--url <url>",
      "URL of the server (env: SECPLAT_URL; default: a running server on this machine)",
    ).argParser(readText("a URL such as http://127.0.0.1:8080")),
    new Option("--data <folder>", "data folder of the server on this machine")
      .env("SECPLAT_DATA")
      .argParser(readText("a folder"))
      .default(".data"),
  ].map((option) => option.helpGroup("Server:"));

function addControlCommand(dev: Command, context: CliContext, operation: CalledOperation): void {
  const { id, method, path, methodName, summary, description } = operation;
  const others = [
    ...bodyOptions(operation),
    ...traceOptions(),
    ...serverOptions(),
    ...outputOptions(),
  ];
  const taken = others.flatMap(({ long, short }) => [long ?? "", short ?? ""]);
  const flags = flagsOf(operation, new Set([...taken, "--help"]));
  const command = dev
    .command(kebabCase(methodName))
    .summary(summary.slice(0, 1).toLowerCase() + summary.slice(1))
    .description(
      `${description}\n\nOperation ${id} of the control plane: ${method.toUpperCase()} /_control${path}.`,
    )
    .addHelpText("after", examples(...exampleOf(operation, flags)));
  addOptions(command, [...flags.map(({ option }) => option), ...others]);
  command.action(async (options: ControlOptions) => {
    const { runControl } = await import("./run-control.ts");
    await runControl(operation, flags, options, context);
  });
}
