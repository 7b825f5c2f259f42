import type { JsonSchema, Operation } from "@security-platform/spec";
import { longFilters } from "./filters.ts";
import { isObject, largestValue, resolve } from "./values.ts";

export interface WorstRequest {
  /** What makes it costly. */
  readonly name: string;
  readonly method: string;
  /** Path and query. */
  readonly address: string;
  readonly mediaType: string | null;
  readonly body?: string;
}

const json = "application/json";

/**
 * The most costly requests of an operation that the document allows, and some that it just does not. `largest`:
 * only those with the most records.
 */
export function* worstRequests(
  operation: Operation,
  { largest = false } = {},
): Iterable<WorstRequest> {
  const method = operation.method.toUpperCase();
  const [mediaType, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [null];
  const examples = Object.values(content?.examples ?? {}).map(({ value }) => value);
  const usual =
    mediaType === json ? { mediaType, body: JSON.stringify(examples[0]) } : { mediaType: null };
  for (const [name, query] of queries(operation)) {
    yield { name, method, address: `${pathOf(operation)}${query}`, ...usual };
    if (largest) break;
  }
  if (mediaType !== json || content === undefined) return;
  const [[, query = ""] = []] = queries(operation);
  const request = (name: string, body: unknown): WorstRequest => ({
    name,
    method,
    address: `${pathOf(operation)}${query}`,
    mediaType,
    body: JSON.stringify(body),
  });
  const seen = new Set<string>();
  for (const made of bodies(operation, content.schema, examples)) {
    const next = request(...made);
    if (seen.has(next.body ?? "")) continue;
    seen.add(next.body ?? "");
    yield next;
    if (largest) break;
  }
}

const pathOf = (operation: Operation): string =>
  operation.parameters
    .filter((parameter) => parameter.in === "path")
    .reduce(
      (path, { name, example }) => path.replace(`{${name}}`, encodeURIComponent(String(example))),
      operation.path,
    );

function* queries(operation: Operation): Iterable<readonly [string, string]> {
  const parameters = operation.parameters.filter((parameter) => parameter.in === "query");
  const required = parameters.filter((parameter) => parameter.required);
  const text = (pairs: readonly (readonly [string, unknown])[]): string => {
    const query = new URLSearchParams(
      pairs.flatMap(([name, value]) =>
        [value].flat().map((each): [string, string] => [name, String(each)]),
      ),
    ).toString();
    return query === "" ? "" : `?${query}`;
  };
  const usual = required.map(({ name, example }) => [name, example] as const);
  const large = parameters.flatMap(({ name, schema, example }) => {
    const { maximum, items } = resolve(schema) as { maximum?: number; items?: JsonSchema };
    if (name === "limit" && maximum !== undefined) return [[name, maximum] as const];
    if (items === undefined) return [];
    return [
      [
        name,
        largestValue(
          schema,
          [example].flat(),
          { longTexts: false, allMembers: false },
          () => undefined,
        ),
      ] as const,
    ];
  });
  const others = usual.filter(([name]) => !large.some(([each]) => each === name));
  yield ["most records", text([...others, ...large])];
  const offset = parameters.find(({ name }) => name === "offset");
  const { maximum: farthest } = resolve(offset?.schema ?? {}) as { maximum?: number };
  const limits = large.filter(([name]) => name === "limit");
  if (farthest !== undefined) {
    yield [
      "far offset",
      text([...others, ...limits.map(([name]) => [name, 1] as const), ["offset", farthest - 1]]),
    ];
  }
  for (const { name, fql, schema } of parameters) {
    if (fql?.use === "sort" && fql.resource !== undefined) {
      const fields = Object.keys(sortable(schema));
      if (fields.length > 0) yield [`sort`, text([...others, ...limits, [name, fields[0]]])];
    }
    if (fql?.use !== "filter" || fql.resource === undefined) continue;
    const { maxLength = 8_192 } = resolve(schema) as { maxLength?: number };
    for (const [shape, filter] of Object.entries(longFilters(fql.resource, maxLength))) {
      yield [
        `${name}: ${shape}`,
        text([...others.filter(([each]) => each !== name), ...limits, [name, filter]]),
      ];
    }
  }
}

const sortable = (_schema: JsonSchema): object => ({});

function* bodies(
  operation: Operation,
  schema: JsonSchema,
  examples: readonly unknown[],
): Iterable<readonly [string, unknown]> {
  const filters = (operation.requestBody?.fql ?? []).filter(({ use }) => use === "filter");
  const table =
    filters.find(({ resource }) => resource !== undefined)?.resource ??
    operation.requestBody?.fql.find(({ resource }) => resource !== undefined)?.resource;
  for (const [index, example] of [...examples, undefined].entries()) {
    const from = example === undefined ? "all members" : `example ${index + 1}`;
    for (const longTexts of [false, true]) {
      const size = { longTexts, allMembers: example === undefined };
      const value = largestValue(schema, example, size, () => undefined);
      yield [`${from}${longTexts ? ", long texts" : ""}`, value];
      if (longTexts) continue;
      yield [`${from}, last item wrong`, withWrong(value, "last")];
      yield [`${from}, all items wrong`, withWrong(value, "all")];
    }
    if (example === undefined || table === undefined) continue;
    const shapes = Object.keys(longFilters(table, 100));
    for (const shape of shapes) {
      let used = false;
      const value = largestValue(
        schema,
        example,
        { longTexts: false, allMembers: false },
        (path, { maxLength }) => {
          const filter = filters.find(
            (fql) => fql.path === path || fql.path === path.replace(/\[\]$/, ""),
          );
          if (filter === undefined) return undefined;
          used = true;
          return longFilters(filter.resource ?? table, (maxLength as number | undefined) ?? 65_536)[
            shape
          ];
        },
      );
      if (used) yield [`${from}, filter: ${shape}`, value];
    }
  }
}

/** The longest list of the value with wrong items. */
function withWrong(value: unknown, which: "last" | "all"): unknown {
  const copy = structuredClone(value);
  let longest: unknown[] = [];
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) {
      if (part.length > longest.length) longest = part;
      part.forEach(visit);
    } else if (isObject(part)) Object.values(part).forEach(visit);
  };
  visit(copy);
  const from = which === "last" ? Math.max(0, longest.length - 1) : 0;
  for (let index = from; index < longest.length; index += 1) {
    const item = longest[index];
    longest[index] = isObject(item)
      ? { ...item, [Object.keys(item)[0] ?? "x"]: { wrong: index } }
      : { wrong: index };
  }
  return copy;
}
