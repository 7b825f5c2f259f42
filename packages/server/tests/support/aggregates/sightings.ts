/** A small, made-up kind of record with a field of every type, for tests of aggregates. */
import type { Fields } from "@security-platform/fql";
import * as fc from "fast-check";
import type { JsonObject } from "../../../src/store/index.ts";

export const sightingFields: Fields = {
  id: { type: "string", sortable: true },
  name: { type: "string", case: "insensitive" },
  kind: { type: "string" },
  level: { type: "number", sortable: true },
  score: { type: "number" },
  expired: { type: "boolean" },
  seen_at: { type: "timestamp", sortable: true },
  visits: { type: "timestamp", array: true },
  address: { type: "ip" },
  peers: { type: "ip", array: true },
  tags: { type: "string", array: true },
  "origin.host": { type: "string", filterable: false, sortable: true },
};

export const sightings: readonly JsonObject[] = [
  {
    id: "a",
    name: "Alpha",
    kind: "domain",
    level: 1,
    score: 0.5,
    expired: false,
    seen_at: "2024-03-30T22:30:00Z",
    visits: ["2024-03-01T10:00:00Z", "2024-03-01T11:00:00Z"],
    address: "10.0.0.1",
    peers: ["10.0.0.1", "2001:db8::1"],
    tags: ["red", "blue"],
    origin: { host: "one" },
  },
  {
    id: "b",
    name: "alpha",
    kind: "domain",
    level: 3,
    score: 1.5,
    expired: true,
    seen_at: "2024-03-31T00:30:00.123456789Z",
    visits: ["2024-03-01T10:00:00Z", "2024-03-03T10:00:00Z"],
    address: "2001:db8::1",
    tags: ["red"],
    origin: { host: "two" },
  },
  {
    id: "c",
    name: "beta",
    kind: "sha256",
    level: 3,
    score: null,
    expired: false,
    seen_at: "2024-03-31T21:59:59+00:00",
    visits: [],
    address: "10.0.0.1",
    tags: [],
  },
  {
    id: "d",
    kind: "ipv4",
    level: 10,
    seen_at: "2024-04-02T00:00:00Z",
    tags: ["blue", "green", "red"],
  },
  { id: "e", kind: "", expired: false },
];

const instant = fc
  .integer({ min: Date.parse("2023-10-20T00:00:00Z"), max: Date.parse("2024-11-10T00:00:00Z") })
  .map((time) => new Date(time).toISOString());
const nearChange = fc
  .integer({ min: -7_200, max: 7_200 })
  .map((seconds) => new Date(Date.parse("2024-10-27T01:00:00Z") + seconds * 1000).toISOString());
const tag = fc.constantFrom("red", "green", "blue", "Red", "a,b", "50%", "ü");

/** Integers, so that no sum depends on the order of its values. */
export const anySighting: fc.Arbitrary<JsonObject> = fc.record(
  {
    name: fc.constantFrom("Alpha", "alpha", "beta", "ΒΗΤΑ"),
    kind: fc.constantFrom("domain", "sha256", "ipv4", ""),
    level: fc.integer({ min: -3, max: 12 }),
    score: fc.integer({ min: -1_000, max: 1_000 }),
    expired: fc.boolean(),
    seen_at: fc.oneof(instant, nearChange),
    visits: fc.array(instant, { maxLength: 3 }),
    address: fc.constantFrom("10.0.0.1", "10.0.0.2", "2001:db8::1"),
    tags: fc.array(tag, { maxLength: 4 }),
  },
  { requiredKeys: [] },
);

export const anySightings = fc
  .array(anySighting, { maxLength: 60 })
  .map((records): readonly JsonObject[] =>
    records.map((record, index) => ({ id: String(index), ...record })),
  );
