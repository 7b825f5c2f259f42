import { expect, test } from "vitest";
import { LookedUp } from "./looked-up.ts";

const table = {};
const names = ["a", "b", "c"];

test("names without a record are free, per table", async () => {
  const lookedUp = new LookedUp();
  lookedUp.ask(table, ["a", "b"], async () => new Set(["b"]));
  expect(await lookedUp.unknown(table, names)).toEqual(["b", "c"]);
  expect(await lookedUp.unknown({}, names)).toEqual(names);
});

test("a name is looked up once", async () => {
  const lookedUp = new LookedUp();
  const batches: (readonly string[])[] = [];
  const find = async (keys: readonly string[]) => {
    batches.push(keys);
    return new Set<string>();
  };
  lookedUp.ask(table, ["a", "a"], find);
  lookedUp.ask(table, ["a"], find);
  lookedUp.ask(table, ["a", "b"], find);
  expect(await lookedUp.unknown(table, names)).toEqual(["c"]);
  expect(batches).toEqual([["a"], ["b"]]);
});

test("a name that a record takes is not free, even if an earlier look-up says so", async () => {
  const lookedUp = new LookedUp();
  const first = Promise.withResolvers<ReadonlySet<string>>();
  lookedUp.ask(table, ["a", "b"], () => first.promise);
  lookedUp.take(table, ["a"]);
  lookedUp.ask(table, ["a"], async () => new Set(["a"]));
  first.resolve(new Set());
  expect(await lookedUp.unknown(table, names)).toEqual(["a", "c"]);
  lookedUp.take(table, ["b"]);
  expect(await lookedUp.unknown(table, names)).toEqual(names);
});

test("a failed look-up leaves its names unknown", async () => {
  const lookedUp = new LookedUp();
  lookedUp.ask(table, ["a"], () => Promise.reject(new Error("broken")));
  lookedUp.ask(table, ["b"], async () => new Set());
  expect(await lookedUp.unknown(table, names)).toEqual(["a", "c"]);
});
