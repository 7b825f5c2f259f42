import { defined } from "../../records/defined.ts";
import { newIdentifier } from "../../foundation/identifiers.ts";
import type { components } from "@security-platform/spec";
import type { PlainKind } from "../../records/plain/kind.ts";
import {
  localApplicationGroups,
  localApplications,
  mostMembers,
  type LocalApplication,
} from "./kinds.ts";

type Schemas = components["schemas"];

export const localApplicationRules: PlainKind<
  LocalApplication,
  Schemas["LocalApplicationCreateRequest"],
  Schemas["LocalApplicationUpdateRequest"]
> = {
  ...localApplications,
  make: (input, { cid, now }) => ({
    id: newIdentifier(),
    cid,
    name: input.name,
    executable_name: input.executable_name,
    group_ids: input.group_ids ?? [],
    apply_rules_for_children_processes: input.apply_rules_for_children_processes ?? false,
    emit_rule_matched_events_only: input.emit_rule_matched_events_only ?? false,
    enable_rename_detection: input.enable_rename_detection ?? false,
    deleted: false,
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
    deleted_at: null,
  }),
  change: (application, changes, { now }) => {
    const { name, executable_name, group_ids } = changes;
    const {
      apply_rules_for_children_processes,
      emit_rule_matched_events_only,
      enable_rename_detection,
    } = changes;
    return {
      ...application,
      ...defined({
        name,
        executable_name,
        group_ids,
        apply_rules_for_children_processes,
        emit_rule_matched_events_only,
        enable_rename_detection,
      }),
      updated_at: now.toISOString(),
    };
  },
  retire: (application, now) => ({
    ...application,
    group_ids: [],
    deleted: true,
    updated_at: now.toISOString(),
    deleted_at: now.toISOString(),
  }),
  unique: ["name", "executable_name"],
  references: [
    {
      member: "group_ids",
      target: localApplicationGroups,
      otherSide: { member: "local_application_ids", changedAt: "updated_at", most: mostMembers },
    },
  ],
};
