import type { components } from "@security-platform/spec";
import { isMailAddress } from "@security-platform/spec/schemas";
import type { Problem } from "../../../foundation/errors.ts";
import { schemaValidator } from "../../../validation/schema-validator.ts";

type Schemas = components["schemas"];
export type ChannelType = Schemas["NotificationChannelType"];
export type Channel = Schemas["NotificationChannel"];
export type ChannelInput = Schemas["NotificationChannelInput"];
export type ChannelParams = Schemas["NotificationChannelParams"];

/** Settings of a channel that are stored but never shown. */
export type ChannelSecrets = Pick<ChannelParams, "url" | "secret" | "routing_key">;

/** A validated channel of a request. */
export interface ReadChannel {
  readonly channel: Channel;
  readonly secrets: ChannelSecrets;
  /** Absent for channels without a URL. */
  readonly url?: ChannelUrl;
}

/** The URL of a channel of a request, and its place there. */
export interface ChannelUrl {
  readonly at: string;
  readonly text: string;
  /** Whether responses show only its scheme and host. */
  readonly isShort: boolean;
}

/** The channels of a stored group, with the secrets of each. */
export interface StoredChannels {
  readonly channels: readonly Channel[];
  readonly secrets: readonly ChannelSecrets[];
}

interface Members {
  readonly required: readonly (keyof ChannelParams)[];
  readonly optional?: readonly (keyof ChannelParams)[];
  /** Members that are not shown. */
  readonly secret: readonly (keyof ChannelSecrets)[];
}

const membersOf: Readonly<Record<ChannelType, Members>> = {
  email: { required: ["recipients"], secret: [] },
  webhook: { required: ["url", "secret"], secret: ["secret"] },
  slack: { required: ["url"], secret: ["url"] },
  ms_teams: { required: ["url"], secret: ["url"] },
  pagerduty: { required: ["routing_key"], optional: ["severity"], secret: ["routing_key"] },
};

const paramsProblems = schemaValidator(
  { $ref: "#/components/schemas/NotificationChannelParams" },
  "",
);

/** A channel, or why it is invalid. `at`: its place in the request. */
export function readChannel(
  { params, ...channel }: ChannelInput,
  at: string,
): ReadChannel | readonly Problem[] {
  const place = `${at}.params`;
  const settings = typeof params === "string" ? parsed(params) : params;
  if (settings === undefined) {
    return [{ at: place, message: "expected an object, or an object as JSON text" }];
  }
  const malformed = typeof params === "string" ? paramsProblems(settings) : [];
  if (malformed.length > 0) {
    return malformed.map((problem) => ({ ...problem, at: `${place}${problem.at}` }));
  }
  return completeChannel(channel, settings as ChannelParams, place);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The channel with these settings, or their problem. `place`: the place of the settings. */
export function completeChannel(
  channel: Pick<ChannelInput, "type" | "config_id" | "config_name">,
  settings: ChannelParams,
  place: string,
  members: Members = membersOf[channel.type],
): ReadChannel | readonly Problem[] {
  const problems = memberProblems(channel.type, settings, place, members);
  if (problems.length > 0) return problems;
  const { type, config_id, config_name = "" } = channel;
  const shown = {
    type,
    ...(config_id === undefined ? {} : { config_id }),
    config_name,
    params: JSON.stringify(shownSettings(type, settings)),
  };
  const { url } = settings;
  return {
    channel: shown,
    secrets: picked(settings, members.secret),
    ...(url === undefined
      ? {}
      : {
          url: { at: `${place}.url`, text: url, isShort: membersOf[type].secret.includes("url") },
        }),
  };
}

/**
 * A channel of a change. If its URL was sent as responses show it, the channel is a stored one: it keeps the complete
 * URL, and the secrets that the request does not have. Returns a problem if it could be several.
 * `place`: its index if the number of channels stays the same, else null. `all`: the channels of the change.
 */
export function keepingUrl(
  sent: ReadChannel,
  { place, all }: { readonly place: number | null; readonly all: readonly ReadChannel[] },
  { channels, secrets }: StoredChannels,
): ReadChannel | Problem {
  const { channel, url } = sent;
  if (url === undefined) return sent;
  const matching = channels.flatMap((each, index) => {
    const hidden = secrets[index] ?? {};
    const complete = settingsOf(each, hidden).url;
    if (complete === undefined || each.type !== channel.type) return [];
    // A complete URL that has no more than its short form may be either.
    if (complete !== url.text && !(url.isShort && originOf(complete) === url.text)) return [];
    return [{ each, index, hidden, complete, shown: JSON.parse(each.params) as ChannelParams }];
  });
  const alike = matching.filter(({ each }) => isSameConnection(each, channel));
  const lacks = (each: Channel) =>
    all.filter((other) => isSameConnection(each, other.channel)).length <
    channels.filter((other) => isSameConnection(each, other)).length;
  // With another name, it is the one in its place, unless that is sent elsewhere.
  const found =
    alike.length > 0 ? alike : matching.filter(({ each, index }) => index === place && lacks(each));
  const kept = found.find(({ index }) => index === place) ?? found[0];
  if (kept === undefined) return sent;
  const { index, hidden, complete, shown } = kept;
  if (index !== place && found.some((other) => other.complete !== complete)) {
    const message = `is the short form of ${found.length} stored URLs; send the complete one`;
    return { at: url.at, message };
  }
  const settings = { ...(JSON.parse(channel.params) as ChannelParams), url: shown.url };
  return {
    ...sent,
    channel: { ...channel, params: JSON.stringify(settings) },
    secrets: {
      ...hidden,
      ...sent.secrets,
      ...(hidden.url === undefined ? {} : { url: complete }),
    },
  };
}

const isSameConnection = (one: Channel, other: Channel): boolean =>
  one.type === other.type &&
  one.config_id === other.config_id &&
  one.config_name === other.config_name;

/** Version 1 has no member for the secret of a webhook: its messages are not signed. */
export const unsignedWebhook: Members = { required: ["url"], secret: [] };

function memberProblems(
  type: ChannelType,
  settings: ChannelParams,
  place: string,
  { required, optional = [] }: Members,
): readonly Problem[] {
  const missing = required
    .filter((name) => settings[name] === undefined)
    .map((name) => ({
      at: `${place}.${name}`,
      message: `is required for a channel of type ${type}`,
    }));
  const supportedNames = [...required, ...optional];
  const unused = Object.keys(settings)
    .filter((name) => !supportedNames.includes(name as keyof ChannelParams))
    .map((name) => ({
      at: `${place}.${name}`,
      message: `is not used by a channel of type ${type}; supported members: ${supportedNames.join(", ")}`,
    }));
  const addresses = (settings.recipients ?? []).flatMap((address, index) =>
    isMailAddress(address)
      ? []
      : [{ at: `${place}.recipients[${index}]`, message: "expected an e-mail address" }],
  );
  return [...missing, ...unused, ...addresses];
}

/** The settings as served: without secrets, and with only the scheme and host of secret URLs. */
function shownSettings(type: ChannelType, settings: ChannelParams): ChannelParams {
  const { required, optional = [], secret } = membersOf[type];
  const open = [...required, ...optional].filter(
    (name) => !(secret as readonly string[]).includes(name),
  );
  const { url } = settings;
  return {
    ...picked(settings, open),
    ...(url === undefined || !secret.includes("url") ? {} : { url: originOf(url) }),
  };
}

/** Scheme, host and port of a URL; the text itself if it is not a URL. */
export const originOf = (url: string): string => URL.parse(url)?.origin ?? url;

const picked = <Name extends keyof ChannelParams>(
  settings: ChannelParams,
  names: readonly Name[],
): Pick<ChannelParams, Name> =>
  Object.fromEntries(
    names.flatMap((name) => (settings[name] === undefined ? [] : [[name, settings[name]]])),
  ) as Pick<ChannelParams, Name>;

/** The complete settings of a stored channel. */
export const settingsOf = (
  { params }: Pick<Channel, "params">,
  secrets: ChannelSecrets,
): ChannelParams => ({ ...(JSON.parse(params) as ChannelParams), ...secrets });
