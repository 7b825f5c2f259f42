import { matches, parseFilter, parseSort, type Fields } from "@security-platform/fql";
import { fqlTables, operations, type Operation } from "@security-platform/spec";
import { describe, expect, test } from "vitest";

type Members = Readonly<Record<string, unknown>>;

const collections = [
  "case-management",
  "container",
  "data-protection",
  "downloads",
  "identity-protection",
  "ioc",
];
const exampleOperations = operations().filter(({ collection }) => collections.includes(collection));
const now = new Date("2026-03-02T12:00:00Z");

const successesOf = ({ responses, successStatus }: Operation): readonly unknown[] =>
  Object.values(responses.find(({ status }) => status === successStatus)?.content ?? {}).flatMap(
    ({ examples }) => Object.values(examples).map(({ value }) => value),
  );

/** All records of the examples, by id. Records of reads take precedence over those of writes. */
const records = new Map<string, Members>();
function collect(value: unknown): void {
  if (value === null || typeof value !== "object") return;
  const members = value as Members;
  const id = members["id"] ?? members["uuid"] ?? members["device_id"];
  if (typeof id === "string" && Object.keys(members).length > 3 && !records.has(id)) {
    records.set(id, members);
  }
  for (const member of Object.values(members)) collect(member);
}
for (const reads of [true, false]) {
  for (const operation of exampleOperations.filter(({ method }) => (method === "get") === reads)) {
    for (const value of successesOf(operation)) collect(value);
  }
}

/** The records of a response; for identifiers, the records from other examples if available. */
function recordsIn(value: unknown): readonly Members[] {
  const list = Array.isArray(value) ? value : (value as { readonly files?: unknown }).files;
  return ((list ?? []) as readonly (string | Members)[]).flatMap(
    (each): Members | readonly Members[] =>
      typeof each === "string" ? (records.get(each) ?? []) : each,
  );
}

const uses = exampleOperations
  .filter(({ method }) => method === "get")
  .flatMap((operation) =>
    operation.parameters.flatMap(({ example, fql }) =>
      fql === undefined || !("resource" in fql) || typeof example !== "string"
        ? []
        : [{ id: operation.id, operation, example, use: fql.use, resource: fql.resource }],
    ),
  );

const fieldsOf = (resource: string): Fields =>
  (fqlTables as Readonly<Record<string, { readonly fields: Fields }>>)[resource]?.fields ?? {};

describe("the example of a filter selects the records of the example response", () => {
  const filters = uses.filter(({ use }) => use === "filter");
  test.each(filters)("$id: $example", ({ operation, example, resource }) => {
    const filter = parseFilter(example);
    const examples = successesOf(operation).flatMap(recordsIn);
    expect(examples).toEqual(
      examples.filter((record) => matches(filter, record, fieldsOf(resource), now)),
    );
  });
});

test.each(uses.filter(({ use }) => use === "sort"))(
  "the example of a sort is valid: $id: $example",
  ({ example, resource }) => {
    expect(parseSort(example, fieldsOf(resource)).length).toBeGreaterThan(0);
  },
);
