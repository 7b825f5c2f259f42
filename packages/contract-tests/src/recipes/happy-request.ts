import type { Contract, Operation, Parameter, Schema } from "../contract.ts";
import type {
  Lifecycle,
  OperationRecipe,
  RecipeRequest,
  ResourceRecipe,
  Subject,
} from "./recipe.ts";
import type { Recipes } from "./recipes.ts";
import { resolveSchema } from "../schemas/resolve-schema.ts";
import {
  emptyRequest,
  mediaTypeOf,
  type JsonObject,
  type RequestParts,
} from "../requests/request.ts";

/**
 * A valid request of an operation for a subject. It is the recipe's request, completed from the
 * document (identifiers of the subject, a filter for its namespace, examples).
 */
export function happyRequest(
  contract: Contract,
  recipes: Recipes,
  operation: Operation,
  subject: Subject,
): RequestParts {
  const recipe = recipes.of(operation);
  const resource = recipe.resource === null ? undefined : recipes.resource(recipe.resource);
  const own = ownRequest(recipe, resource, subject);
  const query = Object.fromEntries(
    operation.parameters
      .filter((parameter) => parameter.in === "query")
      .flatMap((parameter) => queryEntry(contract, operation, parameter, resource, subject)),
  );
  const path = Object.fromEntries(
    operation.parameters
      .filter((parameter) => parameter.in === "path")
      .map((parameter) => [parameter.name, text(exampleOf(contract, parameter))]),
  );
  const body = exampleBodies(operation)[0]?.[1].value;
  return {
    ...emptyRequest,
    ...(body === undefined ? {} : { body }),
    ...own,
    path: { ...path, ...own.path },
    query: { ...query, ...own.query },
  };
}

export interface ValidRequest {
  /** Says what is special about the request; empty for the happy one. */
  readonly name: string;
  readonly build: (subject: Subject) => RequestParts;
}

/** The happy request, the other requests of the recipe, and the example bodies of the document. */
export function validRequests(
  contract: Contract,
  recipes: Recipes,
  operation: Operation,
): readonly ValidRequest[] {
  const { effect, more = {}, request, resource } = recipes.of(operation);
  const happy: ValidRequest = {
    name: "",
    build: (subject) => happyRequest(contract, recipes, operation, subject),
  };
  // The records in an example are fictional; the target need not have them.
  const invented = resource !== null && operation.responses.some(({ status }) => status === 404);
  const sendable = effect === "none" && operation.scope !== null && !invented;
  const bodies = sendable ? exampleBodies(operation) : [];
  return [
    happy,
    ...Object.entries(more).map(([name, build]) => ({
      name,
      build: (subject: Subject) => ({ ...emptyRequest, ...build(subject) }),
    })),
    // Without a body from the recipe, the happy request already uses the first example.
    ...bodies.slice(request === undefined ? 1 : 0).map(([name, { value }]) => ({
      name: `example ${name}`,
      build: (subject: Subject) => ({ ...happy.build(subject), body: value }),
    })),
  ];
}

/** The recipe's request; an operation that creates gets the kind's own request for new records. */
function ownRequest(
  recipe: OperationRecipe,
  resource: ResourceRecipe | undefined,
  subject: Subject,
): RecipeRequest {
  if (recipe.request !== undefined) return recipe.request(subject);
  const lifecycle = resource?.lifecycle;
  if (recipe.effect === "create" && lifecycle) {
    return lifecycle.createRequest(newInputs(lifecycle, subject.namespace));
  }
  if (recipe.effect === "change" && lifecycle?.change !== undefined) {
    return lifecycle.change.request(subject.records);
  }
  return {};
}

/** The records for one create request: two, if it accepts two. */
export const newInputs = (
  { atOnce = 2, input }: Lifecycle,
  namespace: string,
): readonly JsonObject[] =>
  Array.from({ length: Math.min(2, atOnce) }, (_none, index) => input(namespace, index));

function queryEntry(
  contract: Contract,
  operation: Operation,
  parameter: Parameter,
  resource: ResourceRecipe | undefined,
  subject: Subject,
): readonly (readonly [string, string | readonly string[]])[] {
  const { name, fql, required } = parameter;
  const takesIds = operation.parameters.some((other) => other.name === "ids");
  if (resource !== undefined && name === "ids") {
    return [[name, subject.records.map((record) => text(record[resource.idField]))]];
  }
  const filter = subject.filter ?? resource?.lifecycle?.filter(subject.namespace);
  if (fql?.use === "filter" && filter !== undefined && !takesIds) return [[name, filter]];
  if (!required) return [];
  const example = exampleOf(contract, parameter);
  return [[name, Array.isArray(example) ? example.map(text) : text(example)]];
}

function exampleOf(contract: Contract, { example, schema, name }: Parameter): unknown {
  const resolved: Schema = resolveSchema(contract, schema);
  const candidates = [
    example,
    resolved["default"],
    (resolved["enum"] as unknown[] | undefined)?.[0],
  ];
  const value = candidates.find((candidate) => candidate !== undefined);
  if (value === undefined) throw new Error(`the document gives no example for parameter ${name}`);
  return value;
}

const exampleBodies = (operation: Operation) =>
  Object.entries(operation.requestBody?.content[mediaTypeOf(operation) ?? ""]?.examples ?? {});

const text = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);
