import { expect, test } from "vitest";
import { parseSort } from "./sort.ts";

test("errors in a sort name the sort, not the filter", () => {
  const fields = { uid: { type: "string", sortable: true } } as const;
  for (const text of ["uix", "uid,uid", "uid.up", "sort:", "uid,"]) {
    expect(() => parseSort(text, fields), text).toThrow(/^Invalid sort expression supplied: /);
  }
});
