import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type ApiError, errors } from "../../packages/server/src/foundation/errors.ts";

const page = readFileSync(new URL("../guides/errors.md", import.meta.url), "utf8");
const section = /^## All errors$([^]*?)^## /m.exec(page)?.[1] ?? "";
const rows = new Map(
  [...section.matchAll(/^\| \[([\w-]+)\]\(#\1\)\{#\1\} +\| \[(\d{3})\]\(#\2\)/gm)].map(
    ([, kind = "", status = ""]) => [kind, Number(status)],
  ),
);

/** The kinds of all errors: their names in the catalogue, with hyphens. */
const errorKinds = Object.keys(errors).map((name) =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
);

/** Something that has every member and is every list, for errors that read their values. */
const anything: unknown = new Proxy(() => undefined, {
  get: (_target, name) =>
    name === Symbol.toPrimitive || name === "toString"
      ? () => "1"
      : name === Symbol.iterator
        ? () => [].values()
        : name === "length"
          ? 0
          : anything,
  apply: () => [],
});

test("the guide has one anchor for each error of the server, with its status, and no other", () => {
  expect(errorKinds.length).toBeGreaterThan(50);
  expect([...rows.keys()].toSorted()).toEqual([...errorKinds].toSorted());
  const created = Object.values(errors).map((create) =>
    (create as (...values: readonly unknown[]) => ApiError)(anything, anything, anything),
  );
  expect(created.map(({ kind }) => kind)).toEqual(errorKinds);
  for (const { kind = "", status } of created)
    expect([kind, rows.get(kind)]).toEqual([kind, status]);
});

test("the guide has a row for each of their statuses", () => {
  for (const status of new Set(rows.values()))
    expect(page).toContain(`[${status}](#${status}){#${status}}`);
});

test("its anchors are unique, and none is that of a heading", () => {
  const anchors = [...page.matchAll(/\{#([\w-]+)\}/g)].map(([, anchor]) => anchor);
  const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title.toLowerCase().replaceAll(" ", "-"),
  );
  expect(new Set([...anchors, ...headings]).size).toBe(anchors.length + headings.length);
});
