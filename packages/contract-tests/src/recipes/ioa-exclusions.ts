import type { JsonObject } from "../requests/request.ts";
import { identifier } from "./identifiers.ts";
import type { CollectionRecipe, Subject } from "./recipe.ts";

/** Patterns with the same name on every platform, and one that only exclusions refer to. */
const patterns = [
  { pattern_id: "41005", pattern_name: "Shadow copies touched by an unusual program" },
  { pattern_id: "5702", pattern_name: "Enumeration of installed software" },
  { pattern_id: "99000099", pattern_name: "A pattern of our own" },
] as const;

/** Members that both versions support; all are different. */
function shared(namespace: string, index: number) {
  return {
    name: `${namespace} ${index}`,
    ...(patterns[index % patterns.length] ?? patterns[0]),
    ifn_regex: String.raw`.*\\${namespace}-${index % 4}\.exe`,
    cl_regex: `.*--job ${namespace}-${index}`,
    description: `Number ${index} of ${namespace}`,
  };
}

function exclusion(namespace: string, index: number): JsonObject {
  const { description, ...members } = shared(namespace, index);
  return {
    ...members,
    ...(index % 3 === 0 ? {} : { description }),
    ...(index % 3 === 1 ? { parent_ifn_regex: ".*parent", grandparent_cl_regex: "init" } : {}),
    ...(index % 2 === 0 ? { comment: `Reason ${index}` } : {}),
  };
}

const exclusionV1 = (namespace: string, index: number): JsonObject => ({
  ...shared(namespace, index),
  detection_json: "",
});

const named = (namespace: string): string => `name:*'${namespace} *'`;

const phantomId = (namespace: string, number: number): string =>
  identifier("phantom exclusion", namespace, number);

/** A process that the subject's records exclude if they only check the process itself. */
function processOf({ namespace, records: [record] }: Subject): JsonObject {
  const index = Number(/--job \S*-(\d+)$/.exec(String(record?.["cl_regex"]))?.[1] ?? 0);
  return {
    aid: identifier("no host"),
    image_file_name: `C:\\${namespace}-${index % 4}.exe`,
    command_line: `run --job ${namespace}-${index}`,
    parent_image_file_name: "/bin/parent",
    parent_command_line: "parent",
    grandparent_image_file_name: "/sbin/init",
    grandparent_command_line: "init",
  };
}

/** The members of the first record, to create an equal one. */
const alike = ({ namespace }: Subject, change: object): JsonObject => ({
  ...exclusion(namespace, 0),
  ...change,
});

export const ioaExclusions: CollectionRecipe = {
  resources: {
    "ss-ioa-exclusions": {
      idField: "id",
      phantom: (namespace, number) => ({
        ...exclusion(namespace, number),
        id: phantomId(namespace, number),
      }),
      lifecycle: {
        create: "ss-ioa-exclusions.create.v2",
        input: exclusion,
        createRequest: (exclusions) => ({ body: { exclusions } }),
        filter: named,
        get: "ss-ioa-exclusions.get.v2",
        remove: "ss-ioa-exclusions.delete.v2",
        change: {
          operation: "ss-ioa-exclusions.update.v2",
          request: (records) => ({
            body: { exclusions: records.map(({ id }) => ({ id, description: "changed" })) },
          }),
          changed: { description: "changed" },
          emptyClears: true,
          fixed: ["pattern_name"],
          follows: ["pattern_name"],
          values: { host_groups: [[]] },
        },
      },
    },
    "ioa-exclusions": {
      idField: "id",
      phantom: (namespace, number) => ({
        ...exclusionV1(namespace, number),
        id: phantomId(namespace, number),
      }),
      lifecycle: {
        create: "createIOAExclusionsV1",
        input: exclusionV1,
        createRequest: ([input]) => ({ body: input ?? {} }),
        atOnce: 1,
        filter: named,
        get: "getIOAExclusionsV1",
        remove: "deleteIOAExclusionsV1",
        change: {
          operation: "updateIOAExclusionsV1",
          request: ([record]) => ({ body: { id: record?.["id"], description: "changed" } }),
          changed: { description: "changed" },
          // The comment goes to the audit trail.
          fixed: ["pattern_name", "comment"],
          follows: ["pattern_name", "applied_globally"],
          values: { groups: [[]] },
        },
      },
    },
  },
  operations: {
    "ss-ioa-exclusions.get.v2": { resource: "ss-ioa-exclusions", effect: "none" },
    "ss-ioa-exclusions.create.v2": {
      resource: "ss-ioa-exclusions",
      effect: "create",
      answers: {
        409: (subject) => ({
          body: {
            exclusions: [
              alike(subject, { cl_regex: `twice ${subject.namespace}` }),
              alike(subject, { cl_regex: `twice ${subject.namespace}`, name: "else" }),
            ],
          },
        }),
      },
    },
    "ss-ioa-exclusions.update.v2": {
      resource: "ss-ioa-exclusions",
      effect: "change",
      answers: {
        409: ({ namespace, records }) => ({
          first: [
            {
              operation: "ss-ioa-exclusions.create.v2",
              parts: {
                body: { exclusions: [alike({ namespace, records }, { cl_regex: "taken" })] },
              },
            },
          ],
          body: {
            exclusions: records.map(({ id }) => ({
              ...alike({ namespace, records }, { cl_regex: "taken" }),
              id,
              parent_ifn_regex: null,
              grandparent_cl_regex: null,
            })),
          },
        }),
      },
    },
    "ss-ioa-exclusions.delete.v2": { resource: "ss-ioa-exclusions", effect: "remove" },
    "ss-ioa-exclusions.aggregates.v2": {
      resource: "ss-ioa-exclusions",
      effect: "none",
      request: ({ namespace }) => ({
        body: { name: "by-id", type: "terms", field: "id", filter: named(namespace) },
      }),
    },
    "ss-ioa-exclusions.get-reports.v2": {
      resource: "ss-ioa-exclusions",
      effect: "none",
      request: ({ namespace }) => ({
        body: { report_format: "json", search: { filter: named(namespace), sort: "name" } },
      }),
      more: {
        "as CSV": ({ namespace }) => ({
          body: { report_format: "csv", search: { filter: named(namespace) } },
        }),
      },
    },
    "ss-ioa-exclusions.matched-rule.v2": {
      resource: "ss-ioa-exclusions",
      effect: "none",
      request: (subject) => ({
        body: {
          ...processOf(subject),
          pattern_ids: patterns.map(({ pattern_id }) => pattern_id),
        },
      }),
    },
    "ss-ioa-exclusions.new-rules.v2": {
      resource: null,
      effect: "none",
      request: (subject) => ({ body: processOf(subject) }),
    },
    getIOAExclusionsV1: { resource: "ioa-exclusions", effect: "none" },
    createIOAExclusionsV1: {
      resource: "ioa-exclusions",
      effect: "create",
      answers: {
        409: ({ namespace }) => ({
          first: [
            { operation: "createIOAExclusionsV1", parts: { body: exclusionV1(namespace, 90) } },
          ],
          body: { ...exclusionV1(namespace, 90), name: "else" },
        }),
      },
    },
    updateIOAExclusionsV1: {
      resource: "ioa-exclusions",
      effect: "change",
      single: true,
      answers: {
        409: ({ namespace, records: [record] }) => ({
          first: [
            { operation: "createIOAExclusionsV1", parts: { body: exclusionV1(namespace, 91) } },
          ],
          body: { ...exclusionV1(namespace, 91), id: record?.["id"] },
        }),
      },
    },
    deleteIOAExclusionsV1: { resource: "ioa-exclusions", effect: "remove" },
  },
};
