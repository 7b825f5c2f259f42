import { describe, expect, test } from "vitest";
import { everything } from "./ast.ts";
import { parseFilter } from "./parser.ts";
import { printFilter } from "./print.ts";
import { conditionsOf, mapFilter, visitFilter } from "./visit.ts";

const filter = parseFilter("a:1+(b:2,c:3+d:4)");

describe("visitFilter", () => {
  test("enters groups before their operands, in text order", () => {
    const visited: string[] = [];
    visitFilter(filter, {
      and: ({ operands }) => visited.push(`and ${operands.length}`),
      or: ({ operands }) => visited.push(`or ${operands.length}`),
      condition: ({ property }) => visited.push(property),
    });
    expect(visited).toEqual(["and 2", "a", "or 2", "b", "and 2", "c", "d"]);
  });

  test("has nothing to visit in the empty filter", () => {
    expect(conditionsOf(everything)).toEqual([]);
    expect(conditionsOf(filter).map(({ property }) => property)).toEqual(["a", "b", "c", "d"]);
  });
});

describe("mapFilter", () => {
  test("replaces conditions and keeps the normal form", () => {
    const renamed = mapFilter(filter, (condition) => ({ ...condition, property: "x" }));
    expect(printFilter(renamed)).toBe("x:1+(x:2,x:3+x:4)");
    const widened = mapFilter(filter, (condition) =>
      condition.property === "b" ? parseFilter("p:1,q:2") : condition,
    );
    expect(widened).toEqual(parseFilter("a:1+(p:1,q:2,c:3+d:4)"));
    const dropped = mapFilter(filter, (condition) =>
      condition.property === "b" ? everything : condition,
    );
    expect(dropped).toEqual(parseFilter("a:1"));
  });
});
