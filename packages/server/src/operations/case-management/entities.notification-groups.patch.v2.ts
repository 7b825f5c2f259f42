import {
  readChannel,
  type ReadChannel,
} from "../../domain/case-management/notifications/channels.ts";
import { notificationGroups } from "../../domain/case-management/notifications/notification-groups.ts";
import {
  isKnownToVersion1,
  readChannelV1,
  textInVersion1,
} from "../../domain/case-management/notifications/version-1.ts";
import {
  notificationGroupRules,
  readChannels,
  type GroupChanges,
} from "../../domain/case-management/notifications/write-groups.ts";
import { stampOf } from "../../domain/case-management/stamps.ts";
import { errors, type Problem } from "../../foundation/errors.ts";
import type { Handler } from "../../calls/handler.ts";
import { changeRecords } from "../../records/plain/write.ts";
import type { Context } from "../../calls/context.ts";
import type { WritingCall } from "../../records/write.ts";
import type { RecordText } from "../../store/index.ts";

type Rules = ReturnType<typeof notificationGroupRules>;

/** Changes to a group whose channels have the form of one version. */
type Changes<Channel> = Omit<GroupChanges, "channels"> & {
  readonly id: string;
  readonly channels?: readonly Channel[];
};

async function changeGroup<Channel>(
  call: WritingCall & { readonly context: Context },
  rules: Rules,
  { id, channels, ...members }: Changes<Channel>,
  read: (channel: Channel, at: string) => ReadChannel | readonly Problem[],
): Promise<readonly RecordText[]> {
  const changes: GroupChanges =
    channels === undefined
      ? members
      : { ...members, channels: await readChannels(channels, read, call.context.outgoing) };
  return changeRecords(call, rules, [{ at: "body", id, changes }]);
}

export const entitiesNotificationGroupsPatchV2: Handler<
  "entities.notification-groups.patch.v2"
> = async (call) => {
  const rules = notificationGroupRules(await stampOf(call));
  return { kind: "records", records: await changeGroup(call, rules, call.body, readChannel) };
};

export const entitiesNotificationGroupsPatchV1: Handler<
  "entities.notification-groups.patch.v1"
> = async (call) => {
  const rules = notificationGroupRules(await stampOf(call));
  const rulesOfVersion1: Rules = {
    ...rules,
    change: (group, changes, author) => {
      if (!isKnownToVersion1(group)) {
        throw errors.recordsNotFound(notificationGroups.noun, [call.body.id]);
      }
      return rules.change(group, changes, author);
    },
  };
  const texts = await changeGroup(call, rulesOfVersion1, call.body, readChannelV1);
  return { kind: "records", records: texts.map(textInVersion1) };
};
