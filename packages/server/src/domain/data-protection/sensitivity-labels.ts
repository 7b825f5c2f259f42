import { newIdentifier } from "../../identifiers.ts";
import { where } from "@security-platform/fql";
import type { components } from "@security-platform/spec";
import { errors, type Problem } from "../../errors.ts";
import type { PlainKind } from "../../records/plain/kind.ts";
import type { Transaction } from "../../store/types.ts";
import { enterpriseAccounts, sensitivityLabels, type SensitivityLabel } from "./kinds.ts";

/** Labels cannot be changed. */
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
    display_name: input.display_name,
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
  finish: async (transaction, { after }, now) => {
    const plugin = after.plugins_configuration_id;
    if (plugin === "" || (await hasAccount(transaction, after, now))) return after;
    const noun = `plug-in configuration of a ${after.label_provider} enterprise account`;
    throw errors.recordsNotFound(noun, [plugin]);
  },
};

function syncProblems(label: SensitivityLabel, at: string): readonly Problem[] {
  const { external_id, plugins_configuration_id: plugin } = label;
  if (!label.synced) {
    if (plugin === "") return [];
    const message = "is for synced labels only; leave it out, or send synced: true";
    return [{ at: `${at}.plugins_configuration_id`, message }];
  }
  const problems: Problem[] = [];
  if (external_id === "") {
    problems.push({ at: `${at}.external_id`, message: "is required, as the label is synced" });
  } else if (label.name !== external_id) {
    const message = "must be the same as external_id, as the label is synced";
    problems.push({ at: `${at}.name`, message });
  }
  if (plugin === "") {
    const message = "is required, as the label is synced";
    problems.push({ at: `${at}.plugins_configuration_id`, message });
  }
  return problems;
}

/** Whether the tenant has an account with the label's vendor and plug-in. */
async function hasAccount(
  transaction: Transaction,
  { label_provider, plugins_configuration_id }: SensitivityLabel,
  now: Date,
): Promise<boolean> {
  const predicate = where.all(
    where.equal("plugin_config_id", plugins_configuration_id),
    where.equal("application_group_id", label_provider),
    where.equal("deleted", false),
  );
  return (await transaction.records(enterpriseAccounts.resource).count(predicate, now)) > 0;
}
