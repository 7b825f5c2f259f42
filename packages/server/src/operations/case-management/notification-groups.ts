import type { Caller } from "../../call.ts";
import type { Context } from "../../context.ts";
import { readChannel } from "../../domain/case-management/notifications/channels.ts";
import {
  notificationGroups,
  type NotificationGroup,
} from "../../domain/case-management/notifications/notification-groups.ts";
import {
  isKnownToVersion1,
  knownToVersion1,
  readChannelV1,
  shownInVersion1,
} from "../../domain/case-management/notifications/version-1.ts";
import {
  notificationGroupRules,
  readChannels,
  usesOfGroups,
} from "../../domain/case-management/notifications/write-groups.ts";
import { stampOf } from "../../domain/case-management/stamps.ts";
import { errors } from "../../errors.ts";
import type { OperationHandlers } from "../../handler.ts";
import { aggregateKind, getByIds, queryIds } from "../../records/plain/handlers.ts";
import {
  changeRecords,
  createRecords,
  deleteRecords,
  deleteWithin,
} from "../../records/plain/write.ts";
import { write } from "../../records/write.ts";
import type { RecordText } from "../../store/index.ts";

const { noun, resource } = notificationGroups;

/** Version 1 and version 2 of the same groups. */
export const notificationGroupHandlers = {
  "aggregates.notification-groups.post.v2": aggregateKind(notificationGroups),
  "queries.notification-groups.get.v2": queryIds(notificationGroups),
  "entities.notification-groups.get.v2": getByIds(notificationGroups),
  "entities.notification-groups.post.v2": async (call) => {
    const { channels, ...members } = call.body;
    const read = await readChannels(channels, readChannel, call.context.outgoing);
    const rules = notificationGroupRules(await stampOf(call));
    const input = { ...members, channels: read };
    return {
      kind: "records",
      records: await createRecords(call, rules, [{ at: "body", input }]),
    };
  },
  "entities.notification-groups.patch.v2": async (call) => {
    const { id, channels, ...members } = call.body;
    const read = channels && (await readChannels(channels, readChannel, call.context.outgoing));
    const rules = notificationGroupRules(await stampOf(call));
    const changes = { ...members, ...(read === undefined ? {} : { channels: read }) };
    return {
      kind: "records",
      records: await changeRecords(call, rules, [{ at: "body", id, changes }]),
    };
  },
  "entities.notification-groups.delete.v2": async (call) => {
    const ids = [...new Set(call.query.ids)];
    await deleteRecords(call, notificationGroupRules(await stampOf(call)), ids, usesOfGroups);
    return { kind: "ids", ids };
  },

  "aggregates.notification-groups.post.v1": aggregateKind(notificationGroups, knownToVersion1),
  "queries.notification-groups.get.v1": queryIds(notificationGroups, () => knownToVersion1),
  "entities.notification-groups.get.v1": async (call) => {
    const ids = [...new Set(call.query.ids)];
    const groups = await knownGroups(call, ids);
    const records = ids.flatMap((id) => groups.get(id) ?? []).map(textV1);
    if (records.length === ids.length) return { kind: "records", records };
    const missing = ids.filter((id) => !groups.has(id));
    throw errors.recordsNotFound(noun, missing, records);
  },
  "entities.notification-groups.post.v1": async (call) => {
    const { channels, ...members } = call.body;
    const read = await readChannels(channels, readChannelV1, call.context.outgoing);
    const rules = notificationGroupRules(await stampOf(call));
    const input = { ...members, channels: read };
    const texts = await createRecords(call, rules, [{ at: "body", input }]);
    return { kind: "records", records: texts.map(parsed).map(textV1) };
  },
  "entities.notification-groups.patch.v1": async (call) => {
    const { id, channels, ...members } = call.body;
    const read = channels && (await readChannels(channels, readChannelV1, call.context.outgoing));
    const rules = notificationGroupRules(await stampOf(call));
    const changes = { ...members, ...(read === undefined ? {} : { channels: read }) };
    const known: typeof rules = {
      ...rules,
      change: (group, update, author) => {
        if (!isKnownToVersion1(group)) throw errors.recordsNotFound(noun, [id]);
        return rules.change(group, update, author);
      },
    };
    const texts = await changeRecords(call, known, [{ at: "body", id, changes }]);
    return { kind: "records", records: texts.map(parsed).map(textV1) };
  },
  "entities.notification-groups.delete.v1": async (call) => {
    const ids = [...new Set(call.query.ids)];
    const rules = notificationGroupRules(await stampOf(call));
    await write(call, async (writing) => {
      const groups = await writing.records(resource).getForUpdate(ids, noun);
      const unknown = groups.filter((group) => !isKnownToVersion1(group)).map(({ id }) => id);
      if (unknown.length > 0) throw errors.recordsNotFound(noun, unknown);
      await deleteWithin(writing, rules, ids, usesOfGroups);
    });
    return { kind: "ids", ids };
  },
} satisfies Partial<OperationHandlers>;

const parsed = (text: RecordText) => JSON.parse(text) as NotificationGroup;

const textV1 = (group: NotificationGroup): RecordText => JSON.stringify(shownInVersion1(group));

/** Those of the groups that version 1 knows, by id. */
async function knownGroups(
  {
    caller,
    context,
    now,
  }: { readonly caller: Caller; readonly context: Context; readonly now: Date },
  ids: readonly string[],
): Promise<ReadonlyMap<string, NotificationGroup>> {
  const texts = await context.store.records(resource, { cid: caller.cid }).get(ids, now);
  const groups = [...texts.values()].map(parsed).filter(isKnownToVersion1);
  return new Map(groups.map((group) => [group.id, group]));
}
