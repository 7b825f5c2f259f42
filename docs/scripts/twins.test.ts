/** The Markdown of each operation, its twin, says what its page says. */
import { completeDocument, operations, type Operation } from "@security-platform/spec";
import { expect, test } from "vitest";
import { operationMarkdown, schemaMarkdown } from "./machine-files.ts";
import { collectionsOf } from "./reference/index-pages.ts";
import { operationPage } from "./reference/operation-page.ts";
import { schemaPage, schemaUses } from "./reference/schema-pages.ts";
import type { Guide } from "./sidebar.ts";
import { Subjects } from "./subjects.ts";

const { components, tags } = completeDocument();
const guide: Guide = { name: "all", title: "All", group: "Start", order: 1, subjects: ["/"] };
const subjects = new Subjects([guide], collectionsOf(operations(), tags));

const pageOf = (operation: Operation): string =>
  operationPage(operation, components.schemas, subjects);
const twinOf = (operation: Operation): string =>
  operationMarkdown(operation, components.schemas, subjects.guidesAbout(operation));

/** A text without markup, so that HTML and Markdown are equal. */
const words = (text: string): string =>
  text
    .replaceAll(/<\/?(?:a|code|wbr|strong|span)\b[^>]*>/g, "")
    .replaceAll(/&(amp|lt|gt|quot);/g, (_entity, name: keyof typeof characters) => characters[name])
    .replaceAll(/[\\`]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim()
    .replace(/\.$/, "")
    .toLowerCase();

const characters = { amp: "&", lt: "<", gt: ">", quot: '"' } as const;

interface Named {
  readonly name: string;
  readonly type: string;
  readonly isMarked: boolean;
  /** How many named values it is in. */
  readonly depth: number;
  /** Description and rules. */
  readonly texts: readonly string[];
}

/** The named values of a page in their order: parameters, members, headers, fields of filters. */
function valuesOfPage(page: string): readonly Named[] {
  const values: {
    name: string;
    type: string;
    isMarked: boolean;
    depth: number;
    texts: string[];
  }[] = [];
  const open: (typeof values)[number][] = [];
  const divisions: boolean[] = [];
  const parts =
    /<div class="member" id=|<div class="(?:member-head|members)"|<\/div>|<code class="(?:member|field)-name">(.*?)<\/code>|<span class="member-type">(.*?)<\/span>|<span class="(member-required|member-deprecated)"|<p(?: class="member-rules")?>(.*?)<\/p>/g;
  for (const line of page.split("\n")) {
    if (!line.startsWith('<div class="members"')) continue;
    for (const [whole, name, type, mark, text] of line.matchAll(parts)) {
      const value = open.at(-1);
      if (whole.startsWith("<div")) {
        const isMember = whole.includes('"member"');
        divisions.push(isMember);
        if (isMember) {
          const added = { name: "", type: "", isMarked: false, depth: open.length, texts: [] };
          open.push(added);
          values.push(added);
        }
      } else if (whole === "</div>") {
        if (divisions.pop() === true) open.pop();
      } else if (value === undefined) throw new Error(`a part outside of values: ${whole}`);
      else if (name !== undefined) value.name = words(name);
      else if (type !== undefined) value.type = words(type);
      else if (mark !== undefined) value.isMarked = true;
      else if (text !== undefined) value.texts.push(words(text));
    }
    expect(divisions).toEqual([]);
  }
  return values;
}

const itemForm = /^( *)- (?:`([^`]+)`(?: \(([^)]*)\))?, |As )(.*)$/;

/** The same of a twin. */
function valuesOfTwin(twin: string) {
  const values: { name: string; line: string; depth: number; marks: string }[] = [];
  const above: { indent: number; isValue: boolean }[] = [];
  for (const line of twin.replaceAll(/^(`{3,})[^]*?^\1$/gm, "").split("\n")) {
    const [, spaces = "", name, marks = "", rest = ""] = itemForm.exec(line) ?? [];
    if (rest === "") continue;
    while ((above.at(-1)?.indent ?? -1) >= spaces.length) above.pop();
    const depth = above.filter(({ isValue }) => isValue).length;
    if (name !== undefined) values.push({ name: words(name), line: words(rest), depth, marks });
    above.push({ indent: spaces.length, isValue: name !== undefined });
  }
  return values;
}

/** Descriptions in the twin are on the line of their value, and may be followed by its rules. */
function expectSameValues(page: string, twin: string): void {
  const expected = valuesOfPage(page);
  const found = valuesOfTwin(twin);
  expect(found.map(({ depth, name }) => `${"  ".repeat(depth)}${name}`)).toEqual(
    expected.map(({ depth, name }) => `${"  ".repeat(depth)}${name}`),
  );
  for (const [index, { type, texts, isMarked }] of expected.entries()) {
    const { line = "", marks = "" } = found[index] ?? {};
    expect(line.startsWith(type), `${type}: ${line}`).toBe(true);
    for (const text of texts.filter((each) => !each.startsWith("members: see"))) {
      expect(line).toContain(text);
    }
    if (isMarked) expect(marks).toMatch(/required|deprecated/);
  }
}

test.each(operations().map((operation) => [operation.id, operation] as const))(
  "%s: the twin has the values, errors, samples and links of the page",
  (_id, operation) => {
    const page = pageOf(operation);
    const twin = twinOf(operation);
    expectSameValues(page, twin);

    const samples = [...page.matchAll(/^(`{3,})\w+ \[(.+?)\]\n([^]*?)^\1$/gm)];
    expect(samples.length).toBeGreaterThan(1);
    expect([...twin.matchAll(/^### (.+)$/gm)].map(([, title]) => title)).toEqual(
      samples.map(([, , title]) => title),
    );
    const blocks = [...page.matchAll(/^(`{3,})\w+(?: \[.+?\])?\n([^]*?)^\1$/gm)];
    for (const [, , source = ""] of blocks) expect(twin).toContain(`\n${source}`);

    const errors = [...page.matchAll(/<span class="status">(.*?)<\/span>(.*?)<\/details>/g)];
    expect(errors.length).toBeGreaterThan(0);
    for (const [, status = "", rest = ""] of errors) {
      const line = twin.split("\n").find((each) => each.startsWith(`- [${status}](`)) ?? "";
      const [cause = "", ...texts] = rest.split(/<\/?(?:p|summary)>/).filter((text) => text !== "");
      expect(words(line)).toContain(words(cause));
      for (const text of texts) {
        expect(words(line)).toContain(words(text.replace(/<a [^>]*>All causes.*$/, "")));
      }
    }

    const [, text = ""] = page.split('<div class="operation-text">');
    const links = [...text.matchAll(/\]\(\/((?:reference|guides)\/[^)#]+)[^)]*\)/g)];
    for (const [, place = ""] of links) expect(twin).toContain(`](/docs/${place}`);
  },
);

test("each schema has the values of its page", () => {
  for (const use of schemaUses(operations(), components.schemas)) {
    expectSameValues(schemaPage(use, components.schemas), schemaMarkdown(use, components.schemas));
  }
});
