import type { JsonObject } from "../requests/request.ts";
import { identifier } from "./identifiers.ts";
import {
  idsOf,
  recordsIn,
  type CollectionRecipe,
  type Finder,
  type Step,
  type Subject,
} from "./recipe.ts";

const slider = (detection: string, prevention: string) => ({
  id: "OnSensorMLSlider",
  value: { detection, prevention },
});

/** A policy for another platform than Linux, because other cases set the order of all Linux policies. */
function policy(namespace: string, index: number): JsonObject {
  return {
    name: `${namespace} ${index}`,
    platform_name: index % 2 === 0 ? "Windows" : "Mac",
    ...(index % 3 === 0 ? {} : { description: `Number ${index} of ${namespace}` }),
    ...(index % 3 === 1 ? { settings: [slider("AGGRESSIVE", "MODERATE")] } : {}),
  };
}

const phantom = (namespace: string, number: number): JsonObject => ({
  id: identifier("phantom", namespace, number),
  name: `${namespace} ${number}`,
});

const act = (action_name: string, subject: Subject): Step => ({
  operation: "performPreventionPoliciesAction",
  parts: { query: { action_name }, body: { ids: idsOf(subject) } },
});

const policiesOf = async (read: Finder["read"], filter: string): Promise<readonly JsonObject[]> =>
  recordsIn(
    await read("queryCombinedPreventionPolicies", {
      query: { filter, sort: "precedence.asc", limit: "500" },
    }),
  );

/** An identifier of no policy. */
const noPolicy = () => ({ query: { id: identifier("no policy") } });

export const preventionPolicy: CollectionRecipe = {
  resources: {
    "prevention-policies": {
      idField: "id",
      unseen: ["precedence"],
      phantom: (namespace, number) => ({
        ...policy(namespace, number),
        ...phantom(namespace, number),
      }),
      lifecycle: {
        create: "createPreventionPolicies",
        input: (namespace, index) => {
          const { settings: _settings, ...shown } = policy(namespace, index);
          return shown;
        },
        createRequest: (resources) => ({ body: { resources } }),
        filter: (namespace) => `name:*'${namespace} *'`,
        get: "getPreventionPolicies",
        remove: "deletePreventionPolicies",
        change: {
          operation: "updatePreventionPolicies",
          request: (records) => ({
            body: { resources: records.map(({ id }) => ({ id, description: "changed" })) },
          }),
          changed: { description: "changed" },
          // Shown in another form, as prevention_settings.
          fixed: ["settings"],
        },
      },
    },
    "default-prevention-policies": {
      idField: "id",
      phantom,
      lifecycle: null,
      find: ({ read }) => policiesOf(read, "name:'platform_default'"),
    },
    // All Linux policies except the default policy, in order; setting this order changes nothing.
    "ordered-prevention-policies": {
      idField: "id",
      phantom,
      lifecycle: null,
      whole: true,
      find: async (finder) => {
        const { namespace, read } = finder;
        const filter = "platform_name:'Linux'+name:!'platform_default'";
        const existing = await policiesOf(read, filter);
        if (existing.length > 0) return existing;
        const resources = [0, 1].map((number) => ({
          name: `${namespace} ${number}`,
          platform_name: "Linux",
        }));
        const created = await finder.write("createPreventionPolicies", { body: { resources } });
        const ids = created.map(({ id }) => String(id));
        finder.sendLast("deletePreventionPolicies", { query: { ids } });
        return policiesOf(read, filter);
      },
    },
    hosts: {
      idField: "device_id",
      phantom: (namespace, number) => ({
        device_id: identifier("host", namespace, number),
        hostname: `${namespace}-${number}`,
      }),
      lifecycle: null,
      find: async ({ read }) =>
        recordsIn(await read("queryCombinedPreventionPolicyMembers", { query: { limit: "50" } })),
    },
  },
  operations: {
    getPreventionPolicies: { resource: "prevention-policies", effect: "none" },
    createPreventionPolicies: {
      resource: "prevention-policies",
      effect: "create",
      more: {
        "with settings": ({ namespace }) => ({
          body: {
            resources: [0, 1].map((index) => ({
              ...policy(namespace, index),
              settings: [slider("AGGRESSIVE", "AGGRESSIVE")],
            })),
          },
        }),
      },
      answers: {
        404: ({ namespace }) => ({
          body: {
            resources: [{ ...policy(namespace, 0), clone_id: identifier("no policy") }],
          },
        }),
      },
    },
    updatePreventionPolicies: {
      resource: "prevention-policies",
      effect: "change",
      answers: {
        409: ({ records }) => ({
          body: { resources: records.map(({ id }) => ({ id, name: "platform_default" })) },
        }),
      },
    },
    deletePreventionPolicies: {
      resource: "prevention-policies",
      effect: "remove",
      answers: {
        409: (subject) => ({
          first: [act("enable", subject)],
          query: { ids: idsOf(subject) },
          last: [act("disable", subject)],
        }),
      },
    },
    performPreventionPoliciesAction: {
      resource: "default-prevention-policies",
      effect: "change",
      request: (subject) => ({
        query: { action_name: "enable" },
        body: { ids: idsOf(subject) },
      }),
      answers: {
        409: (subject) => ({
          query: { action_name: "disable" },
          body: { ids: idsOf(subject) },
        }),
      },
    },
    setPreventionPoliciesPrecedence: {
      resource: "ordered-prevention-policies",
      effect: "change",
      request: (subject) => ({ body: { ids: idsOf(subject), platform_name: "Linux" } }),
    },
    queryPreventionPolicyMembers: {
      resource: "hosts",
      effect: "none",
      answers: { 404: noPolicy },
    },
    queryCombinedPreventionPolicyMembers: {
      resource: "hosts",
      effect: "none",
      answers: { 404: noPolicy },
    },
  },
};
