import { defined } from "../../records/defined.ts";
import { newIdentifier } from "../../foundation/identifiers.ts";
import type { components } from "@security-platform/spec";
import type { PlainKind } from "../../records/plain/kind.ts";
import { useProblems } from "../../records/plain/uses.ts";
import { isDomain } from "./addresses.ts";
import { enterpriseAccounts, type EnterpriseAccount } from "./kinds.ts";
import { labelsSyncedThrough } from "./references.ts";

type Schemas = components["schemas"];

export const enterpriseAccountRules: PlainKind<
  EnterpriseAccount,
  Schemas["EnterpriseAccountCreateRequest"],
  Schemas["EnterpriseAccountUpdateRequest"]
> = {
  ...enterpriseAccounts,
  make: ({ name, application_group_id, domains, plugin_config_id = "" }, { cid, now }) => ({
    id: newIdentifier(),
    cid,
    name,
    application_group_id,
    domains,
    plugin_config_id,
    deleted: false,
    created: now.toISOString(),
    last_updated: now.toISOString(),
  }),
  change: (account, { name, application_group_id, domains, plugin_config_id }, { now }) => ({
    ...account,
    ...defined({ name, application_group_id, domains, plugin_config_id }),
    last_updated: now.toISOString(),
  }),
  retire: (account, now) => ({ ...account, deleted: true, last_updated: now.toISOString() }),
  problems: ({ at, after }) =>
    after.domains.flatMap((domain, index) =>
      isDomain(domain)
        ? []
        : [{ at: `${at}.domains[${index}]`, message: "expected a domain such as example.com" }],
    ),
  conflicts: async (transaction, changes, now) => {
    const left = changes.flatMap(({ before, after }) =>
      before === null ||
      (before.plugin_config_id === after.plugin_config_id &&
        before.application_group_id === after.application_group_id)
        ? []
        : [before],
    );
    return useProblems(transaction, enterpriseAccounts, left, [labelsSyncedThrough], now);
  },
};
