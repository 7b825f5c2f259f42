import { describe, expect, test } from "vitest";
import { document, operations, type Indicator, type Operation } from "./index.ts";

const bodies = operations()
  .filter(({ collection }) => collection === "ioc")
  .flatMap(({ requestBody, responses }) => [
    ...(requestBody === undefined ? [] : [requestBody]),
    ...responses,
  ])
  .flatMap(({ content }) => Object.values(content))
  .flatMap(({ examples }) => Object.values(examples).map(({ value }) => value));

const isIndicator = (value: unknown): value is Indicator =>
  value !== null && typeof value === "object" && "created_on" in value && "type" in value;

const records = bodies.flatMap((body) => (Array.isArray(body) ? body.filter(isIndicator) : []));

test("the examples of IOC describe the same indicators everywhere", () => {
  const indicatorsById = new Map<string, Indicator>();
  for (const record of records) {
    const { type, value, created_on, created_by, from_parent } = record;
    const previous = indicatorsById.get(record.id) ?? record;
    indicatorsById.set(record.id, previous);
    expect(previous).toMatchObject({ type, value, created_on, created_by, from_parent });
  }
  expect(indicatorsById.size).toBeGreaterThan(3);
  const unknown = "0".repeat(64);
  const hashes = [...indicatorsById.values()].map(({ value }) => value);
  const named = JSON.stringify([bodies, document().components["parameters"]]).match(
    /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g,
  );
  for (const id of named ?? [])
    expect([...indicatorsById.keys(), unknown, ...hashes]).toContain(id);
});

test("an update keeps absent members, and a created record equals its request", () => {
  const operation = (id: string) => operations().find((each) => each.id === id);
  const sent = (id: string, name: string) =>
    operation(id)?.requestBody?.content["application/json"]?.examples[name]?.value;
  const answered = (id: string, name: string) =>
    operation(id)?.responses[0]?.content["application/json"]?.examples[name]?.value as Indicator[];
  const inputs = sent("indicator.create.v1", "indicators-create") as { indicators: object[] };
  const created = answered("indicator.create.v1", "indicators-created");
  expect(created).toMatchObject(inputs.indicators);
  const changes = sent("indicator.update.v1", "indicators-update") as {
    indicators: { id: string }[];
  };
  for (const [index, record] of answered("indicator.update.v1", "indicators-updated").entries()) {
    const before = records.find(({ id }) => id === record.id);
    const named = { ...before, ...changes.indicators[index], modified_on: record.modified_on };
    const expected = Object.entries(named).filter(([, value]) => value !== null);
    expect(record).toEqual(Object.fromEntries(expected));
  }
});

const tenant = "5e1f8a2c7b3d49608c4e9f0a1b2d3c4e";

/** The members of a record that never change. */
const lasting = ["cid", "created", "created_at", "created_by", "created_timestamp"];

/** Members whose form in a create request differs from that in the record. */
const shownOtherwise: Readonly<Record<string, readonly string[]>> = {
  CreateRegistryEntities: ["credential"],
  "entities.cases.put.v2": ["evidence"],
  "entities.retrieve-rtr-recent-file.post.v1": ["session_id", "sha256"],
  "entities.notification-groups.post.v1": ["channels"],
  "entities.notification-groups.post.v2": ["channels"],
};

const valuesIn = (content: Operation["responses"][number]["content"] | undefined): unknown[] =>
  Object.values(content ?? {}).flatMap(({ examples }) =>
    Object.values(examples).map(({ value }) => value),
  );

const successOf = ({ responses, successStatus }: Operation) =>
  responses.find(({ status }) => status === successStatus)?.content;

type Members = Readonly<Record<string, unknown>>;

function* recordsIn(value: unknown): Generator<Members> {
  if (value === null || typeof value !== "object") return;
  if ("id" in value && Object.keys(value).length > 3) yield value as Members;
  for (const member of Object.values(value)) yield* recordsIn(member);
}

/** The records of a body in any representation. */
function recordsOf(body: unknown): readonly Members[] {
  const wrapped = body as Members;
  const list = Array.isArray(body) ? body : (wrapped["resources"] ?? wrapped["web_locations"]);
  return (Array.isArray(list) ? list : [list ?? body]) as readonly Members[];
}

describe.each([
  "case-management",
  "container",
  "data-protection",
  "downloads",
  "identity-protection",
])("the examples of %s", (collection) => {
  const own = operations().filter((operation) => operation.collection === collection);

  test("belong to one tenant, and records with the same id agree on permanent members", () => {
    const recordsById = new Map<unknown, Members>();
    for (const record of own.flatMap((operation) => [
      ...recordsIn(valuesIn(successOf(operation))),
    ])) {
      if ("cid" in record) expect(record["cid"]).toBe(tenant);
      const before = recordsById.get(record["id"]) ?? record;
      recordsById.set(record["id"], before);
      for (const name of lasting.filter((each) => each in before && each in record)) {
        expect([record["id"], record[name]]).toEqual([record["id"], before[name]]);
      }
    }
  });

  test("return what the create request contains", () => {
    const creations = own.filter(
      ({ summary, requestBody }) => /^(Create|Add an?) /.test(summary) && requestBody !== undefined,
    );
    for (const operation of creations) {
      const [sent] = valuesIn(operation.requestBody?.content);
      const [answered] = valuesIn(successOf(operation));
      const created = recordsOf(answered);
      for (const [index, record] of recordsOf(sent).entries()) {
        const members = Object.entries(record).filter(
          ([name]) => !shownOtherwise[operation.id]?.includes(name),
        );
        expect(created[index], operation.id).toMatchObject(Object.fromEntries(members));
      }
    }
  });
});
