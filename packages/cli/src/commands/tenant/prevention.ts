/** Members of prevention policies, which have actions and settings by category. */
import type { Api, ApiRecord } from "./api.ts";
import type { FileSchema, MemberRule, Order } from "./kind.ts";
import { writeEntries, listOf } from "./write-entries.ts";

/** Maximum number of groups in one request. */
const groupsPerAction = 100;

const act = (api: Api, action_name: string, { id }: ApiRecord, members: object = {}) =>
  api.call("performPreventionPoliciesAction", { action_name, body: { ids: [id], ...members } });

export const policyEnabled: MemberRule = {
  schema: () => ({ type: "boolean" }),
  write: async ({ record, after }, api) => {
    await act(api, after === true ? "enable" : "disable", record);
  },
};

export const policyGroups: MemberRule = {
  schema: () => ({ type: "array", items: { type: "string", minLength: 1 } }),
  fromRecord: ({ groups }) => listOf(groups).map((group) => (group as ApiRecord)["id"]),
  write: writeEntries(async (api, record, direction, groups) => {
    for (let from = 0; from < groups.length; from += groupsPerAction) {
      const action_parameters = groups
        .slice(from, from + groupsPerAction)
        .map((value) => ({ name: "group_id", value }));
      await act(api, `${direction}-host-group`, record, { action_parameters });
    }
  }),
};

/** The settings of a policy: files have values by the id of the setting, requests have a list. */
export const policySettings: MemberRule = {
  schema: ({ items }) => {
    const { id, value } = (items?.properties ?? {}) as Readonly<Record<string, FileSchema>>;
    const ids = (id?.enum ?? []) as readonly string[];
    return {
      type: "object",
      additionalProperties: false,
      properties: Object.fromEntries(ids.map((each) => [each, value ?? {}])),
    };
  },
  fromRecord: ({ prevention_settings }) =>
    Object.fromEntries(
      listOf(prevention_settings)
        .flatMap((category) => listOf((category as ApiRecord)["settings"]) as readonly ApiRecord[])
        .map(({ id, value }) => [id, value]),
    ),
  toRequest: (settings) =>
    Object.entries(settings as object).map(([id, value]: [string, unknown]) => ({ id, value })),
};

export const setPreventionOrder: Order["set"] = (platform_name, ids, api) =>
  api.call("setPreventionPoliciesPrecedence", { body: { ids, platform_name } });
