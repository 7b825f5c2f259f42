/** Channels of notification groups, whose secrets the API does not return. */
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
        params: { ...params, [secret]: `\${${variableOf(name, index, secret)}}` },
      };
    }),
  // Secrets cannot be compared.
  comparable: (channels) =>
    channelsOf(channels).map(({ params, ...channel }) => {
      const { [secretMembers[channel.type] ?? ""]: _secret, ...open } = params;
      return { ...channel, params: open };
    }),
  toRequest: (channels, variable) =>
    channelsOf(channels).map(({ params, ...channel }) => {
      const secret = secretMembers[channel.type];
      const [, name] = /^\$\{(\w+)\}$/.exec(String(params[secret ?? ""])) ?? [];
      if (secret === undefined || name === undefined) return { ...channel, params };
      return { ...channel, params: { ...params, [secret]: variable(name) } };
    }),
};

const variableOf = (group: unknown, index: number, member: string): string =>
  `${String(group)}_${index + 1}_${member}`
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "_")
    .replace(/^(?=\d)/, "_");
