import type { Contract, Operation, Schema } from "../contract.ts";
import { mediaTypeOf } from "../requests/request.ts";
import { resolveSchema } from "../schemas/resolve-schema.ts";
import type { SentPlaces } from "../target/sent-places.ts";
import type { CaseResult, Coverage, MissingResponse, OperationCoverage, Share } from "./report.ts";

/** The documented responses that the run obtained, and the parts of requests that it sent. */
export function coverageOf(
  contract: Contract,
  seen: ReadonlyMap<string, ReadonlySet<number>>,
  sent: SentPlaces,
  cases: readonly CaseResult[],
): Coverage {
  const run = new Set(cases.map(({ operation }) => operation));
  // Unimplemented operations are counted separately, not as missing answers.
  const isThere = (id: string): boolean => run.has(id) && seen.get(id)?.has(501) !== true;
  const operations = contract.operations.filter(({ id }) => isThere(id));
  const answers = operations.flatMap(({ id, responses }) =>
    responses.map(({ status }) => ({ operation: id, status })),
  );
  const missing = answers.filter(({ operation, status }) => !seen.get(operation)?.has(status));
  const byOperation = operations.map((operation) => ofOperation(contract, operation, seen, sent));
  return {
    operations: operations.length,
    covered: answers.length - missing.length,
    total: answers.length,
    missing: missing.map((answer): MissingResponse => ({
      ...answer,
      reason: reasonOf(answer, cases),
    })),
    parameters: sum(byOperation.map(({ parameters }) => parameters)),
    members: sum(byOperation.map(({ members }) => members)),
    byOperation,
  };
}

function ofOperation(
  contract: Contract,
  operation: Operation,
  seen: ReadonlyMap<string, ReadonlySet<number>>,
  sent: SentPlaces,
): OperationCoverage {
  const { id, parameters, responses } = operation;
  const names = parameters.map(({ name }) => name);
  const members = membersOf(contract, operation);
  const missingParameters = names.filter((name) => !sent.has(id, `parameter ${name}`));
  const missingMembers = members.filter((name) => !sent.has(id, `member ${name}`));
  return {
    operation: id,
    statuses: responses.map(({ status }) => ({
      status,
      obtained: seen.get(id)?.has(status) === true,
    })),
    parameters: { covered: names.length - missingParameters.length, total: names.length },
    members: { covered: members.length - missingMembers.length, total: members.length },
    missingParameters,
    missingMembers,
  };
}

/** Maximum depth of the counted members of a body: `indicators[].metadata` has two. */
const deepest = 2;

/** Members of the operation's body, by dotted path with `[]` for items. */
function membersOf(contract: Contract, operation: Operation): readonly string[] {
  const schema = operation.requestBody?.content[mediaTypeOf(operation) ?? ""]?.schema;
  return schema === undefined ? [] : [...new Set(placesIn(contract, schema, "", 0))];
}

function placesIn(contract: Contract, schema: Schema, path: string, depth: number): string[] {
  const resolved = resolveSchema(contract, schema);
  const parts = [resolved, ...choicesOf(resolved)].map((part) => resolveSchema(contract, part));
  return parts.flatMap((part) => {
    const items = part["items"] as Schema | undefined;
    const properties = (part["properties"] ?? {}) as Readonly<Record<string, Schema>>;
    return [
      ...(items === undefined ? [] : placesIn(contract, items, `${path}[]`, depth)),
      ...Object.entries(properties).flatMap(([name, inner]) => {
        const place = path === "" ? name : `${path}.${name}`;
        return depth + 1 >= deepest
          ? [place]
          : [place, ...placesIn(contract, inner, place, depth + 1)];
      }),
    ];
  });
}

const choicesOf = (schema: Schema): readonly Schema[] =>
  (schema["oneOf"] ?? schema["anyOf"] ?? []) as readonly Schema[];

const sum = (shares: readonly Share[]): Share => ({
  covered: shares.reduce((total, share) => total + share.covered, 0),
  total: shares.reduce((total, share) => total + share.total, 0),
});

/** Why a response without a case is missing. */
export const leftOut = "left out by the selection";

function reasonOf(
  { operation, status }: Omit<MissingResponse, "reason">,
  cases: readonly CaseResult[],
): string {
  const about = cases.filter((each) => each.operation === operation && each.status === status);
  const needs = new Set(about.flatMap((each) => each.needs));
  if (about.some(({ outcome }) => outcome === "failed")) return "its cases failed";
  if (needs.size > 0) return `needs ${[...needs].join(" and ")}`;
  return about.some(({ outcome }) => outcome === "not implemented")
    ? "not implemented by the target"
    : leftOut;
}
