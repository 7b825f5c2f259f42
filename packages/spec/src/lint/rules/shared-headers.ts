import type { Rule } from "../rule.ts";
import { inside, isObject, report } from "../specification.ts";

/** Every response has these headers. */
const always = ["X-Trace-Id", "X-Content-Type-Options", "Cache-Control"];

/** Additional headers of pages, by `x-paging`. */
const ofPages: Readonly<Record<string, readonly string[]>> = {
  offset: ["Link", "X-Total-Count", "X-Pagination-Limit", "X-Pagination-Offset"],
  after: ["Link", "X-Pagination-Limit", "X-Pagination-After"],
};

/** Additional headers by status. */
const ofErrors: Readonly<Record<string, readonly string[]>> = {
  "401": ["WWW-Authenticate"],
  "429": ["Retry-After", "X-RateLimit-RetryAfter"],
  "503": ["Retry-After"],
};

/** Headers are described once, in shared/headers, under their own name. */
export const sharedHeaders: Rule = {
  name: "shared-headers",
  *check(specification) {
    const seen = new Set<unknown>();
    for (const operation of specification.operations) {
      const paging = operation.value["x-paging"];
      for (const response of specification.responses(operation)) {
        const headers = specification.members(inside(response, "headers"));
        const expected = [
          ...always,
          ...(ofErrors[response.status] ?? []),
          ...(response.status.startsWith("2") && typeof paging === "string"
            ? (ofPages[paging] ?? [])
            : []),
        ];
        if (seen.has(response.value)) continue;
        seen.add(response.value);
        for (const name of expected.filter((each) => !headers.has(each))) {
          yield report(inside(response, "headers"), `no ${name}`, `${name} among the headers`);
        }
        for (const [name, header] of headers) {
          const reference = isObject(header.value) ? header.value["$ref"] : undefined;
          const file =
            typeof reference === "string"
              ? specification.target(header.file, reference)
              : undefined;
          const own = file?.name === name || file?.name.startsWith(`${name}-`) === true;
          if (file?.kind !== "headers" || file.collection !== "shared" || !own) {
            yield report(
              header,
              `header ${name} from ${file?.path ?? "an inline description"}`,
              `a reference to shared/headers/${name}.yaml`,
            );
          }
        }
      }
    }
  },
};
