import { describe, expect, test } from "vitest";
import { fieldValues } from "./field-values.ts";

describe("fieldValues", () => {
  test.each([
    ["string", "", [""]],
    ["string", 5, []],
    ["number", 0, [0]],
    ["number", "0", []],
    ["number", Number.NaN, []],
    ["boolean", false, [false]],
    ["boolean", "false", []],
    ["timestamp", "2024-01-01T00:00:00Z", ["2024-01-01T00:00:00.000000000Z"]],
    ["timestamp", "soon", []],
    ["ip", "192.0.2.1", ["4:c0000201"]],
    ["ip", "", []],
    ["string", null, []],
    ["string", undefined, []],
    ["string", ["a"], []],
    ["string", { a: 1 }, []],
  ] as const)("of type %s read %j as %j", (type, value, values) => {
    expect(fieldValues({ x: value }, "x", { type })).toEqual(values);
  });

  test("are the valid elements of a list, or the single value of an array field", () => {
    const field = { type: "string", array: true } as const;
    expect(fieldValues({ x: ["a", null, "b", 1, "a"] }, "x", field)).toEqual(["a", "b", "a"]);
    expect(fieldValues({ x: [] }, "x", field)).toEqual([]);
    expect(fieldValues({ x: "a" }, "x", field)).toEqual(["a"]);
    expect(fieldValues({ x: ["a"] }, "x", { type: "string", array: false })).toEqual([]);
  });

  test("of a list are found in all objects of the lists on the way", () => {
    const field = { type: "string", array: true } as const;
    const record = {
      evidence: {
        alerts: [{ id: "a" }, {}, null, "x", { id: ["b", 5] }, { id: "a" }],
        steps: [{ hosts: [{ name: "one" }, { name: "two" }] }, { hosts: { name: "three" } }],
      },
    };
    expect(fieldValues(record, "evidence.alerts.id", field)).toEqual(["a", "b", "a"]);
    const path = "evidence.steps.hosts.name";
    expect(fieldValues(record, "hosts", { ...field, path })).toEqual(["one", "two", "three"]);
    expect(fieldValues(record, "evidence.alerts.id", { type: "string" })).toEqual([]);
    expect(fieldValues({}, "evidence.alerts.id", field)).toEqual([]);
    const columns = [1, ["a", "b"]] as unknown as Parameters<typeof fieldValues>[0];
    expect(fieldValues(columns, "1", field)).toEqual(["a", "b"]);
  });

  test("are read by name or by path", () => {
    const record = { meta: { name: "a", size: 1 } };
    expect(fieldValues(record, "meta.name", { type: "string" })).toEqual(["a"]);
    expect(fieldValues(record, "size", { type: "number", path: "meta.size" })).toEqual([1]);
    expect(fieldValues(record, "meta.name.raw", { type: "string" })).toEqual([]);
    expect(fieldValues({}, "meta.name", { type: "string" })).toEqual([]);
  });

  test("are never inherited", () => {
    const heir: unknown = Object.create({ x: "inherited" });
    expect(fieldValues({ heir }, "heir.x", { type: "string" })).toEqual([]);
    expect(fieldValues({ x: "constructor" }, "y", derived)).toEqual([0]);
  });

  const derived = {
    type: "number",
    derive: { from: "x", map: { low: 10, high: 70 }, otherwise: 0 },
  } as const;

  test("are derived from another value", () => {
    expect(fieldValues({ x: "high" }, "y", derived)).toEqual([70]);
    expect(fieldValues({ x: "odd" }, "y", derived)).toEqual([0]);
    expect(fieldValues({ y: 5 }, "y", derived)).toEqual([0]);
  });
});
