import { completeDocument, operationById, operations } from "@security-platform/spec";
import { expect, test } from "vitest";
import {
  collectionMarkdown,
  llmsIndex,
  operationMarkdown,
  pageMarkdown,
  schemaMarkdown,
} from "./machine-files.ts";
import { collectionsOf } from "./reference/index-pages.ts";
import { schemaUses } from "./reference/schema-pages.ts";

test("a page loses its front matter and what needs a browser, and links to Markdown", () => {
  const text =
    '---\ngroup: Start\norder: 1\n---\n\n# One\n\nSee [two](/guides/two#part) and [all](/reference/).\n\n<FilterPlayground is-shared />\n\n<OperationConsole operation="a" />\n\nEnd\n';
  expect(pageMarkdown(text)).toBe(
    "# One\n\nSee [two](/docs/guides/two.md#part) and [all](/docs/reference/index.md).\n\nEnd\n",
  );
});

const { components } = completeDocument();

test("an operation is described with its parameters, bodies and errors", () => {
  const text = operationMarkdown(operationById("indicator.create.v1"), components.schemas, [
    { name: "indicators", title: "Indicators", group: "Collections", order: 5, subjects: [] },
  ]);
  expect(text).toContain(
    "`POST /iocs/entities/indicators/v1`, operation `indicator.create.v1`, scope `ioc-management:write`",
  );
  expect(text).toContain("Guides: [Indicators](/docs/guides/indicators.md).");
  expect(text).toMatch(/^- `indicators` \(required\), list of IndicatorInput: /m);
  expect(text).toMatch(/^ {2}- `type` \(required\), string: /m);
  expect(text).toMatch(/^- `ignore_warnings` \(query\), boolean: .* \(default `false`\)$/m);
  const response = text.slice(text.indexOf("## Response 201 Created"));
  expect(response).toMatch(/^- `expired` \(required\), boolean: /m);
  expect(text).toContain("- [409 Conflict](/docs/guides/errors.md#409): ");
});

test("the index lists every guide, operation, collection and schema", () => {
  const { tags } = completeDocument();
  const guides = [{ name: "one", title: "One", group: "Start", order: 1, subjects: [] }] as const;
  const uses = schemaUses(operations(), components.schemas);
  const text = llmsIndex(guides, collectionsOf(operations(), tags), uses);
  expect(text).toContain("- [One](/docs/guides/one.md)");
  for (const { collection, id } of operations())
    expect(text).toContain(`/docs/reference/${collection}/${id}.md)`);
  for (const { name } of collectionsOf(operations(), tags))
    expect(text).toContain(`(/docs/reference/${name}/index.md)`);
  for (const { name } of uses) expect(text).toContain(`(/docs/reference/schemas/${name}.md)`);
});

test("a collection and a schema link to the operations that they are about", () => {
  const { tags } = completeDocument();
  const [collection] = collectionsOf(operations(), tags);
  const [first] = collection?.operations ?? [];
  if (collection === undefined || first === undefined) throw new Error("there is no collection");
  const link = `(/docs/reference/${collection.name}/${first.id}.md): ${first.method.toUpperCase()} ${first.path}`;
  const guide = { name: "one", title: "One", group: "Start", order: 1, subjects: [] } as const;
  const listed = collectionMarkdown(collection, [guide]);
  expect(listed).toContain(link);
  expect(listed).toContain("Guides: [One](/docs/guides/one.md).");
  const use = schemaUses(operations(), components.schemas).find(({ name }) => name === "Indicator");
  if (use === undefined) throw new Error("there is no schema Indicator");
  const text = schemaMarkdown(use, components.schemas);
  expect(text).toMatch(/^- `value`/m);
  expect(text).toContain(
    "## Returned by\n\n- [List indicators](/docs/reference/ioc/indicator.combined.v1.md): GET /iocs/combined/indicator/v1",
  );
});
