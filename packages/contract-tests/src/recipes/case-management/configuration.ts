import type { JsonObject } from "../../requests/request.ts";
import { identifier } from "../identifiers.ts";
import {
  findOnly,
  idsIn,
  idsOf,
  recordsIn,
  type Finder,
  type OperationRecipe,
  type ResourceRecipe,
  type Subject,
} from "../recipe.ts";

const named = (namespace: string): string => `name:*'${namespace} *'`;

/** Settings as returned, so that a record equals its input. */
const email = (namespace: string, index: number): JsonObject => ({
  type: "email",
  params: JSON.stringify({ recipients: [`${namespace}-${index}@contract.example`] }),
});

const group = (namespace: string, index: number): JsonObject => ({
  name: `${namespace} ${index}`,
  ...(index % 3 === 0 ? {} : { description: `Number ${index} of ${namespace}` }),
  channels: [email(namespace, index), ...(index % 2 === 0 ? [] : [email(namespace, index + 100)])],
});

const groupV1 = (namespace: string, index: number): JsonObject => ({
  name: `${namespace} ${index}`,
  ...(index % 3 === 0 ? {} : { description: `Number ${index} of ${namespace}` }),
  channels: [{ type: "email", recipients: [`${namespace}-${index}@contract.example`] }],
});

const sla = (namespace: string, index: number): JsonObject => ({
  name: `${namespace} ${index}`,
  ...(index % 3 === 0 ? {} : { description: `Number ${index} of ${namespace}` }),
  goals: [
    { type: "ack", duration_seconds: 60 * (index + 1) },
    ...(index % 2 === 0 ? [] : [{ type: "resolve", duration_seconds: 3_600 * (index + 1) }]),
  ],
});

const template = (namespace: string, index: number): JsonObject => ({
  name: `${namespace} ${index}`,
  ...(index % 3 === 0 ? {} : { description: `Number ${index} of ${namespace}` }),
  ...(index % 2 === 0 ? {} : { workflows: [{ id: `${namespace}-${index}`, display_order: 0 }] }),
});

const fields: readonly JsonObject[] = [
  {
    name: "Unit",
    data_type: "string",
    input_type: "select",
    required: true,
    options: [{ value: "One" }, { value: "Two" }],
  },
  { name: "Paid", data_type: "boolean", input_type: "checkbox", default_value: "false" },
  { name: "Seen", data_type: "datetime", input_type: "date" },
];

const whole = (namespace: string, index: number): JsonObject => ({
  ...template(namespace, index),
  fields,
  access_tags: [{ key: `${namespace}-${index}` }],
});

interface Lifelike {
  /** The name of the kind in operation ids. */
  readonly noun: string;
  readonly version: "v1" | "v2";
  readonly input: (namespace: string, index: number) => JsonObject;
  readonly values?: Readonly<Record<string, readonly unknown[]>>;
}

/** A kind with the usual four operations, one record per request. */
const lifelike = ({ noun, version, input, values = {} }: Lifelike): ResourceRecipe => ({
  idField: "id",
  phantom: (namespace, number) => ({
    ...input(namespace, number),
    id: identifier("phantom", noun, namespace, number),
  }),
  lifecycle: {
    create: `entities.${noun}.post.${version}`,
    input,
    createRequest: ([record]) => ({ body: record ?? {} }),
    atOnce: 1,
    filter: named,
    get: `entities.${noun}.get.${version}`,
    remove: `entities.${noun}.delete.${version}`,
    change: {
      operation: `entities.${noun}.patch.${version}`,
      request: ([record]) => ({ body: { id: record?.["id"], description: "changed" } }),
      changed: { description: "changed" },
      // Names are unique; the versions of a kind share their records.
      values: { name: [`${noun} ${version} once`, `${noun} ${version} again`], ...values },
    },
  },
});

/** Like `findOnly`, for kinds to which templates of other cases add records. */
const crowded = (find: NonNullable<ResourceRecipe["find"]>): ResourceRecipe => ({
  ...findOnly(find),
  crowded: true,
});

const templates = ({ create, namespace }: Finder, count: number) =>
  create(
    "case-templates",
    Array.from({ length: count }, (_, index) => whole(namespace, index)),
  );

const named0 = (namespace: string): JsonObject => ({ name: `${namespace} used` });

export const configurationResources: Readonly<Record<string, ResourceRecipe>> = {
  "notification-groups": lifelike({
    noun: "notification-groups",
    version: "v2",
    input: group,
    // Secrets of other channels are not shown.
    values: { channels: [[email("changed", 0)]] },
  }),
  "notification-groups-v1": lifelike({
    noun: "notification-groups",
    version: "v1",
    input: groupV1,
    values: { channels: [[{ type: "email", recipients: ["changed@contract.example"] }]] },
  }),
  slas: lifelike({
    noun: "slas",
    version: "v1",
    input: sla,
    values: { goals: [[{ type: "resolve", duration_seconds: 7 }]] },
  }),
  "case-templates": lifelike({
    noun: "templates",
    version: "v1",
    input: template,
    values: {
      fields: [fields.slice(0, 1)],
      sla_id: [null],
      sla_rules: [[]],
      access_tags: [[{ key: "contract" }]],
    },
  }),
  "template-snapshots": crowded(async (finder) => {
    const records = await templates(finder, 6);
    const ids = records.map(({ id }) => `'${String(id)}'`).join(",");
    const query = { filter: `template_id:[${ids}]`, limit: "200" };
    const snapshots = idsIn(await finder.read("queries.template-snapshots.get.v1", { query }));
    return recordsIn(
      await finder.read("entities.template-snapshots.get.v1", { query: { ids: snapshots } }),
    );
  }),
  "case-fields": crowded(async (finder) =>
    (await templates(finder, 4)).flatMap((record) => record["fields"] as readonly JsonObject[]),
  ),
  "access-tags": crowded(async (finder) =>
    (await templates(finder, 6)).flatMap(
      (record) => record["access_tags"] as readonly JsonObject[],
    ),
  ),
  "notification-groups-in-use": findOnly(async ({ create, namespace }) => {
    const groups = await create("notification-groups", [
      { ...group(namespace, 0), ...named0(namespace) },
    ]);
    const steps = groups.map(({ id }) => ({ notification_group_id: id }));
    await create("slas", [
      {
        ...named0(namespace),
        goals: [{ type: "ack", duration_seconds: 60, escalation_policy: { steps } }],
      },
    ]);
    return groups;
  }),
  "case-templates-in-use": findOnly(async ({ create, write, sendLast, namespace }) => {
    const records = await create("case-templates", [named0(namespace)]);
    const [used] = await write("entities.cases.put.v2", {
      body: { ...named0(namespace), severity: 10, template: { id: records[0]?.["id"] } },
    });
    const body = { id: used?.["id"], fields: { status: "closed" } };
    sendLast("entities.cases.patch.v2", { body });
    return records;
  }),
  "slas-in-use": findOnly(async ({ create, namespace }) => {
    const slas = await create("slas", [{ ...sla(namespace, 0), ...named0(namespace) }]);
    await create("case-templates", [{ ...named0(namespace), sla_id: slas[0]?.["id"] }]);
    return slas;
  }),
};

/** The operations that change records of one kind, with the 409 that each documents. */
const written = (
  kind: string,
  { noun, version, input }: Lifelike,
  inUse: string,
): Readonly<Record<string, OperationRecipe>> => ({
  [`entities.${noun}.get.${version}`]: { resource: kind, effect: "none" },
  [`entities.${noun}.post.${version}`]: { resource: kind, effect: "create", single: true },
  [`entities.${noun}.patch.${version}`]: {
    resource: kind,
    effect: "change",
    single: true,
    answers: {
      409: ({ namespace, records }) => ({
        first: [
          {
            operation: `entities.${noun}.post.${version}`,
            parts: { body: input(namespace, 90) },
          },
        ],
        body: { id: records[0]?.["id"], name: `${namespace} 90` },
      }),
    },
  },
  [`entities.${noun}.delete.${version}`]: {
    resource: kind,
    effect: "remove",
    answers: { 409: (subject: Subject) => ({ query: { ids: idsOf(subject) } }) },
    answersAbout: { 409: inUse },
  },
});

const aggregated = (
  kind: string,
  noun: string,
  version: string,
): Readonly<Record<string, OperationRecipe>> => ({
  [`aggregates.${noun}.post.${version}`]: { resource: kind, effect: "none" },
});

export const configurationOperations: Readonly<Record<string, OperationRecipe>> = {
  ...aggregated("notification-groups", "notification-groups", "v1"),
  ...aggregated("notification-groups", "notification-groups", "v2"),
  ...aggregated("slas", "slas", "v1"),
  ...aggregated("case-templates", "templates", "v1"),
  ...aggregated("access-tags", "access-tags", "v1"),
  ...written(
    "notification-groups",
    { noun: "notification-groups", version: "v2", input: group },
    "notification-groups-in-use",
  ),
  ...written(
    "notification-groups-v1",
    { noun: "notification-groups", version: "v1", input: groupV1 },
    "notification-groups-in-use",
  ),
  ...written("slas", { noun: "slas", version: "v1", input: sla }, "slas-in-use"),
  ...written(
    "case-templates",
    { noun: "templates", version: "v1", input: template },
    "case-templates-in-use",
  ),
  "entities.templates_export.get.v1": {
    resource: "case-templates",
    effect: "none",
    otherForm: true,
    restless: ["link"],
  },
  "entities.templates_import.post.v1": { resource: null, effect: "change" },
  "entities.template-snapshots.get.v1": {
    resource: "template-snapshots",
    effect: "none",
    more: {
      "by template and version": ({ records }) => ({
        query: {
          template_ids: records.map(({ template_id }) => String(template_id)),
          versions: records.map(() => "0"),
        },
      }),
    },
  },
  "entities.fields.get.v1": { resource: "case-fields", effect: "none" },
  "entities.access-tags.get.v1": { resource: "access-tags", effect: "none" },
};
