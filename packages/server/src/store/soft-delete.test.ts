import { lowerFilter, parseFilter, type Fields } from "@security-platform/fql";
import { expect, test } from "vitest";
import { deletedPart } from "./soft-delete.ts";

const fields: Fields = { deleted: { type: "boolean" }, a: { type: "number" } };
const predicateOf = (text: string) => lowerFilter(parseFilter(text), fields, new Date(0));

test("a filter that names deleted:true in every branch asks for all deleted records it matches", () => {
  for (const text of ["deleted:true", "deleted:true+a:1", "(deleted:true,deleted:[true])+a:1"]) {
    const predicate = predicateOf(text);
    expect(deletedPart(predicate), text).toBe(predicate);
  }
});

test("a filter that names it in some asks for what matches through them", () => {
  expect(deletedPart(predicateOf("deleted:true,a:1"))).toEqual(predicateOf("deleted:true"));
  expect(deletedPart(predicateOf("(deleted:true,a:1)+a:2"))).toEqual({
    kind: "and",
    operands: [predicateOf("deleted:true,a:1"), predicateOf("a:2"), predicateOf("deleted:true")],
  });
});

test("any other filter asks for none", () => {
  for (const text of ["", "a:1", "deleted:false", "deleted:!false", "deleted:!true", "deleted:*"]) {
    expect(deletedPart(predicateOf(text)), text).toEqual({ kind: "nothing" });
  }
});
