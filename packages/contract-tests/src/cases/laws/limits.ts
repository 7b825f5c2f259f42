import type { Contract, Operation, Parameter } from "../../contract.ts";
import { withQuery } from "../../requests/request.ts";
import { resolveSchema, typesOf } from "../../schemas/resolve-schema.ts";
import { variants } from "../../schemas/variants.ts";
import { messagesOf } from "../../target/answer.ts";
import type { Case } from "../case.ts";
import type { Generator } from "../generator.ts";

/**
 * Values at the documented limits are accepted unchanged: the largest page is not reduced, the
 * largest offset is a page, and the maximum number of identifiers is accepted. Violations test
 * values outside the limits. A missing limit is a fault of the document.
 */
export const limitsLaw: Generator = (operation, { conformance: { contract } }) => [
  ...boundsOf(contract, operation).map((bound) =>
    inEffect(operation, "limit", bound, `limit ${bound} is taken as it is`),
  ),
  ...largestOffset(contract, operation),
  ...mostIds(contract, operation),
  ...unlimited(contract, operation),
];

/** The smallest and the largest `limit`, as texts. */
function boundsOf(contract: Contract, operation: Operation): readonly string[] {
  const limit = operation.parameters.find(({ name }) => name === "limit");
  if (limit === undefined) return [];
  const { minimum, maximum, pattern } = resolveSchema(contract, limit.schema);
  if (typeof minimum === "number" && typeof maximum === "number") {
    return [String(minimum), String(maximum)];
  }
  // A number in digits: the largest power of ten that the pattern allows.
  const digits = new RegExp(typeof pattern === "string" ? pattern : "^$", "u");
  const rounds = ["1", "10", "100", "500", "1000", "5000"].filter((text) => digits.test(text));
  return [rounds[0], rounds.at(-1)].filter((text) => text !== undefined);
}

/** A value of `limit` or `offset` that the page has in its header. */
const inEffect = (
  operation: Operation,
  name: "limit" | "offset",
  value: string,
  title: string,
): Case => ({
  operation,
  status: operation.successStatus,
  law: "limits",
  title,
  needs: [],
  run: async (context) => {
    const parts = context.happy(await context.readable());
    const answer = await context.send(withQuery(parts, { limit: "1", [name]: value }));
    context.needStatus(answer, operation.successStatus);
    const got = answer.headers[`x-pagination-${name}`];
    context.check(answer, got === value, `the ${name} in effect is another one`, {
      expected: value,
      got,
    });
  },
});

/** The page of one record at the largest `offset`. It is empty unless the list is that long. */
function largestOffset(contract: Contract, operation: Operation): readonly Case[] {
  const offset = operation.parameters.find(({ name }) => name === "offset");
  if (offset === undefined || operation.cursorParameter === "offset") return [];
  const { maximum, pattern } = resolveSchema(contract, offset.schema);
  const inDigits = new RegExp(typeof pattern === "string" ? pattern : "^$", "u");
  const largest =
    typeof maximum === "number"
      ? String(maximum)
      : ["9", "99", "999", "9999", "99999"].findLast((text) => inDigits.test(text));
  if (largest === undefined) return [];
  return [inEffect(operation, "offset", largest, `offset ${largest} is a page`)];
}

/** The maximum number of well-formed, unknown identifiers: not found, but not rejected. */
function mostIds(contract: Contract, operation: Operation): readonly Case[] {
  const ids = operation.parameters.find(({ name }) => name === "ids");
  if (ids === undefined) return [];
  const { items, maxItems } = resolveSchema(contract, ids.schema);
  const schema = resolveSchema(contract, (items ?? {}) as Parameter["schema"]);
  const most = typeof maxItems === "number" ? variants(ids.example, schema, maxItems) : [];
  if (most.length === 0) return [];
  const expected = operation.responses.some(({ status }) => status === 404)
    ? 404
    : operation.successStatus;
  return [
    {
      operation,
      status: expected,
      law: "limits",
      title: `${most.length} ids are not too many`,
      needs: [],
      run: async (context) => {
        const answer = await context.send(
          withQuery(context.happy(await context.refusable()), { ids: most }),
        );
        context.needStatus(answer, expected);
        if (expected === 404) {
          const messages = messagesOf(answer).length;
          context.check(answer, messages === most.length, "not one error for each identifier", {
            expected: most.length,
            got: messages,
          });
        }
      },
    },
  ];
}

/** Parameters that need a documented limit. */
function unlimited(contract: Contract, operation: Operation): readonly Case[] {
  return operation.parameters
    .filter((parameter) => parameter.in === "query" && !isLimited(contract, parameter))
    .map(({ name }) => ({
      operation,
      status: 400,
      law: "limits",
      title: `the document limits query.${name}`,
      needs: [],
      run: async (context) => {
        const answer = await context.send(context.happy(await context.readable()));
        context.fail(answer, `the document sets no limit for query.${name}`);
      },
    }));
}

function isLimited(contract: Contract, { name, schema }: Parameter): boolean {
  const resolved = resolveSchema(contract, schema);
  const has = (...keywords: readonly string[]): boolean =>
    keywords.some((keyword) => resolved[keyword] !== undefined);
  const types = typesOf(resolved);
  if (types.includes("array")) return has("maxItems");
  if (types.includes("integer")) return has("maximum") && has("minimum");
  return name !== "limit" || has("pattern", "enum");
}
