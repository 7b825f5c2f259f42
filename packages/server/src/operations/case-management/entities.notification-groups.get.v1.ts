import {
  notificationGroups,
  type NotificationGroup,
} from "../../domain/case-management/notifications/notification-groups.ts";
import {
  isKnownToVersion1,
  textInVersion1,
} from "../../domain/case-management/notifications/version-1.ts";
import { errors } from "../../foundation/errors.ts";
import type { Handler } from "../../calls/handler.ts";

const { noun, resource } = notificationGroups;

export const entitiesNotificationGroupsGetV1: Handler<
  "entities.notification-groups.get.v1"
> = async ({ caller, context, query, now }) => {
  const ids = [...new Set(query.ids)];
  const texts = await context.store.records(resource, { cid: caller.cid }).get(ids, now);
  const textsById = new Map(
    [...texts].filter(([, text]) => isKnownToVersion1(JSON.parse(text) as NotificationGroup)),
  );
  const records = ids.flatMap((id) => textsById.get(id) ?? []).map(textInVersion1);
  if (records.length === ids.length) return { kind: "records", records };
  const missing = ids.filter((id) => !textsById.has(id));
  throw errors.recordsNotFound(noun, missing, records);
};
