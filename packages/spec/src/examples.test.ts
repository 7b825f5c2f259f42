import { expect, test } from "vitest";
import { document, operations, type Indicator } from "./index.ts";

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

test("the examples of IOC tell of the same indicators everywhere", () => {
  const known = new Map<string, Indicator>();
  for (const record of records) {
    const { type, value, created_on, created_by, from_parent } = record;
    const seen = known.get(record.id) ?? record;
    known.set(record.id, seen);
    expect(seen).toMatchObject({ type, value, created_on, created_by, from_parent });
  }
  expect(known.size).toBeGreaterThan(3);
  const unknown = "0".repeat(64);
  const hashes = [...known.values()].map(({ value }) => value);
  const named = JSON.stringify([bodies, document().components["parameters"]]).match(
    /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g,
  );
  for (const id of named ?? []) expect([...known.keys(), unknown, ...hashes]).toContain(id);
});

test("a change keeps what it does not name, and what was created is what was sent", () => {
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
    const before = created.find(({ id }) => id === record.id);
    const named = { ...before, ...changes.indicators[index], modified_on: record.modified_on };
    const expected = Object.entries(named).filter(([, value]) => value !== null);
    expect(record).toEqual(Object.fromEntries(expected));
  }
});
