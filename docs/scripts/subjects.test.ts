import { completeDocument, operations } from "@security-platform/spec";
import { expect, test } from "vitest";
import { collectionsOf } from "./reference/index-pages.ts";
import { Subjects } from "./subjects.ts";

const collections = collectionsOf(operations(), completeDocument().tags);
const guide = (name: string, ...subjects: readonly string[]) =>
  ({ name, title: `About ${name}`, group: "Collections", order: 1, subjects }) as const;
const everything = [...new Set(operations().map(({ path }) => `/${path.split("/")[1]}`))];

test("a guide ends with its operations, by collection and kind of record", () => {
  const ioc = guide("ioc", "/iocs/");
  const subjects = new Subjects([ioc, guide("all", ...everything)], collections);
  const section = subjects.operationsSection(ioc);
  expect(section).toMatch(/^## Operations \{#operations-of-this-guide\}\n\nCollection \[IOC\]/);
  for (const { path, id } of operations()) {
    expect(section.includes(`/${id})`)).toBe(path.startsWith("/iocs/"));
  }
  expect(subjects.operationsSection(guide("other"))).toBe("");
});

test("an operation without a guide is refused, and a subject without operations", () => {
  expect(() => new Subjects([guide("ioc", "/iocs/")], collections)).toThrow(
    /no guide has the path \/[\w/-]+ among its subjects/,
  );
  expect(() => new Subjects([guide("all", ...everything, "/ioc5/")], collections)).toThrow(
    "guides/all.md: no path starts with /ioc5/",
  );
});
