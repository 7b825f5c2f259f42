/** @module-tag exhaustive */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { pausingValidator, schemaValidator } from "./schema-validator.ts";

const schema = { $ref: "#/components/schemas/ScanInventory" };
const many = 3_000;

const file = (number: number): object => ({
  Hash: "0f".repeat(32),
  LayerHash: `sha256:${"5e".repeat(32)}`,
  LayerIndex: 0,
  Path: `usr/share/doc/package-${number}`,
  Permissions: "-rw-r--r--",
  Size: number,
});
const library = (number: number): object => ({
  Name: `library-${number}`,
  Version: `2.${number}`,
  LayerIndex: 0,
});
const list = <Item>(create: (number: number) => Item): Item[] =>
  Array.from({ length: many }, (_, number) => create(number));

/** Larger than what is validated in one turn. Its members at the top are missing, or not. */
const inventory = (): Record<string, unknown> => ({
  inventory: {
    HashedFiles: list(file),
    ApplicationPackages: [
      { type: "npm", libraries: list(library) },
      { type: "pypi", libraries: list(library) },
    ],
    whiteout_files: list(String),
  },
});

/** Sets the value at a path of members and indexes. */
function change(value: object, path: readonly (string | number)[], to: unknown): void {
  let place = value as Record<string | number, unknown>;
  for (const step of path.slice(0, -1)) {
    const inner = place[step];
    if (inner === null || typeof inner !== "object") return;
    place = inner as typeof place;
  }
  place[path.at(-1) ?? ""] = to;
}

const index = fc.oneof(fc.nat(many - 1), fc.constantFrom(0, many - 1));
const path = fc.oneof(
  fc.constantFrom(["agent_uuid"], ["unknown"], ["inventory"], ["inventory", "HashedFiles"]),
  fc
    .tuple(fc.constantFrom("HashedFiles", "whiteout_files", "Packages"), index)
    .map((end) => ["inventory", ...end]),
  fc
    .tuple(index, fc.constantFrom("Hash", "Size", "LayerIndex", "unknown"))
    .map((end) => ["inventory", "HashedFiles", ...end]),
  fc
    .tuple(fc.nat(1), index, fc.constantFrom("Name", "Version", "unknown"))
    .map(([number, ...end]) => ["inventory", "ApplicationPackages", number, "libraries", ...end]),
);
const wrong = fc.constantFrom<readonly unknown[]>([null], [-1], ["x".repeat(5_000)], [[]], [{}]);

test("a value that is validated in portions has the problems of one that is not", async () => {
  const whole = schemaValidator(schema, "body");
  const inPortions = pausingValidator(schema, "body");
  const changes = fc.array(fc.tuple(path, wrong), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(changes, async (each) => {
      const value = inventory();
      // A copy, because a later change may set a member of it, even to itself.
      for (const [at, [to]] of each) change(value, at, structuredClone(to));
      const problems = inPortions(value);
      expect(await problems).toEqual(whole(value));
    }),
    { numRuns: 50 },
  );
});

const numbers = { type: "array", maxItems: 10_000, uniqueItems: true, items: { type: "integer" } };
const lists = { type: "object", properties: { numbers } };
const upTo = (count: number): unknown[] => Array.from({ length: count }, (_, number) => number);

test.each<[string, unknown[], readonly string[]]>([
  ["no problem", upTo(10_000), []],
  ["too many items", upTo(12_000), ["body.numbers"]],
  ["equal items", [...upTo(9_999), 5], ["body.numbers"]],
  ["a wrong item", [...upTo(9_999), "x"], ["body.numbers[9999]"]],
])("a list with %s is validated in portions", async (_name, items, places) => {
  const value = { numbers: items };
  const problems = pausingValidator(lists, "body")(value);
  expect(problems).toBeInstanceOf(Promise);
  expect(await problems).toEqual(schemaValidator(lists, "body")(value));
  expect((await problems).map(({ at }) => at)).toEqual(places);
});
