import {
  readChannel,
  type ReadChannel,
} from "../../domain/case-management/notifications/channels.ts";
import {
  readChannelV1,
  textInVersion1,
} from "../../domain/case-management/notifications/version-1.ts";
import {
  notificationGroupRules,
  readChannels,
  type GroupInput,
} from "../../domain/case-management/notifications/write-groups.ts";
import { stampOf } from "../../domain/case-management/stamps.ts";
import type { Problem } from "../../foundation/errors.ts";
import type { Handler } from "../../calls/handler.ts";
import { createRecords } from "../../records/plain/write.ts";
import type { Context } from "../../calls/context.ts";
import type { WritingCall } from "../../records/write.ts";
import type { RecordText } from "../../store/index.ts";

/** A group whose channels have the form of one version. */
type Input<Channel> = Omit<GroupInput, "channels"> & { readonly channels: readonly Channel[] };

async function createGroup<Channel>(
  call: WritingCall & { readonly context: Context },
  { channels, ...members }: Input<Channel>,
  read: (channel: Channel, at: string) => ReadChannel | readonly Problem[],
): Promise<readonly RecordText[]> {
  const input = { ...members, channels: await readChannels(channels, read, call.context.outgoing) };
  return createRecords(call, notificationGroupRules(await stampOf(call)), [{ at: "body", input }]);
}

export const entitiesNotificationGroupsPostV2: Handler<
  "entities.notification-groups.post.v2"
> = async (call) => ({
  kind: "records",
  records: await createGroup(call, call.body, readChannel),
});

export const entitiesNotificationGroupsPostV1: Handler<
  "entities.notification-groups.post.v1"
> = async (call) => ({
  kind: "records",
  records: (await createGroup(call, call.body, readChannelV1)).map(textInVersion1),
});
