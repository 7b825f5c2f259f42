import type { Problem } from "../../../foundation/errors.ts";
import {
  completeChannel,
  type Channel,
  type ChannelParams,
  type ReadChannel,
} from "../notifications/channels.ts";
import type { StoredNotificationGroup } from "../notifications/notification-groups.ts";
import { fileGroup, isSame, type FileChannel } from "./template-file.ts";

const secretUrls: readonly string[] = ["slack", "ms_teams"];

/**
 * A channel of a file. If the stored group has an equal channel, its secrets are kept; otherwise
 * the file must contain them. `at`: its place.
 */
export function importedChannel(
  channel: FileChannel,
  stored: StoredNotificationGroup | undefined,
  at: string,
): ReadChannel | readonly Problem[] {
  const index = stored === undefined ? -1 : indexOfEqual(channel, stored);
  const equalChannel = stored?.channels[index];
  if (equalChannel !== undefined)
    return { channel: equalChannel, secrets: stored?.secrets[index] ?? {} };
  const { params, ...plain } = channel;
  const place = `${at}.params`;
  if (secretUrls.includes(channel.type) && isOnlyOrigin(params)) {
    const message = "expected the complete URL; exported files show only its host";
    return [{ at: `${place}.url`, message }];
  }
  const read = completeChannel(plain as Omit<Channel, "params">, params, place);
  if ("channel" in read) return read;
  return read.map((problem) => ({
    ...problem,
    message: problem.message.startsWith("is required")
      ? `${problem.message}; exported files leave secrets out`
      : problem.message,
  }));
}

/** The index of the stored channel with the same exported form. */
const indexOfEqual = (channel: FileChannel, stored: StoredNotificationGroup): number =>
  fileGroup(stored).channels.findIndex((shown) => isSame(shown, channel));

function isOnlyOrigin({ url = "" }: ChannelParams): boolean {
  const read = URL.parse(url);
  return read !== null && read.pathname === "/" && read.search === "";
}
