import { calledDocument } from "@security-platform/spec";
import { Argument, InvalidArgumentError, Option, type Command } from "commander";
import { addConnectionOptions } from "../api/connection.ts";
import { traceOptions } from "../calls/request-options.ts";
import { offering } from "../options/offer.ts";
import { readChoice } from "../options/read-choice.ts";
import { readText } from "../options/read-text.ts";
import { examples } from "../options/examples.ts";
import { addOptions, outputOptions } from "../output/output-options.ts";
import type { CliContext } from "../terminal/cli-context.ts";
import type { ApiOptions } from "./send-request.ts";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

const group = "Request:";

export function addApiCommand(program: Command, context: CliContext): void {
  const command = program
    .command("api")
    .description(
      "Send a request of your own, with the token of the API client, and print the response. Nothing is " +
        "checked or changed. The command fails if the status is 400 or above.",
    )
    .addArgument(
      new Argument("<method>", `the method: ${methods.join(", ")}`).argParser(
        offering((text: string) => readChoice(methods)(text.toUpperCase()), methods),
      ),
    )
    .argument(
      "<path>",
      "the path with its query, such as /iocs/combined/indicator/v1?limit=1",
      readPath,
    )
    .addOption(
      new Option("--header <header...>", "header to send, such as 'accept: text/csv'")
        .argParser(readHeader)
        .helpGroup(group),
    )
    .addOption(
      new Option(
        "--body <file>",
        "body, sent as it is: a file, JSON itself, or - for standard input",
      )
        .argParser(readText("a file"))
        .helpGroup(group),
    )
    .addOption(
      new Option("--include", "print the status and the headers of the response first").helpGroup(
        group,
      ),
    )
    .addHelpText(
      "after",
      examples(
        "secplat api GET '/iocs/combined/indicator/v1?limit=1'",
        "secplat api POST /iocs/entities/indicators/v1 --body indicators.json",
        "secplat api GET /iocs/queries/actions/v1 --header 'accept: application/vnd.security-platform.envelope+json'",
      ),
    );
  addOptions(command, traceOptions());
  addOptions(addConnectionOptions(command, "the scope of the operation"), outputOptions("json"));
  command.action(async (method: string, path: string, options: ApiOptions) => {
    const { sendRequest } = await import("./send-request.ts");
    await sendRequest({ method, path }, options, context);
  });
}

const readPath = offering(
  (text: string): string => {
    if (text.startsWith("/") && !text.startsWith("//")) return text;
    throw new InvalidArgumentError("Expected a path that starts with /.");
  },
  () => [...new Set(calledDocument().operations.map(({ path }) => path))],
);

function readHeader(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):(.*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw new InvalidArgumentError("Expected a name and a value such as accept: text/csv.");
  }
  return { ...before, [name.toLowerCase()]: value.trimStart() };
}
