import type { JsonObject } from "../requests/request.ts";
import { identifier } from "./identifiers.ts";
import { idsIn, idsOf, recordsIn, type CollectionRecipe } from "./recipe.ts";

const actions = ["MFA", "BLOCK", "ALLOW"] as const;

function rule(namespace: string, index: number): JsonObject {
  return {
    name: `${namespace} ${index}`,
    action: actions[index % actions.length] ?? "MFA",
    trigger: index % 2 === 0 ? "access" : "alert",
    enabled: index % 2 === 0,
    simulation_mode: index % 3 === 0,
    ...(index % 3 === 1
      ? {
          activity: { accessType: { include: ["RDP"] } },
          source_user: { groupMembership: { exclude: [`${namespace}-group`] } },
        }
      : {}),
  };
}

/** The same rule with the other names of its members. */
function otherNames(namespace: string, names: readonly [mode: string, user: string]): JsonObject {
  const { simulation_mode, ...rest } = rule(namespace, 0);
  const source = { groupMembership: { exclude: [`${namespace}-group`] } };
  return { ...rest, [names[0]]: simulation_mode, [names[1]]: source };
}

const graphql = (query: string, variables?: object | string) => () => ({
  body: { query, ...(variables === undefined ? {} : { variables }) },
});

export const identityProtection: CollectionRecipe = {
  resources: {
    "identity-policy-rules": {
      idField: "id",
      phantom: (namespace, number) => ({
        ...rule(namespace, number),
        id: identifier("phantom rule", namespace, number),
      }),
      lifecycle: {
        create: "post_policy_rules",
        input: rule,
        createRequest: ([input]) => ({ body: input ?? {} }),
        atOnce: 1,
        filter: () => "",
        get: "get_policy_rules",
        remove: "delete_policy_rules",
      },
    },
    // Hosts that report on identities; no operation creates them.
    sensors: {
      idField: "device_id",
      phantom: (namespace, number) => ({
        device_id: identifier("sensor", namespace, number),
        hostname: `${namespace}-${number}`,
      }),
      lifecycle: null,
      find: async ({ read }) => {
        const ids = idsIn(await read("QuerySensorsByFilter", { query: { limit: "50" } }));
        if (ids.length === 0) return [];
        return recordsIn(await read("GetSensorDetails", { body: { ids } }));
      },
    },
  },
  operations: {
    post_policy_rules: {
      resource: "identity-policy-rules",
      effect: "create",
      more: {
        "with the first other names": ({ namespace }) => ({
          body: otherNames(namespace, ["simulationMode", "sourceUser"]),
        }),
        "with the second other names": ({ namespace }) => ({
          body: otherNames(namespace, ["SimulationMode", "SourceUser"]),
        }),
      },
    },
    get_policy_rules: { resource: "identity-policy-rules", effect: "none" },
    delete_policy_rules: { resource: "identity-policy-rules", effect: "remove" },
    get_policy_rules_query: {
      resource: "identity-policy-rules",
      effect: "none",
      request: ({ records: [record] }) => ({ query: { name: String(record?.["name"]) } }),
      more: {
        "by both booleans": () => ({ query: { enabled: "true", simulation_mode: "false" } }),
      },
    },
    QuerySensorsByFilter: { resource: "sensors", effect: "none" },
    GetSensorDetails: {
      resource: "sensors",
      effect: "none",
      request: (subject) => ({ body: { ids: idsOf(subject, "device_id") } }),
    },
    GetSensorAggregates: {
      resource: "sensors",
      effect: "none",
      request: () => ({ body: { name: "by-status", type: "terms", field: "status" } }),
    },
    post_graphql: {
      resource: null,
      effect: "none",
      restless: ["meta", "extensions"],
      request: graphql(
        "{ countEntities entities(first: 5) { nodes { entityId type riskScore } pageInfo { hasNextPage } } }",
      ),
      more: {
        "with variables": graphql("query ($n: Int!) { entities(first: $n) { nodes { type } } }", {
          n: 2,
        }),
        "with variables as text": graphql(
          "query ($n: Int!) { entities(first: $n) { nodes { type } } }",
          '{"n": 2}',
        ),
        "that does not parse": graphql("{ entities("),
        "for what is not there": graphql("{ entities { nodes { colour } } }"),
        introspection: graphql("{ __schema { types { name } } }"),
      },
    },
  },
};
