import { expect, test } from "vitest";
import { guideOf } from "./sidebar.ts";

const guide = (front: string): string => `---\n${front}\n---\n\n# A title\n`;

test("a guide has a title, a group and an order", () => {
  expect(guideOf("one", guide("group: Start\norder: 10"))).toEqual({
    name: "one",
    title: "A title",
    group: "Start",
    order: 10,
    subjects: [],
  });
  expect(guideOf("one", guide("group: Start\norder: 10\nsubjects: /a/ /b/c"))).toMatchObject({
    subjects: ["/a/", "/b/c"],
  });
});

test.each([
  ["order: 10", /guides\/one.md has no group in its front matter. Expected Start, By role/],
  ["group: Begin\norder: 10", /guides\/one.md has the group Begin/],
  ["group: Start", /guides\/one.md has no order/],
])("a guide with %j is refused", (front, message) => {
  expect(() => guideOf("one", guide(front))).toThrow(message);
});

test("a guide without a title is refused", () => {
  expect(() => guideOf("one", "---\ngroup: Start\norder: 1\n---\n")).toThrow(/has no title/);
});
