import {
  defaultOutgoing,
  networkOf,
  type OutgoingConfig,
} from "@security-platform/server/internal";
import { InvalidArgumentError, Option, type Command } from "commander";
import type { ServeOptions } from "./serve-options.ts";

const group = "Notifications:";

/** `--allow-network` and `--pagerduty-url`. */
export function addOutgoingOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--allow-network <network>",
        "private network that webhooks may reach, such as 10.0.0.0/8; repeatable",
      )
        .env("SECPLAT_ALLOW_NETWORK")
        .argParser(addNetworks)
        .helpGroup(group),
    )
    .addOption(
      new Option("--pagerduty-url <url>", "URL for events to PagerDuty")
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

/** The option takes one network; the variable may contain several, separated by commas. */
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
