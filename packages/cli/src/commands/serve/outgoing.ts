import { defaultOutgoing, networkOf, type OutgoingConfig } from "@security-platform/server";
import { InvalidArgumentError, Option, type Command } from "commander";
import type { ServeOptions } from "./serve-options.ts";

const group = "Notifications:";

/** `--allow-network` and `--pagerduty-url`. */
export function addOutgoingOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--allow-network <network>",
        "a network that webhooks may reach although it is not public, such as 10.0.0.0/8; repeatable",
      )
        .env("SECPLAT_ALLOW_NETWORK")
        .argParser(addNetworks)
        .helpGroup(group),
    )
    .addOption(
      new Option("--pagerduty-url <url>", "where PagerDuty takes events")
        .env("SECPLAT_PAGERDUTY_URL")
        .default(defaultOutgoing.pagerDutyUrl)
        .argParser(readUrl)
        .helpGroup(group),
    );
}

export const readOutgoing = ({
  allowNetwork = [],
  pagerdutyUrl,
}: Pick<ServeOptions, "allowNetwork" | "pagerdutyUrl">): OutgoingConfig => ({
  allowedNetworks: allowNetwork,
  pagerDutyUrl: pagerdutyUrl,
});

/** An option has one network; the variable may have several, separated by commas. */
function addNetworks(text: string, before: readonly string[] = []): readonly string[] {
  const networks = text.split(",").map((network) => network.trim());
  for (const network of networks) {
    try {
      networkOf(network);
    } catch {
      throw new InvalidArgumentError(
        "Expected a network such as 10.0.0.0/8 or fd00::/8, or an address.",
      );
    }
  }
  return [...before, ...networks];
}

function readUrl(text: string): string {
  if (!["http:", "https:"].includes(URL.parse(text)?.protocol ?? "")) {
    throw new InvalidArgumentError("Expected a URL with https.");
  }
  return text;
}
