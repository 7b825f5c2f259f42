import { foldCase } from "@security-platform/fql";
import { fqlTables, type components } from "@security-platform/spec";
import type { Kind } from "../../../records/plain/kind.ts";
import type { ChannelSecrets } from "./channels.ts";

export type NotificationGroup = components["schemas"]["NotificationGroup"];

/** A stored group: the served one, and the hidden settings of its channels. */
export interface StoredNotificationGroup extends NotificationGroup {
  /** The secrets of the channels, in the order of `channels`. */
  readonly secrets: readonly ChannelSecrets[];
}

export const groupHidden = ["secrets"] as const;

/** Recipients of notifications. Version 1 and version 2 are views of these records. */
export const notificationGroups: Kind<StoredNotificationGroup> = {
  noun: "notification group",
  resource: {
    name: "notification_groups",
    collection: "case_management",
    fields: fqlTables["notification-groups"].fields,
    id: "id",
    uniqueKey: ({ name }) => foldCase(name),
    hidden: groupHidden,
    sealed: groupHidden,
    // Channels without a name of their connection lacked the member.
    upgrade: {
      revision: 1,
      run: (group) => ({
        ...group,
        channels: group.channels.map(({ type, config_id, config_name = "", params }) => ({
          type,
          ...(config_id === undefined ? {} : { config_id }),
          config_name,
          params,
        })),
      }),
    },
    indexes: ["name"],
  },
};
