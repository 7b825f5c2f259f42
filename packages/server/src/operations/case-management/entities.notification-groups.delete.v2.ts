import { notificationGroups } from "../../domain/case-management/notifications/notification-groups.ts";
import { isKnownToVersion1 } from "../../domain/case-management/notifications/version-1.ts";
import {
  notificationGroupRules,
  usesOfGroups,
} from "../../domain/case-management/notifications/write-groups.ts";
import { stampOf } from "../../domain/case-management/stamps.ts";
import { errors } from "../../foundation/errors.ts";
import type { Handler } from "../../calls/handler.ts";
import { deleteRecords, deleteWithin } from "../../records/plain/write.ts";
import { write } from "../../records/write.ts";

const { noun, resource } = notificationGroups;

export const entitiesNotificationGroupsDeleteV2: Handler<
  "entities.notification-groups.delete.v2"
> = async (call) => {
  const ids = [...new Set(call.query.ids)];
  await deleteRecords(call, notificationGroupRules(await stampOf(call)), ids, usesOfGroups);
  return { kind: "ids", ids };
};

export const entitiesNotificationGroupsDeleteV1: Handler<
  "entities.notification-groups.delete.v1"
> = async (call) => {
  const ids = [...new Set(call.query.ids)];
  const rules = notificationGroupRules(await stampOf(call));
  await write(call, async (writing) => {
    const groups = await writing.records(resource).getForUpdate(ids, noun);
    const unknown = groups.filter((group) => !isKnownToVersion1(group)).map(({ id }) => id);
    if (unknown.length > 0) throw errors.recordsNotFound(noun, unknown);
    await deleteWithin(writing, rules, ids, usesOfGroups);
  });
  return { kind: "ids", ids };
};
