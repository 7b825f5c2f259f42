import { foldCase } from "@security-platform/fql";
import type { Records, Resource } from "../../../store/index.ts";
import {
  notificationGroups,
  type StoredNotificationGroup,
} from "../notifications/notification-groups.ts";
import { slas, type StoredSla } from "../kinds/slas.ts";
import type { StoredTemplate } from "../kinds/templates.ts";
import { fileGroup, fileSla, fileTemplate, type TemplateFile } from "./template-file.ts";

/** Reads complete configuration records, from a store or inside a transaction. */
export type Reader = <Record extends object>(resource: Resource<Record>) => Records<Record>;

/** The file form of a stored template, with the SLAs and notification groups that it uses. */
export async function fileOf(
  read: Reader,
  template: StoredTemplate,
  now: Date,
): Promise<TemplateFile> {
  const usedSlas = await whole(read(slas.resource), template.sla_ids, now);
  const groupIds = [...new Set(usedSlas.flatMap(({ group_ids }) => group_ids))];
  const groups = await whole(read(notificationGroups.resource), groupIds, now);
  const names = new Map([...usedSlas, ...groups].map(({ id, name }) => [id, name]));
  return {
    format: 1,
    template: fileTemplate(template, names),
    ...(usedSlas.length === 0 ? {} : { slas: usedSlas.map((sla) => fileSla(sla, names)) }),
    ...(groups.length === 0 ? {} : { notification_groups: groups.map(fileGroup) }),
  };
}

async function whole<Record extends StoredSla | StoredNotificationGroup>(
  records: Records<Record>,
  ids: readonly string[],
  now: Date,
): Promise<readonly Record[]> {
  const recordsById = await records.getComplete(ids, now);
  return [...recordsById.values()].toSorted((left, right) =>
    foldCase(left.name) < foldCase(right.name) ? -1 : 1,
  );
}
