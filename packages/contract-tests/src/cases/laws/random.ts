import { createHash } from "node:crypto";
import * as fc from "fast-check";
import type { Operation, Schema } from "../../contract.ts";
import { mediaTypeOf, type RequestParts } from "../../requests/request.ts";
import { arbitraryOf } from "../../schemas/arbitrary.ts";
import { messagesOf, type Answer } from "../../target/answer.ts";
import type { CaseContext } from "../case-context.ts";
import type { Generator } from "../generator.ts";

/** Number of bodies that a case tries, and maximum number of requests for shrinking. */
const bodies = 25;
const mostRequests = 150;

/**
 * For any body, the response is documented and not a server error, and an invalid body is rejected
 * with 400. A failing body is shrunk to the smallest one that fails in the same way.
 */
export const randomLaw: Generator = (operation, { recipes }) => {
  const { effect, inferred } = recipes.of(operation);
  const schema = operation.requestBody?.content["application/json"]?.schema;
  const isJson = mediaTypeOf(operation) === "application/json";
  if (schema === undefined || !isJson || inferred === true || effect === "remove") return [];
  return [
    {
      operation,
      status: operation.successStatus,
      law: "random",
      title: "random bodies",
      needs: [],
      costly: true,
      // Random records could be part of lists that other cases know completely.
      alone: true,
      run: (context) => tryBodies(context, operation, schema),
    },
  ];
};

async function tryBodies(
  context: CaseContext,
  operation: Operation,
  schema: Schema,
): Promise<void> {
  const parts = context.happy(await context.refusable());
  const { contract, seed } = context.run;
  // Never a valid filter: it could select records that do not belong to the run.
  const filters = fc.constantFrom("", ":", "(((", "no_such_field:'1'", "'", "a:[");
  const valid = arbitraryOf(contract, schema, filters);
  const body = fc.oneof({ weight: 3, arbitrary: valid }, { weight: 1, arbitrary: spoilt(valid) });
  let requests = 0;
  let smallest: Failing | undefined;
  const property = fc.asyncProperty(body, async (value) => {
    requests += 1;
    // A later, larger body is irrelevant; returning true ends the search.
    if (requests > mostRequests) return;
    const problem = await problemWith(context, parts, schema, value);
    if (problem === undefined) return;
    smallest = problem;
    throw new Error(problem.message);
  });
  await fc.check(property, { seed: seedOf(`${seed} ${operation.id}`), numRuns: bodies });
  if (smallest === undefined) return;
  const { answer, message, expected, got } = smallest;
  context.fail(answer, message, { expected, got });
}

interface Failing {
  readonly answer: Answer;
  readonly message: string;
  readonly expected: string;
  readonly got: string;
}

async function problemWith(
  context: CaseContext,
  parts: RequestParts,
  schema: Schema,
  body: unknown,
): Promise<Failing | undefined> {
  const before = context.failures.length;
  const answer = await context.send({ ...parts, body });
  const got = `${answer.status} ${messagesOf(answer).join("; ") || answer.text.slice(0, 200)}`;
  const departures = context.failures.splice(before);
  const [departure] = departures;
  if (departure !== undefined) {
    context.forgetFindings();
    return { answer, message: departure.message, expected: "a documented answer", got };
  }
  if (answer.status >= 500) {
    return { answer, message: "a server error", expected: "a success or a refusal", got };
  }
  // Existing clients may send more than the document allows.
  if (context.run.target.conformance.compat || answer.status === 400) return undefined;
  if (context.run.validators.violations(schema, body).length === 0) return undefined;
  const message = "a body that the document refuses is not refused";
  return { answer, message, expected: "400", got };
}

/** The same value with random JSON at one place. */
const spoilt = (valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(valid, fc.nat(), fc.jsonValue({ maxDepth: 1 }))
    .map(([value, place, replacement]) => replaced(value, { left: place % 12 }, replacement));

function replaced(value: unknown, at: { left: number }, replacement: unknown): unknown {
  if (at.left === 0) {
    at.left -= 1;
    return replacement;
  }
  at.left -= 1;
  if (Array.isArray(value)) return value.map((item) => replaced(item, at, replacement));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, replaced(inner, at, replacement)]),
  );
}

const seedOf = (text: string): number => createHash("sha256").update(text).digest().readInt32BE();
