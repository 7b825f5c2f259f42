import {
  identityGraphqlSchema,
  type JsonSchema,
  type Operation,
  type OperationId,
} from "@security-platform/spec";
import type {
  BodyData,
  OperationData,
  ParameterData,
} from "../.vitepress/theme/console/operation-data.ts";
import type { FilteredOperation } from "../.vitepress/theme/playground/filter-data.ts";
import { commandInfo } from "./reference/command-info.ts";
import { listOfIds } from "./reference/record-flow.ts";
import { filesIn } from "./reference/sample-input.ts";
import { referencesIn, type Components } from "./reference/schema.ts";

/** What the console needs of an operation. */
export function consoleData(operation: Operation, components: Components): OperationData {
  const { id, method, path, collection, methodName, scope } = operation;
  const parameters = operation.parameters.map(parameterData);
  const body = bodyData(operation);
  const list = listOfIds(operation);
  return {
    id,
    method,
    path,
    collection,
    methodName,
    scope,
    parameters,
    body,
    components: reachable(
      [...parameters, body].map((part) => part?.schema ?? {}),
      components,
    ),
    command: commandInfo(operation),
    ...(list !== undefined && { listOfIds: list.id }),
  };
}

function parameterData({ fql, ...parameter }: Operation["parameters"][number]): ParameterData {
  const { name, in: place, required, description, schema, example } = parameter;
  return {
    name,
    in: place,
    required,
    description,
    schema: checkable(schema),
    ...(example !== undefined && { example }),
    ...(fql?.resource !== undefined && { fields: fql.resource }),
  };
}

/** The schemas of the queries that operations take. */
const graphqlSchemas: Readonly<Partial<Record<OperationId, () => string>>> = {
  post_graphql: identityGraphqlSchema,
};

/** Throws for a second media type, because the console offers no choice. */
function bodyData({ id, requestBody }: Operation): BodyData | null {
  if (requestBody === undefined) return null;
  const [first, second] = Object.entries(requestBody.content);
  if (first === undefined) return null;
  if (second !== undefined) throw new Error(`${id}: the console supports one media type of a body`);
  const [mediaType, { schema, examples }] = first;
  const graphql = graphqlSchemas[id]?.();
  return {
    required: requestBody.required,
    mediaType,
    schema: checkable(schema),
    files: filesIn(schema),
    ...(graphql !== undefined && { graphql }),
    examples: Object.entries(examples).map(([name, { summary, value }]) => ({
      title: summary ?? name,
      value,
    })),
  };
}

/** The schemas to which others refer, directly or not. */
function reachable(schemas: readonly JsonSchema[], components: Components): Components {
  const reached = new Map<string, JsonSchema>();
  const add = (schema: JsonSchema): void => {
    for (const name of referencesIn(schema)) {
      const component = components[name];
      if (component === undefined || reached.has(name)) continue;
      reached.set(name, checkable(component));
      add(component);
    }
  };
  for (const schema of schemas) add(schema);
  return Object.fromEntries(reached);
}

/** A schema with what a check needs: pages have it as JSON. */
function checkable(schema: JsonSchema): JsonSchema {
  const entries = Object.entries(schema).filter(
    ([keyword]) => keyword === "x-normal-form" || !/^(?:x-.*|examples?)$/.test(keyword),
  );
  return Object.fromEntries(
    entries.map(([keyword, value]) => [
      keyword,
      keyword === "properties" ? mapValues(value as JsonSchema) : inner(keyword, value),
    ]),
  );
}

const mapValues = (members: JsonSchema): JsonSchema =>
  Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, checkable(member as JsonSchema)]),
  );

/** Keywords with schemas; all others have plain values. */
const schemaKeywords = new Set([
  "items",
  "additionalProperties",
  "propertyNames",
  "oneOf",
  "anyOf",
]);

function inner(keyword: string, value: unknown): unknown {
  if (!schemaKeywords.has(keyword) || typeof value !== "object") return value;
  return Array.isArray(value)
    ? value.map((each) => checkable(each as JsonSchema))
    : checkable(value as JsonSchema);
}

/** The operations whose filter needs no other input, and that count what matches. */
export const filteredOperations = (
  operations: readonly Operation[],
): readonly FilteredOperation[] =>
  operations.flatMap(({ id, summary: title, collection, tag, method, parameters, responses }) => {
    const resource = parameters.find(({ name }) => name === "filter")?.fql?.resource;
    const counts = responses.some(
      ({ status, headers }) => status === 200 && "X-Total-Count" in headers,
    );
    const needsMore = parameters.some(({ required }) => required);
    if (resource === undefined || !counts || needsMore || method !== "get") return [];
    return [{ id, title, collection, tag, resource }];
  });
