import { Option, type Command } from "commander";
import { currentName, findProfile } from "../api/profiles.ts";
import { findServer } from "../api/running-server.ts";
import { dataFolder } from "../database/url.ts";
import { examples } from "../options/examples.ts";
import { readText } from "../options/read-text.ts";
import { jsonOption } from "../options/shared.ts";
import { printResult, type ResultOptions } from "../terminal/print-result.ts";
import { describeError } from "../terminal/describe-error.ts";
import { CommandError, exitCodes } from "../terminal/exit-codes.ts";
import type { CliContext } from "../terminal/cli-context.ts";

interface OpenOptions extends ResultOptions {
  readonly url?: string;
  readonly data: string;
  readonly print?: boolean;
}

export function addOpenCommand(program: Command, context: CliContext): void {
  program
    .command("open")
    .description(
      "Open the documentation of a server in the browser: that of BROWSER, or else the usual one. Prints its URL.",
    )
    .addOption(
      new Option(
        "--url <url>",
        "URL of the server (default: a running server on this machine, else that of the current profile)",
      )
        .env("SECPLAT_URL")
        .argParser(readText("a URL such as https://api.example.com")),
    )
    .addOption(
      new Option("--data <folder>", "data folder of the server on this machine")
        .env("SECPLAT_DATA")
        .argParser(readText("a folder"))
        .default(".data"),
    )
    .option("--print", "print the URL only")
    .addOption(jsonOption())
    .addHelpText("after", examples("secplat open", "secplat open --print"))
    .action(async ({ url, data, print = false, ...options }: OpenOptions) => {
      const page = docsOf(url ?? serverUrl(data, context));
      if (!print) await openBrowser(page, context);
      printResult(context, options, { url: page }, () => `${page}\n`);
    });
}

function serverUrl(data: string, context: CliContext): string {
  const url =
    findServer(dataFolder({ data }, context))?.url ??
    findProfile(currentName(context), context)?.url;
  if (url !== undefined) return url;
  throw new CommandError(
    "no server runs on this data folder; start one with secplat serve, or name it with --url",
    exitCodes.usage,
  );
}

function docsOf(url: string): string {
  if (/^https?:\/\//.test(url) && URL.canParse(url)) {
    return `${url.replace(/\/$/, "")}/docs/`;
  }
  throw new CommandError(
    `--url: "${url}" is no URL; expected one such as https://api.example.com`,
    exitCodes.usage,
  );
}

/** What opens a URL on each system. */
const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

async function openBrowser(url: string, { environment }: CliContext): Promise<void> {
  const { spawn } = await import("node:child_process");
  const browser = environment["BROWSER"] || undefined;
  const [program = "", ...words] =
    browser === undefined ? (openers[process.platform] ?? ["xdg-open"]) : [browser];
  try {
    await new Promise<void>((resolve, reject) => {
      const child = spawn(program, [...words, url], { stdio: "ignore", detached: true });
      child.once("error", reject);
      // The browser goes on after the command.
      child.once("spawn", () => {
        child.unref();
        resolve();
      });
    });
  } catch (error) {
    throw new CommandError(`cannot open a browser (${describeError(error)}); open ${url}`);
  }
}
