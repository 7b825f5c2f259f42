import * as fc from "fast-check";
import { nodeDriver } from "../../server/src/store/dialects/sqlite-node/node-driver.ts";
import type { SqliteHandle, SqliteValue } from "@security-platform/server/internal";
import { expect, onTestFinished, test } from "vitest";
import { wasmDriver } from "../src/sqlite-wasm/wasm-driver.ts";
import { loadWasmLibrary } from "../src/sqlite-wasm/wasm-library.ts";

const library = await loadWasmLibrary();
const driver = wasmDriver(library);

let paths = 0;
const newPath = (): string => `/driver-test-${(paths += 1)}.db`;

function open(path = newPath()): SqliteHandle {
  const handle = driver.open(path);
  onTestFinished(() => handle.close());
  return handle;
}

/** What a statement returns or throws. */
function outcomeOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    const { message, errcode } = error as Error & { readonly errcode?: number };
    return { message, errcode };
  }
}

test("statements return and throw what they do with the SQLite of Node.js", () => {
  const [wasm, node] = [open(), nodeDriver.open(":memory:")];
  onTestFinished(() => node.close());
  const both = (work: (handle: SqliteHandle) => unknown): void => {
    expect(outcomeOf(() => work(wasm))).toEqual(outcomeOf(() => work(node)));
  };
  both((handle) =>
    handle.exec(
      "create table t (k integer primary key, v, unique (v)); insert into t values (1, 'a')",
    ),
  );
  both((handle) => handle.prepare("insert into t (v) values (?)").run(["a"]));
  both((handle) => handle.prepare("insert into t (v) values (?) returning *").all(["b"]));
  both((handle) => handle.prepare("select k, v, k as k from t order by k").all([]));
  both((handle) => handle.prepare("select k, v, k as k from t order by k").tuples([]));
  both((handle) => handle.prepare("select ?1, ?1, ?2").tuples([1, "x"]));
  both((handle) => handle.prepare("select typeof(?), typeof(?)").tuples([1, null]));
  both((handle) => handle.exec("select 1; insert into t values (1, 'c')"));
  both((handle) => handle.exec("create tabel t (v)"));
  both((handle) => handle.prepare("select nothing from t"));
  both((handle) => handle.prepare("select json_extract('{', '$.a')").all([]));
});

const value: fc.Arbitrary<SqliteValue> = fc.oneof(
  fc.constant(null),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true }),
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.constantFrom("", "\0", "a\0b", "\uFEFFa", "x".repeat(100_000), "é".repeat(30_000)),
);

test("every value returns as it was given", () => {
  const handle = open();
  const statement = handle.prepare("select ?, ? as other");
  fc.assert(
    fc.property(value, value, (first, second) => {
      const [tuple] = statement.tuples([first, second]) as SqliteValue[][];
      expect(tuple?.map(plain)).toEqual([first, second].map(plain));
      const [one] = statement.all([first, second]) as { other: SqliteValue }[];
      expect(plain(one?.other ?? null)).toEqual(plain(second));
    }),
  );
  const bytes = new Uint8Array([0, 1, 254, 255]);
  expect(statement.tuples([bytes, new Uint8Array()])).toEqual([[bytes, new Uint8Array()]]);
  expect(statement.tuples([12n, null])).toEqual([[12, null]]);
});

/** SQLite has no negative zero among its integers. */
const plain = (found: SqliteValue): SqliteValue => (found === 0 ? 0 : found);

test("many long texts return as they were given, in their rows", () => {
  const handle = open();
  handle.exec("create table t (k integer primary key, a, b)");
  const insert = handle.prepare("insert into t (a, b) values (?, ?)");
  const given = Array.from({ length: 400 }, (_, number) => [
    `${number} ${"a".repeat(number * 3)}`,
    // Some parts of the whole are ASCII, and others are not.
    number > 200 && number % 7 === 0 ? `${number} é\uFEFF${"b".repeat(number)}` : number,
  ]);
  for (const each of given) insert.run(each);
  const select = handle.prepare("select a, b from t order by k");
  expect(select.tuples([])).toEqual(given);
  expect(select.all([])).toEqual(given.map(([a, b]) => ({ a, b })));
  insert.run(["\0".repeat(300), "x".repeat(100_000)]);
  expect(select.tuples([]).at(-1)).toEqual(["\0".repeat(300), "x".repeat(100_000)]);
});

test("an integer that JavaScript cannot represent is refused, with the column", () => {
  const statement = open().prepare("select 9007199254740993 as large");
  expect(() => statement.all([])).toThrow("the integer of column large is beyond 2^53");
});

test("more values than parameters are refused, and missing ones are null", () => {
  const statement = open().prepare("select ?1");
  expect(() => statement.all([1, 2])).toThrow("the statement has 1 parameters, not 2");
  expect(statement.tuples([7])).toEqual([[7]]);
  expect(statement.tuples([])).toEqual([[null]]);
});

test("a text without a statement is refused", () => {
  expect(() => open().prepare(" -- nothing")).toThrow("there is no statement in:  -- nothing");
});

test("a statement fails with the error that a function throws, and works afterwards", () => {
  const handle = open();
  let fails = true;
  const failure = Object.assign(new Error("too slow"), { errcode: 9 });
  handle.function("tick", () => {
    if (fails) throw failure;
    return 5;
  });
  const statement = handle.prepare("select tick()");
  expect(outcomeOf(() => statement.all([]))).toEqual({ message: "too slow", errcode: 9 });
  fails = false;
  expect(statement.tuples([])).toEqual([[5]]);
  handle.exec("create table t (v); create view w as select tick() as v");
  expect(() => handle.prepare("select * from w")).toThrow("unsafe use of tick()");
});

test("a statement is prepared once, whatever values it gets", () => {
  const handle = open();
  handle.exec("create table t (c, a, v); create index t_a on t (c, a) where v is null");
  const text = "select a from t where c = ? and v is null order by a limit ?";
  const statement = handle.prepare(text);
  for (let limit = 1; limit < 10; limit += 1) statement.all(["c", limit]);
  const prepared = handle.prepare("select reprep as again, run from sqlite_stmt where sql = ?");
  expect(prepared.all([text])).toEqual([{ again: 0, run: 9 }]);
});

test("rows have the columns that a statement has after a change of the schema", () => {
  const handle = open();
  handle.exec("create table t (a); insert into t values (1)");
  const statement = handle.prepare("select * from t");
  expect(statement.all([])).toEqual([{ a: 1 }]);
  handle.exec("alter table t rename column a to b; alter table t add column c default 'x'");
  expect(statement.all([])).toEqual([{ b: 1, c: "x" }]);
  expect(statement.tuples([])).toEqual([[1, "x"]]);
  expect(statement.all([])).toEqual([{ b: 1, c: "x" }]);
});

test("readers see only committed rows during a large transaction", () => {
  const path = newPath();
  const [writer, reader] = [open(path), open(path)];
  writer.exec("pragma journal_mode = memory; pragma cache_spill = off; create table t (v)");
  const count = reader.prepare("select count(*) from t");
  writer.exec("begin immediate");
  expect(writer.inTransaction).toBe(true);
  const insert = writer.prepare("insert into t values (?)");
  for (let number = 0; number < 300; number += 1) insert.run(["x".repeat(100_000)]);
  expect(count.tuples([])).toEqual([[0]]);
  writer.exec("commit");
  expect(writer.inTransaction).toBe(false);
  expect(count.tuples([])).toEqual([[300]]);
  writer.exec("begin immediate; delete from t; rollback");
  expect(count.tuples([])).toEqual([[300]]);
});

test("a connection closes with statements that were not closed", () => {
  const handle = driver.open(newPath());
  handle.prepare("select 1").close();
  const statement = handle.prepare("select 2");
  expect(statement.tuples([])).toEqual([[2]]);
  handle.close();
});

test("a database that cannot be opened is refused", () => {
  expect(outcomeOf(() => driver.open(`/${"a".repeat(600)}.db`))).toEqual({
    message: "unable to open database file",
    errcode: 14,
  });
});
