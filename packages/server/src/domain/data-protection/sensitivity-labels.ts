import { newIdentifier } from "../../foundation/identifiers.ts";
import type { components } from "@security-platform/spec";
import type { Problem } from "../../foundation/errors.ts";
import type { PlainKind } from "../../records/plain/kind.ts";
import { sensitivityLabels, type SensitivityLabel } from "./kinds.ts";

/** Custom sensitivity labels of the tenant. They can be created and deleted, but not changed. */
export const sensitivityLabelRules: PlainKind<
  SensitivityLabel,
  components["schemas"]["SensitivityLabelCreateRequest"],
  never
> = {
  ...sensitivityLabels,
  make: (input, { cid, now }) => ({
    id: newIdentifier(),
    cid,
    name: input.name,
    display_name: input.display_name || input.name,
    label_provider: input.label_provider,
    external_id: input.external_id ?? "",
    plugins_configuration_id: input.plugins_configuration_id ?? "",
    synced: input.synced ?? false,
    co_authoring: input.co_authoring ?? false,
    deleted: false,
    created: now.toISOString(),
    last_updated: now.toISOString(),
  }),
  change: (label) => label,
  retire: (label, now) => ({ ...label, deleted: true, last_updated: now.toISOString() }),
  problems: ({ at, after }) => syncProblems(after, at),
};

function syncProblems(label: SensitivityLabel, at: string): readonly Problem[] {
  const { external_id, plugins_configuration_id: plugin } = label;
  if (!label.synced) {
    if (plugin === "") return [];
    const message = "is for synced labels only; omit it, or send synced: true";
    return [{ at: `${at}.plugins_configuration_id`, message }];
  }
  const problems: Problem[] = [];
  if (external_id === "") {
    problems.push({ at: `${at}.external_id`, message: "is required, because the label is synced" });
  }
  if (plugin === "") {
    const message = "is required, because the label is synced";
    problems.push({ at: `${at}.plugins_configuration_id`, message });
  }
  return problems;
}
