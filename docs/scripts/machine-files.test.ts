import { completeDocument, operationById, operations } from "@security-platform/spec";
import { expect, test } from "vitest";
import { guideMarkdown, llmsIndex, operationMarkdown } from "./machine-files.ts";
import { collectionsOf } from "./reference/index-pages.ts";

test("a guide loses its front matter and what needs a browser, and links to Markdown", () => {
  const text =
    "---\ngroup: Start\norder: 1\n---\n\n# One\n\nSee [two](/guides/two#part) and [all](/reference/).\n\n<FilterPlayground is-shared />\n\nEnd\n";
  expect(guideMarkdown(text)).toBe(
    "# One\n\nSee [two](/docs/guides/two.md#part) and [all](/reference/).\n\nEnd\n",
  );
});

test("an operation is described with its parameters, body and samples", () => {
  const { components } = completeDocument();
  const text = operationMarkdown(operationById("indicator.create.v1"), components.schemas);
  expect(text).toContain(
    "`POST /iocs/entities/indicators/v1`, operation `indicator.create.v1`, scope `ioc-management:write`",
  );
  expect(text).toMatch(/^- `indicators` \(required\), list of IndicatorInput: /m);
  expect(text).toMatch(/^- `ignore_warnings` \(query\), boolean: .* \(default `false`\)$/m);
  expect(text).toContain("```bash\ncurl ");
});

test("the index lists every guide and every operation", () => {
  const { tags } = completeDocument();
  const guides = [{ name: "one", title: "One", group: "Start", order: 1 }] as const;
  const text = llmsIndex(guides, collectionsOf(operations(), tags));
  expect(text).toContain("- [One](/docs/guides/one.md)");
  for (const { collection, id } of operations())
    expect(text).toContain(`/docs/reference/${collection}/${id}.md)`);
});
