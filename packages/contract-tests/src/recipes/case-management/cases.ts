import type { JsonObject } from "../../requests/request.ts";
import { uuidOf } from "../identifiers.ts";
import { mergeUnitesAccessTags, valuesFollowOptions } from "./case-rules.ts";
import {
  idsIn,
  idsOf,
  recordsIn,
  type CollectionRecipe,
  type Finder,
  type Subject,
} from "../recipe.ts";

/** An identifier of a case that does not exist. */
export const phantomId = (namespace: string, number: number): string =>
  uuidOf("phantom case", namespace, number);

const statuses = ["new", "in_progress"] as const;

export function newCase(namespace: string, index: number): JsonObject {
  return {
    name: `${namespace} ${index}`,
    severity: 10 + (index % 8) * 10,
    status: statuses[index % statuses.length] ?? "new",
    tags: [`${namespace}-${index % 3}`],
    ...(index % 3 === 0 ? {} : { description: `Number ${index} of ${namespace}` }),
  };
}

const evidence = (alert: string, event: string) => ({
  alerts: { records: [{ id: "0".repeat(32), selector: { id: alert } }] },
  events: { records: [{ id: "1".repeat(32), selector: { id: event } }] },
});

const phantom = (namespace: string, number: number): JsonObject => ({
  ...newCase(namespace, number),
  id: phantomId(namespace, number),
  evidence: evidence(`${namespace}-alert`, `${namespace}-event`),
});

const idOf = ({ records: [record] }: Subject): string => String(record?.["id"]);
/** The first alert or event of the subject's first case. */
function evidenceOf({ records: [record] }: Subject, kind: "alerts" | "events") {
  type Shown = ReturnType<typeof evidence>;
  const shown = record?.["evidence"] as unknown as Shown | undefined;
  return { id: shown?.[kind].records[0]?.selector.id ?? "unknown" };
}

const addEvidence = (kind: "alerts" | "events") =>
  ({
    resource: "cases-with-evidence",
    effect: "change",
    single: true,
    // Existing evidence of the case: adding it again changes nothing.
    request: (subject: Subject) => ({
      body: { id: idOf(subject), [kind]: [evidenceOf(subject, kind)] },
    }),
    answers: {
      409: (subject: Subject) => ({
        body: { id: idOf(subject), [kind]: [evidenceOf(subject, kind)] },
      }),
    },
    answersAbout: { 409: "merged-cases" },
  }) as const;

const casesByFilter = async (read: Finder["read"], filter: string) => {
  const ids = idsIn(await read("queries.cases.get.v1", { query: { filter, limit: "5" } }));
  if (ids.length === 0) return [];
  return recordsIn(await read("entities.cases.post.v2", { body: { ids } }));
};

const hiddenCases = { known: "hidden-cases", kind: "cases" } as const;

export const caseResources: CollectionRecipe["resources"] = {
  cases: {
    idField: "id",
    hidden: hiddenCases,
    // Texts of the evidence, and names that are stored in other members of the record.
    unseen: [
      "all_text",
      "created_by",
      "modified_by",
      "source_vendors",
      "source_products",
      "tactics",
      "tactic_ids",
      "techniques",
      "technique_ids",
      "ips",
      "image_file_names",
      "command_lines",
      "cloud_service_names",
    ],
    phantom,
    lifecycle: {
      create: "entities.cases.put.v2",
      input: newCase,
      createRequest: ([input]) => ({ body: input ?? {} }),
      atOnce: 1,
      filter: (namespace) => `name:*'${namespace} *'`,
      get: "entities.cases.post.v2",
      getRequest: (ids) => ({ body: { ids } }),
      change: {
        operation: "entities.cases.patch.v2",
        request: ([record]) => ({
          body: { id: record?.["id"], fields: { description: "changed" } },
        }),
        changed: { description: "changed" },
        // Each refers to another record that must exist, or requires another member.
        fixed: [
          "access_tags",
          "assigned_to_user_uuid",
          "custom_fields",
          "description_tagged_users",
          "remove_user_assignment",
          "severity_info",
          "slas_active",
          "template",
          "workflows",
        ],
        follows: [
          "severity_info",
          "version",
          "updated_timestamp",
          "last_updated_by",
          "update_actor",
        ],
      },
    },
  },
  // No operation creates alerts and events, so these are cases that have some.
  "cases-with-evidence": {
    idField: "id",
    hidden: hiddenCases,
    phantom,
    lifecycle: null,
    find: ({ read }) => casesByFilter(read, "alerts:*+events:*+status:!'closed'"),
  },
  // Cases with an access tag that the limited user does not hold.
  "hidden-cases": { idField: "id", phantom, lifecycle: null },
  // Read-only, because each was merged into another.
  "merged-cases": {
    idField: "id",
    phantom,
    lifecycle: null,
    find: async ({ namespace, create, write, read }) => {
      const pair = await create("cases", [newCase(namespace, 0), newCase(namespace, 1)]);
      const [source_id, destination_id] = pair.map(({ id }) => String(id));
      await write("entities.merge.post.v1", { body: { source_id, destination_id } });
      return recordsIn(await read("entities.cases.post.v2", { body: { ids: [source_id] } }));
    },
  },
};

export const caseOperations: CollectionRecipe["operations"] = {
  "entities.cases.put.v2": {
    resource: "cases",
    effect: "create",
    more: {
      "with a level in place of a number": ({ namespace }) => {
        const { severity: _severity, ...input } = newCase(namespace, 0);
        return { body: { ...input, severity_info: { level: "informational" } } };
      },
    },
  },
  "entities.cases.post.v2": {
    resource: "cases",
    effect: "none",
    request: (subject) => ({ body: { ids: idsOf(subject) } }),
  },
  "entities.cases.patch.v2": {
    resource: "cases",
    effect: "change",
    single: true,
    answers: {
      409: (subject) => ({
        body: { id: idOf(subject), expected_version: 2_147_483_647, fields: { name: "late" } },
      }),
    },
    rules: { "values follow an option of the template that was renamed": valuesFollowOptions },
  },
  "entities.case-tags.post.v1": {
    resource: "cases",
    effect: "change",
    single: true,
    otherForm: true,
    request: (subject) => ({ body: { id: idOf(subject), tags: ["contract"] } }),
    answers: { 409: (subject) => ({ body: { id: idOf(subject), tags: ["contract"] } }) },
    answersAbout: { 409: "merged-cases" },
  },
  "entities.case-tags.delete.v1": {
    resource: "cases",
    effect: "change",
    single: true,
    otherForm: true,
    request: (subject) => ({ query: { id: idOf(subject), tag: ["contract"] } }),
    answers: { 409: (subject) => ({ query: { id: idOf(subject), tag: ["contract"] } }) },
    answersAbout: { 409: "merged-cases" },
  },
  "entities.alert-evidence.post.v1": addEvidence("alerts"),
  "entities.event-evidence.post.v1": addEvidence("events"),
  "entities.merge.post.v1": {
    resource: "cases",
    effect: "change",
    otherForm: true,
    request: ({ records: [source, destination] }) => ({
      body: { source_id: source?.["id"], destination_id: destination?.["id"] },
    }),
    answers: {
      404: ({ namespace, records: [source] }) => ({
        body: { source_id: source?.["id"], destination_id: phantomId(namespace, 0) },
      }),
      409: ({ records: [source] }) => {
        const readOnly = source?.["read_only"] as { readonly merged_into?: string } | undefined;
        return { body: { source_id: source?.["id"], destination_id: readOnly?.merged_into } };
      },
    },
    answersAbout: { 409: "merged-cases" },
    rules: { "the destination gets the access tags of the source": mergeUnitesAccessTags },
  },
  "queries.cases.get.v1": {
    resource: "cases",
    effect: "none",
    more: {
      "that contain words": ({ namespace }) => ({ query: { q: namespace, limit: "10" } }),
    },
  },
};
