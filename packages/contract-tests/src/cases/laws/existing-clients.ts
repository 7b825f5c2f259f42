import { compatQuirks } from "@security-platform/spec";
import type { Conformance } from "../../conformance/conformance.ts";
import type { Operation, Schema } from "../../contract.ts";
import { validRequests } from "../../recipes/happy-request.ts";
import { mediaTypeOf, withQuery, type RequestParts } from "../../requests/request.ts";
import { valueAt, withValueAt } from "../../schemas/json-path.ts";
import { resolveSchema, typesOf } from "../../schemas/resolve-schema.ts";
import { isObject, sitesOf, type Site } from "../../schemas/sites.ts";
import { listOf, type Answer } from "../../target/answer.ts";
import type { Case } from "../case.ts";
import type { CaseContext } from "../case-context.ts";
import { equalValues } from "../compare.ts";
import { ListMoved } from "../../failure.ts";
import { documents, type Generator } from "../generator.ts";
import { checkEffect } from "../answers/success.ts";
import { idsOf, isPlainPage } from "../paging.ts";
import { largestLimit, pagedSubject } from "../paged-subject.ts";

/**
 * A server for existing clients accepts more than the document: null for every unset member,
 * unknown members, and enumeration values in any letter case. First pages have a total, and missing records can be
 * errors in a success.
 */
export const existingClientsLaw: Generator = (operation, sources) => {
  const { conformance, recipes } = sources;
  if (!conformance.compat || operation.scope === null) return [];
  const aCase = (title: string, run: Case["run"]): Case => ({
    operation,
    status: operation.successStatus,
    law: "compat",
    title,
    needs: [],
    run,
  });
  const requests = validRequests(conformance.contract, recipes, operation);
  const sample = { namespace: "ct00000000000000", records: [{}, {}] };
  const variants = [
    ["null for members that are not set", nullsIn],
    ["enumerations in upper case", upperCaseIn],
    [ignoring, unknownIn],
  ] as const;
  const rewritten = requests.flatMap(({ name, build }) =>
    variants
      .filter(([, rewrite]) => rewrite(conformance, operation, build(sample)) !== null)
      .map(([title, rewrite]) =>
        aCase(name === "" ? title : `${title}, ${name}`, async (context) => {
          const subject = await context.own();
          const parts = build(subject);
          const answer = await context.send(rewrite(conformance, operation, parts) ?? parts);
          context.needStatus(answer, operation.successStatus);
          if (title === ignoring) {
            const got = answer.headers["x-ignored-members"];
            const names = got?.includes(unknownMember) === true;
            context.check(answer, names, "X-Ignored-Members does not name the unknown member", {
              expected: unknownMember,
              got,
            });
          }
          await checkEffect(context, subject, answer);
        }),
      ),
  );
  return [
    ...rewritten,
    ...(isPlainPage(operation)
      ? [
          aCase("the first page has a total", async (context) => {
            const answer = await context.send(context.happy(await pagedSubject(context)));
            const { "x-total-count": total, "x-pagination-offset": offset } = answer.headers;
            context.check(answer, total !== undefined && offset === "0", "no total", {
              expected: "X-Total-Count, and X-Pagination-Offset 0",
              got: { total, offset },
            });
          }),
        ]
      : []),
    ...(isListedByOffset(operation)
      ? [aCase("the offset of each page leads to the next one", offsetsComeBack)]
      : []),
    ...(compatQuirks(operation).missing === "success" && !documents(operation, 404)
      ? [
          aCase("unknown identifiers are errors of a success", async (context) => {
            const phantom = context.phantom(context.recipe.resource ?? "", 2);
            const answer = await context.send(context.happy(phantom));
            context.needStatus(answer, operation.successStatus);
            const { errors = [] } = answer.json as {
              readonly errors?: readonly { code?: number }[];
            };
            const codes = errors.map(({ code }) => code);
            context.check(answer, codes.join() === "404,404", "not an error for each", {
              expected: [404, 404],
              got: codes,
            });
          }),
        ]
      : []),
  ];
};

/** Whether clients can send the offset of an answer back: those of every list of the platform that has one do. */
const isListedByOffset = (operation: Operation): boolean =>
  operation.paging !== "none" &&
  compatQuirks(operation).offset !== undefined &&
  operation.parameters.some(({ name }) => name === "offset");

const mostPages = 100;

/** Maximum number of attempts, because others may write to the list. */
const attempts = 3;

/** Sends the offset of each page back until it reaches the total, as clients do; each record comes once. */
async function offsetsComeBack(context: CaseContext): Promise<void> {
  const parts = context.happy(await pagedSubject(context));
  const readWhole = async (): Promise<Answer> => {
    const answer = await context.send(withQuery(parts, { limit: largestLimit(context) }));
    context.needStatus(answer, context.operation.successStatus);
    return answer;
  };
  let whole = await readWhole();
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const before = whole;
    const seen = await walkByOffset(context, parts, listOf(before).length);
    const expected = idsOf(context, before);
    if (equalValues(seen, expected)) return;
    whole = await readWhole();
    const isAtRest = equalValues(expected, idsOf(context, whole));
    if (isAtRest && context.isAlone) {
      context.check(before, false, "the pages are not the whole list", { expected, got: seen });
      return;
    }
  }
  throw new ListMoved(`others write to the list of ${context.operation.id}`);
}

/** Identifiers in the order of the pages. */
async function walkByOffset(
  context: CaseContext,
  parts: RequestParts,
  length: number,
): Promise<readonly string[]> {
  // At least two pages of a short list.
  const size = Math.max(1, Math.min(3, Math.floor(length / 2)), Math.ceil(length / 20));
  const first = withQuery(parts, { limit: String(size) });
  const seen: string[] = [];
  let next: RequestParts | null = first;
  for (let page = 0; next !== null; page += 1) {
    const answer: Answer = await context.send(next);
    context.needStatus(answer, context.operation.successStatus);
    seen.push(...idsOf(context, answer));
    const { meta } = answer.json as { meta?: { pagination?: Record<string, unknown> } };
    const { offset, total } = meta?.pagination ?? {};
    const isOver =
      compatQuirks(context.operation).offset === "cursor"
        ? offset === ""
        : !(Number(offset) < Number(total));
    next = isOver ? null : withQuery(first, { offset: String(offset) });
    context.need(answer, page < mostPages, "sending the offset back does not come to an end", {
      got: offset,
      expected: total,
    });
  }
  return seen;
}

const ignoring = "an unknown member, which is ignored";
const unknownMember = "no_such_member";

/** The request with an unknown member; null if it has no object in JSON. */
function unknownIn(
  conformance: Conformance,
  operation: Operation,
  parts: RequestParts,
): RequestParts | null {
  const site = sitesIn(conformance, operation, parts).find(
    ({ path, schema }) =>
      schema["additionalProperties"] === false && isObject(valueAt(parts.body, path)),
  );
  if (site === undefined) return null;
  return { ...parts, body: withValueAt(parts.body, [...site.path, unknownMember], "x") };
}

const sitesIn = (
  conformance: Conformance,
  operation: Operation,
  { body }: RequestParts,
): readonly Site[] => {
  const mediaType = mediaTypeOf(operation);
  const schema = operation.requestBody?.content[mediaType ?? ""]?.schema;
  const isJson = schema !== undefined && mediaType === "application/json" && body !== undefined;
  return isJson ? sitesOf(conformance, schema, body) : [];
};

/**
 * The request with null for every absent optional member that is not nullable; null if there is
 * none.
 */
function nullsIn(
  conformance: Conformance,
  operation: Operation,
  parts: RequestParts,
): RequestParts | null {
  const unset = sitesIn(conformance, operation, parts).filter(
    ({ path, schema, isOptional }) =>
      isOptional &&
      typesOf(schema).length > 0 &&
      !typesOf(schema).includes("null") &&
      isSet(parts.body, path.slice(0, -1)) &&
      valueAt(parts.body, path) === undefined,
  );
  if (unset.length === 0) return null;
  const body = unset.reduce((value, { path }) => withValueAt(value, path, null), parts.body);
  return { ...parts, body };
}

const isSet = (body: unknown, path: readonly (string | number)[]): boolean =>
  valueAt(body, path) !== undefined && valueAt(body, path) !== null;

/**
 * The request with the enumerations of its body and parameters in upper case; null if it has none.
 */
function upperCaseIn(
  conformance: Conformance,
  operation: Operation,
  parts: RequestParts,
): RequestParts | null {
  const { contract } = conformance;
  const places = sitesIn(conformance, operation, parts).filter(({ path, schema }) =>
    changesCase(schema, valueAt(parts.body, path)),
  );
  const body = places.reduce(
    (value, { path }) => withValueAt(value, path, String(valueAt(value, path)).toUpperCase()),
    parts.body,
  );
  const names = operation.parameters.filter(({ name, in: place, schema }) => {
    const isEnumeration = changesCase(resolveSchema(contract, schema), parts.query[name]);
    return place === "query" && isEnumeration;
  });
  if (places.length + names.length === 0) return null;
  const query = names.map(({ name }) => [name, String(parts.query[name]).toUpperCase()] as const);
  return { ...parts, body, query: { ...parts.query, ...Object.fromEntries(query) } };
}

/** Whether a value belongs to an enumeration in which values differ in more than case. */
function changesCase(schema: Schema, value: unknown): boolean {
  const values = (schema["enum"] ?? []) as readonly unknown[];
  if (typeof value !== "string" || !values.includes(value)) return false;
  return !values.includes(value.toUpperCase());
}
