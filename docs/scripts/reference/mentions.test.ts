import { operations } from "@security-platform/spec";
import { expect, test } from "vitest";
import { linkedProse, linkedProseHtml } from "./mentions.ts";
import { operationLink } from "./places.ts";

test("operations, headers and guides that a text names are links", () => {
  const text =
    "As `PostImageScanInventory` does, with `ETag` and `ids` < 5. Paging uses *one* cursor, in the Envelope.";
  expect(linkedProse(text)).toBe(
    "As [`PostImageScanInventory`](/reference/container/PostImageScanInventory) does, with [`ETag`](/reference/headers#etag)" +
      String.raw` and ${"`ids`"} &lt; 5. [Paging](/guides/paging) uses \*one\* cursor, in the [Envelope](/guides/envelope).`,
  );
  expect(linkedProseHtml("The `ETag` of\nan Envelope & more, EnvelopeMeta")).toBe(
    '<a href="/docs/reference/headers.html#etag"><code>ETag</code></a>'.replace(/^/, "The ") +
      ' of\nan <a href="/docs/guides/envelope.html">Envelope</a> &amp; more, EnvelopeMeta',
  );
  expect(linkedProse(" Wait. ")).toBe("Wait.");
});

test("every operation that a description names is a link", () => {
  const ids = operations().map(({ id }) => id);
  for (const { description } of operations()) {
    for (const id of ids.filter((each) => description.includes(`\`${each}\``))) {
      expect(linkedProse(description)).toContain(`(${operationLink(id)})`);
    }
  }
});
