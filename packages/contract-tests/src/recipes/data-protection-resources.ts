import type { JsonObject } from "../requests/request.ts";
import { identifier } from "./identifiers.ts";
import {
  idsOf,
  type CollectionRecipe,
  type OperationRecipe,
  type ResourceRecipe,
} from "./recipe.ts";

/** The specifics of one kind of record; everything else is the same for all kinds. */
interface Kind {
  /** The name of the kind in operation ids: `entities.<noun>.create<version>`. */
  readonly noun: string;
  readonly version?: "-v2";
  readonly input: (namespace: string, index: number) => JsonObject;
  /** A member and its new value; absent if nothing can be changed. */
  readonly changed?: JsonObject;
  /**
   * Members that one request cannot change alone, and values for members that refer to other
   * records.
   */
  readonly change?: Pick<
    NonNullable<NonNullable<ResourceRecipe["lifecycle"]>["change"]>,
    "fixed" | "values"
  >;
  /** The body of a create request for several records. */
  readonly createBody?: (inputs: readonly JsonObject[]) => JsonObject;
  /** Filter fields that are not members of the record. */
  readonly unseen?: readonly string[];
  /** Field for the deletion state of a record; default `deleted`. */
  readonly deletedField?: string;
  /** A record of another kind that uses this one, which then cannot be deleted. */
  readonly usedBy?: { readonly resource: string; readonly input: (id: unknown) => JsonObject };
  /** The request that is rejected as a duplicate, if sending the same request twice is not one. */
  readonly duplicate?: (namespace: string) => { readonly body: JsonObject };
}

const folder = { location_type: "folder" } as const;

const byClassification = (
  properties: (id: unknown) => JsonObject,
): NonNullable<Kind["usedBy"]> => ({
  resource: "classifications",
  input: (id) => ({ classification_properties: properties(id) }),
});

/** The kinds by the name of their `x-fql` table. */
const kinds: Readonly<Record<string, Kind>> = {
  "cloud-applications": {
    noun: "cloud-application",
    usedBy: { resource: "web-locations", input: (id) => ({ ...folder, application_id: id }) },
    changed: { description: "changed" },
    input: (namespace, index) => ({
      name: `${namespace} ${index}`,
      ...(index % 3 === 0 ? {} : { description: `Number ${index} of ${namespace}` }),
      urls: [
        { fqdn: `${namespace}-${index}.example.com`, path: "" },
        ...(index % 2 === 0 ? [] : [{ fqdn: "*.contract.example", path: `/${namespace}` }]),
      ],
    }),
  },
  "content-patterns": {
    noun: "content-pattern",
    usedBy: byClassification((id) => ({ content_patterns: [id] })),
    change: { values: { example: [""], regexes: [["changed-[0-9]+"]] } },
    changed: { description: "changed" },
    input: (namespace, index) => ({
      name: `${namespace} ${index}`,
      category: ["Custom", "PII", "Secret"][index % 3],
      region: index % 2 === 0 ? "ALL" : "EU",
      regexes: [String.raw`\b${namespace}-[0-9]+\b`],
      min_match_threshold: 2,
      ...(index % 3 === 0 ? {} : { example: `${namespace}-1 and ${namespace}-${index + 1}` }),
    }),
  },
  "enterprise-accounts": {
    noun: "enterprise-account",
    usedBy: {
      resource: "web-locations",
      input: (id) => ({ ...folder, enterprise_account_id: id }),
    },
    changed: { domains: ["changed.example"] },
    input: (namespace, index) => ({
      name: `${namespace} ${index}`,
      application_group_id: ["google", "microsoft", "box"][index % 3],
      domains: [`${namespace}.example`, `${namespace}-${index % 4}.example`],
      ...(index % 2 === 0 ? {} : { plugin_config_id: identifier(namespace, index % 4) }),
    }),
  },
  "local-applications": {
    noun: "local-application",
    deletedField: "is_deleted",
    change: { values: { group_ids: [[]] } },
    changed: { enable_rename_detection: true },
    input: localApplication,
    // Sending the same again would duplicate two members.
    duplicate: (namespace) => ({
      body: { ...localApplication(namespace, 90), executable_name: `${namespace}-else.exe` },
    }),
  },
  "local-application-groups": {
    noun: "local-application-group",
    deletedField: "is_deleted",
    unseen: ["platform"],
    usedBy: byClassification((id) => ({
      rules: [{ enable_local_application_groups: true, local_application_groups: [id] }],
    })),
    change: { values: { local_application_ids: [[]] } },
    changed: { description: "changed" },
    input: group,
  },
  "sensitivity-labels": {
    noun: "sensitivity-label",
    version: "-v2",
    usedBy: byClassification((id) => ({ sensitivity_labels: [id] })),
    input: (namespace, index) => ({
      name: `${namespace} ${index}`,
      display_name: `Label ${index % 4} of ${namespace}`,
      label_provider: index % 2 === 0 ? "microsoft" : "google",
      external_id: index % 3 === 0 ? "" : `${namespace}-${index}`,
      co_authoring: index % 2 === 1,
    }),
  },
  "web-locations": {
    noun: "web-location",
    version: "-v2",
    usedBy: byClassification((id) => ({ web_sources: [id] })),
    change: {
      fixed: ["type", "deleted", "application_id", "enterprise_account_id"],
      values: { web_location_group_ids: [[]] },
    },
    changed: { provider_location_name: "changed" },
    createBody: (web_locations) => ({ web_locations }),
    input: (namespace, index) => ({
      name: `${namespace} ${index}`,
      location_type: index % 2 === 0 ? "folder" : "account",
      ...(index % 3 === 0 ? {} : { provider_location_id: `${namespace}-${index % 4}` }),
      provider_location_name: `Place ${index}`,
    }),
  },
  "web-location-groups": {
    noun: "web-location-group",
    change: { values: { web_location_ids: [[]] } },
    changed: { description: "changed" },
    input: group,
  },
};

function group(namespace: string, index: number): JsonObject {
  return {
    name: `${namespace} ${index}`,
    ...(index % 3 === 0 ? {} : { description: `Number ${index} of ${namespace}` }),
  };
}

function localApplication(namespace: string, index: number): JsonObject {
  return {
    name: `${namespace} ${index}`,
    executable_name: `${namespace}-${index}.exe`,
    apply_rules_for_children_processes: index % 2 === 1,
  };
}

const operationOf = ({ noun, version }: Kind, verb: string): string =>
  `entities.${noun}.${verb}${version ?? ""}`;

function resourceOf(kind: Kind): ResourceRecipe {
  const { noun, input, change, changed, createBody, deletedField, unseen } = kind;
  return {
    idField: "id",
    ...(unseen === undefined ? {} : { unseen }),
    phantom: (namespace, number) => ({
      ...input(namespace, number),
      id: identifier("phantom", noun, namespace, number),
    }),
    lifecycle: {
      create: operationOf(kind, "create"),
      input,
      createRequest: (inputs) => ({ body: createBody?.(inputs) ?? inputs[0] ?? {} }),
      ...(createBody === undefined ? { atOnce: 1 } : {}),
      // Deleted records remain in lists.
      filter: (namespace) => `name:*'${namespace} *'+${deletedField ?? "deleted"}:false`,
      get: operationOf(kind, "get"),
      remove: operationOf(kind, "delete"),
      removed: { deleted: true },
      ...(changed === undefined
        ? {}
        : {
            change: {
              operation: operationOf(kind, "patch"),
              request: ([record]) => ({ query: { id: String(record?.["id"]) }, body: changed }),
              changed,
              ...change,
            },
          }),
    },
  };
}

/** A record of the kind that another record uses. */
const usedKind = (resource: string): string => `${resource}-in-use`;

const usedResource = (
  resource: string,
  kind: Kind,
  { resource: user, input }: NonNullable<Kind["usedBy"]>,
): ResourceRecipe => ({
  ...resourceOf(kind),
  lifecycle: null,
  find: async ({ namespace, create }) => {
    const records = await create(resource, [kind.input(namespace, 0)]);
    await create(user, [{ name: `${namespace} user`, ...input(records[0]?.["id"]) }]);
    return records;
  },
});

function operationsOf(resource: string, kind: Kind): Readonly<Record<string, OperationRecipe>> {
  const [create, get, patch, remove] = ["create", "get", "patch", "delete"].map((verb) =>
    operationOf(kind, verb),
  ) as [string, string, string, string];
  const { changed, duplicate, input, usedBy } = kind;
  return {
    [get]: { resource, effect: "none" },
    [create]: {
      resource,
      effect: "create",
      ...(duplicate === undefined
        ? {}
        : {
            answers: {
              409: ({ namespace }) => ({
                first: [{ operation: create, parts: { body: input(namespace, 90) } }],
                ...duplicate(namespace),
              }),
            },
          }),
    },
    [remove]: {
      resource,
      effect: "remove",
      ...(usedBy !== undefined
        ? {
            answers: { 409: (subject) => ({ query: { ids: idsOf(subject) } }) },
            answersAbout: { 409: usedKind(resource) },
          }
        : {}),
    },
    ...(changed === undefined
      ? {}
      : {
          [patch]: {
            resource,
            effect: "change",
            single: true,
            answers: {
              // Deleted records cannot be changed.
              409: (subject) => ({
                first: [{ operation: remove, parts: { query: { ids: idsOf(subject) } } }],
                query: { id: idsOf(subject)[0] ?? "" },
                body: changed,
              }),
            },
          },
        }),
  };
}

const noFileType = () => ({ query: { ids: [identifier("no file type")] } });

const fromKinds = Object.entries(kinds).map(([resource, kind]) => operationsOf(resource, kind));

/** All kinds of data protection except classifications and policies. */
export const dataProtectionResources: CollectionRecipe = {
  resources: Object.fromEntries(
    Object.entries(kinds).flatMap(([resource, kind]) => [
      [resource, resourceOf(kind)],
      ...(kind.usedBy === undefined
        ? []
        : [[usedKind(resource), usedResource(resource, kind, kind.usedBy)] as const]),
    ]),
  ),
  operations: {
    ...Object.assign({}, ...fromKinds),
    // The same in every tenant, like the example in the document.
    "entities.file-type.get": { resource: null, effect: "none", answers: { 404: noFileType } },
    "queries.file-type.get-v2": { resource: null, effect: "none" },
    "entities.sensitivity-label.create-v2": {
      resource: "sensitivity-labels",
      effect: "create",
    },
  },
};
