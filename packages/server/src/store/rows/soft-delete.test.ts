import { lowerFilter, parseFilter, type Fields } from "@security-platform/fql";
import { expect, test } from "vitest";
import { deletedPart } from "./soft-delete.ts";

const fields: Fields = { deleted: { type: "boolean" }, a: { type: "number" } };
const predicateOf = (text: string) => lowerFilter(parseFilter(text), fields, new Date(0));

test("a filter with deleted:true in every branch requests all deleted records that match", () => {
  for (const text of ["deleted:true", "deleted:true+a:1", "(deleted:true,deleted:[true])+a:1"]) {
    const predicate = predicateOf(text);
    expect(deletedPart(predicate), text).toBe(predicate);
  }
});

test("a filter with it in some branches requests the records that match those branches", () => {
  expect(deletedPart(predicateOf("deleted:true,a:1"))).toEqual(predicateOf("deleted:true"));
  expect(deletedPart(predicateOf("(deleted:true,a:1)+a:2"))).toEqual({
    kind: "and",
    operands: [predicateOf("deleted:true,a:1"), predicateOf("a:2"), predicateOf("deleted:true")],
  });
});

test("any other filter requests no deleted records", () => {
  for (const text of ["", "a:1", "deleted:false", "deleted:!false", "deleted:!true", "deleted:*"]) {
    expect(deletedPart(predicateOf(text)), text).toEqual({ kind: "nothing" });
  }
});
