import { newIdentifier } from "../../../foundation/identifiers.ts";
import { errors, type Problem } from "../../../foundation/errors.ts";
import type { Outgoing } from "../../../outgoing/outgoing.ts";
import { cleared, defined, type Clearable } from "../../../records/defined.ts";
import type { PlainKind, Use } from "../../../records/plain/kind.ts";
import { slas } from "../kinds/slas.ts";
import { created, stampsOf, updated, type Stamp } from "../stamps.ts";
import { keepingUrl, type ChannelUrl, type ReadChannel } from "./channels.ts";
import { notificationGroups, type StoredNotificationGroup } from "./notification-groups.ts";

/** A group in a request of either version. */
export interface GroupInput {
  readonly name: string;
  readonly description?: string;
  readonly channels: readonly ReadChannel[];
}

/** Null clears the description. */
export type GroupChanges = {
  readonly name?: string;
  readonly description?: string | null;
  readonly channels?: readonly ReadChannel[];
};

/** Writes notification groups for the caller. */
export const notificationGroupRules = (
  stamp: Stamp,
): PlainKind<StoredNotificationGroup, GroupInput, GroupChanges> => ({
  ...notificationGroups,
  unique: ["name"],
  make: ({ channels, ...members }, { cid }) =>
    inOrder({ id: newIdentifier(), cid, ...members, ...stored(channels), ...created(stamp) }),
  change: (group, { name, description, channels }) =>
    inOrder({
      ...group,
      ...defined({ name }),
      ...cleared({ description }),
      ...(channels === undefined ? {} : stored(keepingUrls(channels, group))),
      ...updated(stamp),
    }),
});

/** SLAs that use a group, which then cannot be deleted. */
export const usesOfGroups: readonly Use<StoredNotificationGroup>[] = [
  { kind: slas, field: "group_ids" },
];

const stored = (channels: readonly ReadChannel[]) => ({
  channels: channels.map(({ channel }) => channel),
  secrets: channels.map(({ secrets }) => secrets),
});

/** 400 if it is not clear which stored URL a channel keeps. */
function keepingUrls(
  sent: readonly ReadChannel[],
  group: StoredNotificationGroup,
): readonly ReadChannel[] {
  const isAsMany = sent.length === group.channels.length;
  const kept = sent.map((channel, index) =>
    keepingUrl(channel, { place: isAsMany ? index : null, all: sent }, group),
  );
  const problems = kept.filter((each) => "message" in each);
  if (problems.length > 0) throw errors.invalidRequest(problems);
  return kept.filter((each) => "channel" in each);
}

function inOrder(
  group: Clearable<StoredNotificationGroup, "description">,
): StoredNotificationGroup {
  const { id, cid, name, description, channels, secrets } = group;
  return {
    id,
    cid,
    name,
    ...(description === undefined ? {} : { description }),
    channels,
    ...stampsOf(group),
    secrets,
  };
}

/**
 * The channels of a request; 400 for invalid channels and for URLs that the server must not call.
 */
export async function readChannels<Input>(
  channels: readonly Input[],
  read: (channel: Input, at: string) => ReadChannel | readonly Problem[],
  outgoing: Outgoing,
): Promise<readonly ReadChannel[]> {
  const results = channels.map((channel, index) => read(channel, `body.channels[${index}]`));
  const good = results.filter((result): result is ReadChannel => "channel" in result);
  const bad = results.flatMap((result) => ("channel" in result ? [] : result));
  const problems = [...bad, ...(await urlProblems(good, outgoing))];
  if (problems.length > 0) throw errors.invalidRequest(problems);
  return good;
}

/** A problem for each URL that resolves to a non-public address. */
export async function urlProblems(
  channels: readonly { readonly url?: Pick<ChannelUrl, "at" | "text"> }[],
  outgoing: Outgoing,
): Promise<readonly Problem[]> {
  const checks = channels.map(async ({ url }) => {
    if (url === undefined) return [];
    const message = await outgoing.refusal(url.text);
    return message === null ? [] : [{ at: url.at, message }];
  });
  return (await Promise.all(checks)).flat();
}
