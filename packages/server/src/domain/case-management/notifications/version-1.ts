import { where } from "@security-platform/fql";
import type { components } from "@security-platform/spec";
import type { Problem } from "../../../foundation/errors.ts";
import type { RecordText } from "../../../store/index.ts";
import {
  completeChannel,
  originOf,
  settingsOf,
  unsignedWebhook,
  type ChannelParams,
  type ReadChannel,
} from "./channels.ts";
import type { NotificationGroup } from "./notification-groups.ts";

type Schemas = components["schemas"];
type ChannelV1 = Schemas["NotificationChannelV1"];

/** The groups that version 1 supports: those without channels of type `ms_teams`. */
export const knownToVersion1 = where.not(where.equal("channels.type", "ms_teams"));

export const isKnownToVersion1 = ({ channels }: NotificationGroup): boolean =>
  channels.every(({ type }) => type !== "ms_teams");

const longestRoutingKey = 128;

/** A channel of a version 1 request, or why it is invalid. */
export function readChannelV1(
  { recipients, severity, ...channel }: Schemas["NotificationChannelV1Input"],
  at: string,
): ReadChannel | readonly Problem[] {
  const { type } = channel;
  if (severity !== undefined && type !== "pagerduty") {
    return [{ at: `${at}.severity`, message: "is used by channels of type pagerduty only" }];
  }
  if (type !== "email" && recipients.length !== 1) {
    const memberName = type === "pagerduty" ? "routing key" : "URL";
    return [{ at: `${at}.recipients`, message: `expected one entry, the ${memberName}` }];
  }
  const [only = ""] = recipients;
  if (type === "pagerduty" && only.length > longestRoutingKey) {
    const message = `expected a routing key of at most ${longestRoutingKey} characters`;
    return [{ at: `${at}.recipients[0]`, message }];
  }
  const settings: ChannelParams =
    type === "email"
      ? { recipients }
      : type === "pagerduty"
        ? { routing_key: only, ...(severity === undefined ? {} : { severity }) }
        : { url: only };
  if (type === "email" && recipients.length === 0) {
    return [{ at: `${at}.recipients`, message: "expected at least one e-mail address" }];
  }
  const read = completeChannel(
    channel,
    settings,
    at,
    ...(type === "webhook" ? [unsignedWebhook] : []),
  );
  if (!("channel" in read)) {
    return read.map((problem) => ({
      ...problem,
      at: problem.at.replace(/\.url$/, ".recipients[0]"),
    }));
  }
  return read.url === undefined
    ? read
    : { ...read, url: { ...read.url, at: `${at}.recipients[0]`, isShort: true } };
}

/** The text of a group as version 1 shows it. */
export const textInVersion1 = (text: RecordText): RecordText =>
  JSON.stringify(shownInVersion1(JSON.parse(text) as NotificationGroup));

const shownInVersion1 = (group: NotificationGroup): Schemas["NotificationGroupV1"] => ({
  ...group,
  channels: group.channels.map(channelV1),
});

function channelV1({
  type,
  config_id,
  config_name,
  params,
}: NotificationGroup["channels"][number]) {
  const { recipients, url, severity } = settingsOf({ params }, {});
  return {
    type: type as ChannelV1["type"],
    ...(config_id === undefined ? {} : { config_id }),
    config_name,
    recipients: recipients ?? (url === undefined ? [] : [originOf(url)]),
    ...(severity === undefined ? {} : { severity }),
  };
}
