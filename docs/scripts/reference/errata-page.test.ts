import { document, errata, errataKinds, operations } from "@security-platform/spec";
import { expect, test } from "vitest";
import { errataPage } from "./errata-page.ts";
import { collectionsOf } from "./index-pages.ts";

const page = errataPage(errata(), collectionsOf(operations(), document().tags));

test("every departure has a row, and every kind an explanation", () => {
  const entries = Object.values(errata()).flat();
  expect(entries.length).toBeGreaterThan(200);
  const rows = page.split("\n").filter((line) => line.startsWith("| ") && line.includes("<br>"));
  expect(rows.length).toBe(entries.length);
  for (const kind of Object.keys(errataKinds)) expect(page).toContain(`| \`${kind}\` |`);
});

test("an operation links to its page, a component does not", () => {
  expect(page).toContain("[`indicator.get.v1`](/reference/ioc/indicator.get.v1)<br>");
  expect(page).toContain("| `schemas/Indicator`<br>");
});
