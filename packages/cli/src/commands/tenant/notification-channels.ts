/** Channels of notification groups, whose secrets the API does not return. */
import { isDeepStrictEqual } from "node:util";
import type { ApiRecord } from "./api.ts";
import type { MemberRule } from "./kind.ts";
import { listOf } from "./write-entries.ts";

type Settings = Readonly<Record<string, unknown>>;

interface Channel {
  readonly type: string;
  readonly params: Settings;
}

/** The secret member of the settings, by type of channel. The API shows only the host of a secret URL. */
const secretMembers: Readonly<Record<string, string>> = {
  webhook: "secret",
  slack: "url",
  ms_teams: "url",
  pagerduty: "routing_key",
};

const channelsOf = (value: unknown): readonly Channel[] => listOf(value) as readonly Channel[];

/** Files contain the name of a variable in the place of a secret: `${ON_CALL_2_URL}`. */
export const notificationChannels: MemberRule = {
  schema: (inRequests) => {
    const { items = {} } = inRequests;
    const { params } = items.properties ?? {};
    const settings = params?.oneOf?.find(({ type }) => type === "object") ?? {};
    return {
      ...inRequests,
      items: { ...items, properties: { ...items.properties, params: settings } },
    };
  },
  fromRecord: ({ name, channels }) =>
    listOf(channels).map((each, index) => {
      const channel = each as ApiRecord;
      const params = JSON.parse(String(channel["params"])) as Settings;
      const secret = secretMembers[String(channel["type"])];
      if (secret === undefined) return { ...channel, params };
      return {
        ...channel,
        params: { ...params, [secret]: referenceTo(name, index, secret) },
      };
    }),
  // Secrets cannot be compared.
  comparable: (channels) => channelsOf(channels).map(withoutSecret),
  kept: (inFile, { name, channels }) => {
    const secrets = secretsIn(channelsOf(inFile), channelsOf(channels));
    const used = new Set(secrets);
    return channelsOf(channels).map((channel, index) => {
      const member = secretMembers[channel.type];
      if (member === undefined) return channel;
      let secret = secrets[index];
      // A name that another channel has kept would give both the same secret.
      for (let number = index; secret === undefined; number += 1) {
        const reference = referenceTo(name, number, member);
        if (!used.has(reference)) secret = reference;
      }
      used.add(secret);
      return { ...channel, params: { ...channel.params, [member]: secret } };
    });
  },
  toRequest: (channels, variable) =>
    channelsOf(channels).map(({ params, ...channel }) => {
      const secret = secretMembers[channel.type];
      const [, name] = /^\$\{(\w+)\}$/.exec(String(params[secret ?? ""])) ?? [];
      if (secret === undefined || name === undefined) return { ...channel, params };
      return { ...channel, params: { ...params, [secret]: variable(name) } };
    }),
};

function withoutSecret({ params, ...channel }: Channel): Channel {
  const { [secretMembers[channel.type] ?? ""]: _secret, ...open } = params;
  return { ...channel, params: open };
}

/** Which channel of a file is a channel of the tenant; the first rule that matches decides. */
const rules: readonly ((one: Channel, other: Channel, isSamePlace: boolean) => boolean)[] = [
  (one, other, isSamePlace) => isSamePlace && hasSameSettings(one, other),
  (one, other) => hasSameSettings(one, other),
  (one, other, isSamePlace) => isSamePlace && one.type === other.type,
];

const hasSameSettings = (one: Channel, other: Channel): boolean =>
  isDeepStrictEqual(withoutSecret(one), withoutSecret(other));

/** The secret of each channel in the file; undefined if the file does not have the channel. */
function secretsIn(inFile: readonly Channel[], channels: readonly Channel[]): readonly unknown[] {
  const places = channels.map((): number => -1);
  for (const rule of rules) {
    for (const [index, channel] of channels.entries()) {
      if (places[index] !== -1) continue;
      places[index] = inFile.findIndex(
        (old, place) => !places.includes(place) && rule(channel, old, place === index),
      );
    }
  }
  return places.map((place) => {
    const { type = "", params = {} } = inFile[place] ?? {};
    return params[secretMembers[type] ?? ""];
  });
}

/** `${ON_CALL_2_URL}` */
function referenceTo(group: unknown, index: number, member: string): string {
  const name = `${String(group)}_${index + 1}_${member}`
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "_")
    .replace(/^(?=\d)/, "_");
  return `\${${name}}`;
}
