import type { JsonObject } from "../requests/request.ts";
import { dataProtectionResources } from "./data-protection-resources.ts";
import { identifier } from "./identifiers.ts";
import {
  findOnly,
  idsIn,
  idsOf,
  type CollectionRecipe,
  type Finder,
  type Step,
  type Subject,
} from "./recipe.ts";

const named = (namespace: string): string => `name:*'${namespace} *'`;

const classification = (namespace: string, index: number): JsonObject => ({
  name: `${namespace} ${index}`,
  classification_properties: {
    protection_mode: ["monitor", "simulate", "enforce"][index % 3],
    content_patterns_operator: index % 2 === 0 ? "or" : "and",
    evidence_duplication_enabled: index % 2 === 1,
    scan_profiles: [`${namespace}-${index % 3}`],
    rules: index % 3 === 0 ? [] : [{ description: `Rule of ${index}`, notify_end_user: true }],
  },
});

/** A policy for Windows, because other cases set the order of all macOS policies. */
const policy = (namespace: string, index: number): JsonObject => ({
  name: `${namespace} ${index}`,
  description: index % 3 === 0 ? "" : `Number ${index} of ${namespace}`,
});

const simulated = { protection_mode: "simulate", win_file_path_patterns: ["changed"] } as const;

const windows = { platform_name: "win" } as const;

const properties: JsonObject = {
  similarity_detection: true,
  similarity_threshold: "70",
  evidence_download_enabled: true,
  enable_screen_capture: true,
  allow_notifications: "custom",
  custom_allow_notification: "Noted.",
};

const turn = (is_enabled: boolean, subject: Subject): Step => ({
  operation: "entities.policy.patch.v2",
  parts: {
    query: windows,
    body: { resources: idsOf(subject).map((id) => ({ id, is_enabled })) },
  },
});

const classified = ({ create }: Finder, name: string, classification_properties: JsonObject) =>
  create("classifications", [{ name, classification_properties }]);

const onMac = { platform_name: "mac" } as const;

const policyIds = async (
  { read }: Finder,
  platform: { readonly platform_name: string },
  filter: string,
): Promise<readonly string[]> =>
  idsIn(
    await read("queries.policy.get.v2", {
      query: { ...platform, filter, sort: "precedence.asc", limit: "500" },
    }),
  );

/** The macOS policies without the default policy, in order; setting this order changes nothing. */
async function orderedPolicies(finder: Finder): Promise<readonly JsonObject[]> {
  const filter = "is_default:false";
  if ((await policyIds(finder, onMac, filter)).length === 0) {
    const resources = [0, 1].map((number) => policy(finder.namespace, number));
    const body = { resources };
    const created = await finder.write("entities.policy.post.v2", { query: onMac, body });
    const ids = created.map(({ id }) => String(id));
    finder.sendLast("entities.policy.delete.v2", { query: { ids, ...onMac } });
  }
  return (await policyIds(finder, onMac, filter)).map((id) => ({ id }));
}

/**
 * A classification with a policy that uses it. The policy is created after the classification, and removed before it.
 */
async function usedClassification(finder: Finder): Promise<readonly JsonObject[]> {
  const records = await classified(finder, `${finder.namespace} used`, {});
  const classifications = records.map(({ id }) => id);
  await finder.create("data-protection-policies", [
    { ...policy(finder.namespace, 0), policy_properties: { classifications } },
  ]);
  return records;
}

const own: CollectionRecipe = {
  resources: {
    classifications: {
      idField: "id",
      phantom: (namespace, number) => ({
        ...classification(namespace, number),
        id: identifier("phantom classification", namespace, number),
      }),
      lifecycle: {
        create: "entities.classification.post.v2",
        input: classification,
        createRequest: (resources) => ({ body: { resources } }),
        filter: named,
        get: "entities.classification.get.v2",
        remove: "entities.classification.delete.v2",
        change: {
          operation: "entities.classification.patch.v2",
          request: (records) => ({
            body: {
              resources: records.map(({ id }) => ({ id, classification_properties: simulated })),
            },
          }),
          changed: { classification_properties: simulated },
          values: {
            "classification_properties.content_patterns": [[]],
            "classification_properties.file_types": [[]],
            "classification_properties.sensitivity_labels": [[]],
            "classification_properties.web_sources": [[]],
          },
        },
      },
    },
    "classifications-in-use": findOnly(usedClassification),
    "recording-classifications": findOnly((finder) =>
      classified(finder, `${finder.namespace} recording`, {
        evidence_duplication_enabled: true,
        rules: [{ enable_screen_capture_rule: true }],
      }),
    ),
    "data-protection-policies": {
      idField: "id",
      restless: ["precedence"],
      phantom: (namespace, number) => ({
        ...policy(namespace, number),
        id: identifier("phantom policy", namespace, number),
      }),
      lifecycle: {
        create: "entities.policy.post.v2",
        input: policy,
        createRequest: (resources) => ({ query: windows, body: { resources } }),
        filter: named,
        get: "entities.policy.get.v2",
        remove: "entities.policy.delete.v2",
        removeRequest: (ids) => ({ query: { ids, ...windows } }),
        change: {
          operation: "entities.policy.patch.v2",
          request: (records) => ({
            query: windows,
            body: { resources: records.map(({ id }) => ({ id, description: "changed" })) },
          }),
          changed: { description: "changed" },
          // A separate operation orders the policies.
          fixed: ["precedence"],
          values: { host_groups: [[]] },
        },
      },
    },
    "default-data-protection-policies": findOnly(async (finder) => {
      const ids = await policyIds(finder, windows, "is_default:true");
      return ids.map((id) => ({ id }));
    }),
    "ordered-data-protection-policies": { ...findOnly(orderedPolicies), whole: true },
  },
  operations: {
    "entities.classification.get.v2": { resource: "classifications", effect: "none" },
    "entities.classification.post.v2": { resource: "classifications", effect: "create" },
    "entities.classification.patch.v2": {
      resource: "classifications",
      effect: "change",
      answers: {
        409: ({ namespace, records }) => ({
          first: [
            {
              operation: "entities.classification.post.v2",
              parts: { body: { resources: [classification(namespace, 90)] } },
            },
          ],
          body: { resources: [{ id: records[0]?.["id"], name: `${namespace} 90` }] },
        }),
      },
    },
    "entities.classification.delete.v2": {
      resource: "classifications",
      effect: "remove",
      answers: { 409: (subject) => ({ query: { ids: idsOf(subject) } }) },
      answersAbout: { 409: "classifications-in-use" },
    },
    "entities.policy.get.v2": { resource: "data-protection-policies", effect: "none" },
    "entities.policy.post.v2": {
      resource: "data-protection-policies",
      effect: "create",
      more: {
        "with properties": ({ namespace }) => ({
          query: windows,
          body: {
            resources: [0, 1].map((index) => ({
              ...policy(namespace, index),
              policy_properties: properties,
            })),
          },
        }),
      },
      answers: {
        // A classification whose rules record the screen, in a policy that does not allow it.
        409: (subject) => ({
          query: windows,
          body: {
            resources: [
              {
                ...policy(subject.namespace, 0),
                policy_properties: { classifications: idsOf(subject) },
              },
            ],
          },
        }),
      },
      answersAbout: { 409: "recording-classifications" },
    },
    "entities.policy.patch.v2": {
      resource: "data-protection-policies",
      effect: "change",
      answers: {
        409: (subject) => ({
          query: windows,
          body: { resources: idsOf(subject).map((id) => ({ id, is_enabled: false })) },
        }),
      },
      answersAbout: { 409: "default-data-protection-policies" },
    },
    "entities.policy.delete.v2": {
      resource: "data-protection-policies",
      effect: "remove",
      request: (subject) => ({ query: { ids: idsOf(subject), ...windows } }),
      answers: {
        409: (subject) => ({
          first: [turn(true, subject)],
          query: { ids: idsOf(subject), ...windows },
          last: [turn(false, subject)],
        }),
      },
    },
    "entities.policy.precedence.post.v1": {
      resource: "ordered-data-protection-policies",
      effect: "change",
      request: (subject) => ({
        body: { resources: [{ platform: "mac", precedence: idsOf(subject) }] },
      }),
    },
  },
};

/** All kinds of data protection. */
export const dataProtection: CollectionRecipe = {
  resources: { ...dataProtectionResources.resources, ...own.resources },
  operations: { ...dataProtectionResources.operations, ...own.operations },
};
