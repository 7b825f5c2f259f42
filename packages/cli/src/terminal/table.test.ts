import { expect, test } from "vitest";
import { formatFacts, formatTable } from "./table.ts";

test("aligns columns, and shows a dash for missing values", () => {
  const rows = [
    { id: "a", parent_cid: null, tags: ["x", "y"] },
    { id: "bbbb", parent_cid: "a", tags: [] },
  ];
  expect(formatTable(["id", "parent_cid", "tags"], rows)).toBe(
    "ID    PARENT CID  TAGS\na     -           x y\nbbbb  a\n",
  );
});

test("shows the length of a long list", () => {
  expect(formatTable(["ids"], [{ ids: ["a", "b", "c", "d"] }])).toBe("IDS\n4 items\n");
});

test("shows only the header for an empty list", () => {
  expect(formatTable(["client_id", "name"], [])).toBe("CLIENT ID  NAME\n");
});

test("escapes control characters", () => {
  expect(formatTable(["comment"], [{ comment: "a\u001b[2Jb\nc" }])).toBe(
    "COMMENT\na\\u001b[2Jb\\u000ac\n",
  );
  expect(formatFacts([["name", "a\rb"]])).toBe("name  a\\u000db\n");
});

test("aligns names and values", () => {
  expect(
    formatFacts([
      ["cid", "1"],
      ["parent", null],
    ]),
  ).toBe("cid     1\nparent  -\n");
});
