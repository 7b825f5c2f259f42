import { namespaceOf } from "../cases/namespace.ts";
import { operationById, type Contract, type Operation } from "../contract.ts";
import { getRequest, removeRequest, type ResourceRecipe } from "../recipes/recipe.ts";
import { ownersIn } from "../recipes/owner.ts";
import type { Recipes } from "../recipes/recipes.ts";
import { emptyRequest, mediaTypeOf, type RequestParts } from "../requests/request.ts";

/**
 * An Arazzo 1.0.1 document: one workflow for each kind of record that can be created and removed.
 */
export interface ArazzoDocument {
  readonly arazzo: "1.0.1";
  readonly info: { readonly title: string; readonly version: string };
  readonly sourceDescriptions: readonly {
    readonly name: string;
    readonly url: string;
    readonly type: "openapi";
  }[];
  readonly workflows: readonly Workflow[];
}

interface Workflow {
  readonly workflowId: string;
  readonly summary: string;
  readonly inputs: object;
  readonly steps: readonly Step[];
}

interface Step {
  readonly stepId: string;
  readonly description: string;
  readonly operationPath: string;
  readonly parameters: readonly { in: string; name: string; value: unknown }[];
  readonly requestBody?: { readonly contentType: string; readonly payload: unknown };
  readonly successCriteria: readonly { readonly condition: string }[];
  readonly outputs?: Readonly<Record<string, string>>;
}

const tokenOperation = "oauth2AccessToken";
const recordId = "$steps.create.outputs.id";

/**
 * The stories generated from the document and the recipes; `documentUrl` is the OpenAPI document.
 */
export function storiesOf(
  contract: Contract,
  recipes: Recipes,
  { documentUrl, seed }: { readonly documentUrl: string; readonly seed: string },
): ArazzoDocument {
  return {
    arazzo: "1.0.1",
    info: { title: "The life of a record of each kind", version: "1.0.0" },
    sourceDescriptions: [{ name: "platform", url: documentUrl, type: "openapi" }],
    workflows: recipes
      .resourceNames()
      .flatMap((name) => story(contract, recipes, name, namespaceOf(seed, `story ${name}`))),
  };
}

function story(
  contract: Contract,
  recipes: Recipes,
  resource: string,
  namespace: string,
): readonly Workflow[] {
  const recipe = recipes.resource(resource);
  const { lifecycle } = recipe;
  if (lifecycle === null) return [];
  const { change } = lifecycle;
  const operation = (id: string): Operation => operationById(contract, id);
  const read = (stepId: string, description: string, criteria: readonly string[]): Step =>
    step(
      stepId,
      description,
      operation(lifecycle.get),
      getRequest(lifecycle, [recordId]),
      criteria,
    );
  const list = listOf(contract, recipes, resource);
  const [firstChange] = Object.entries(change?.changed ?? {});
  const created = { ...emptyRequest, ...lifecycle.createRequest([lifecycle.input(namespace, 0)]) };
  // A story has no owner record for the new one.
  if (ownersIn(created).length > 0) return [];
  const steps: readonly (Step | undefined)[] = [
    signIn(operation(tokenOperation)),
    {
      ...step("create", "Create a record", operation(lifecycle.create), created),
      outputs: { id: `${firstOf(operation(lifecycle.create))}/${recipe.idField}` },
    },
    read("read", "Read it by its identifier", [
      success(operation(lifecycle.get)),
      `${firstOf(operation(lifecycle.get))}/${recipe.idField} == ${recordId}`,
    ]),
    list === undefined ? undefined : find(list, recipe, lifecycle.filter(namespace)),
    change === undefined
      ? undefined
      : step("change", "Change it", operation(change.operation), {
          ...emptyRequest,
          ...change.request([{ [recipe.idField]: recordId }]),
        }),
    firstChange === undefined || typeof firstChange[1] === "object"
      ? undefined
      : read("read-change", "Read the change", [
          success(operation(lifecycle.get)),
          `${firstOf(operation(lifecycle.get))}/${firstChange[0]} == ${JSON.stringify(firstChange[1]).replaceAll('"', "'")}`,
        ]),
    ...(lifecycle.remove === undefined
      ? []
      : [
          step(
            "remove",
            "Remove it",
            operation(lifecycle.remove),
            removeRequest(lifecycle, [recordId]),
          ),
          read(
            "read-removed",
            "It is gone, or says so",
            goneCriteria(recipe, operation(lifecycle.get)),
          ),
        ]),
  ];
  return [
    {
      workflowId: resource,
      summary: `Create, read, find${lifecycle.remove === undefined ? " and change" : ", change and remove"} a record of ${resource}`,
      inputs: {
        type: "object",
        required: ["client_id", "client_secret"],
        properties: { client_id: { type: "string" }, client_secret: { type: "string" } },
      },
      steps: steps.filter((each) => each !== undefined),
    },
  ];
}

/** The first step, which needs no authorization. It obtains the token of all other steps. */
const signIn = (operation: Operation): Step => ({
  stepId: "sign-in",
  description: "Obtain an access token",
  operationPath: pathOf(operation),
  parameters: [],
  requestBody: {
    contentType: "application/x-www-form-urlencoded",
    payload: { client_id: "$inputs.client_id", client_secret: "$inputs.client_secret" },
  },
  successCriteria: [{ condition: success(operation) }],
  outputs: { token: "$response.body#/access_token" },
});

function step(
  stepId: string,
  description: string,
  operation: Operation,
  parts: RequestParts,
  criteria: readonly string[] = [success(operation)],
): Step {
  const query = Object.entries(parts.query).map(([name, value]) => ({
    in: "query",
    name,
    value: typeof value === "string" ? value : value.length === 1 ? value[0] : value,
  }));
  const contentType = mediaTypeOf(operation);
  return {
    stepId,
    description,
    operationPath: pathOf(operation),
    parameters: [
      { in: "header", name: "Authorization", value: "Bearer {$steps.sign-in.outputs.token}" },
      ...query,
    ],
    ...(parts.body === undefined || contentType === undefined
      ? {}
      : { requestBody: { contentType, payload: parts.body } }),
    successCriteria: criteria.map((condition) => ({ condition })),
  };
}

function find(operation: Operation, { idField }: ResourceRecipe, filter: string): Step {
  const first = operation.answer === "ids" ? "" : `/${idField}`;
  return step("find", "Find it in the list", operation, { ...emptyRequest, query: { filter } }, [
    success(operation),
    `$response.body#/0${first} == ${recordId}`,
  ]);
}

/** A list of the kind that takes a filter. */
const listOf = (contract: Contract, recipes: Recipes, resource: string): Operation | undefined =>
  contract.operations.find(
    (operation) =>
      operation.paging !== "none" &&
      recipes.of(operation).resource === resource &&
      operation.parameters.every(({ required }) => !required) &&
      operation.parameters.some(({ name, fql }) => name === "filter" && fql?.resource === resource),
  );

function goneCriteria({ lifecycle }: ResourceRecipe, operation: Operation): readonly string[] {
  const removed = Object.entries(lifecycle?.removed ?? {});
  if (removed.length === 0) return ["$statusCode == 404"];
  return [
    success(operation),
    ...removed.map(([name, value]) => `${firstOf(operation)}/${name} == ${JSON.stringify(value)}`),
  ];
}

const firstRecords: Partial<Record<Operation["answer"], string>> = {
  envelope: "$response.body#/resources/0",
  object: "$response.body#",
};

/** The first record of an answer. */
const firstOf = ({ answer }: Operation): string => firstRecords[answer] ?? "$response.body#/0";

/**
 * Identifiers with dots would be parsed as document names, so operations are referenced by path.
 */
const pathOf = ({ path, method }: Operation): string =>
  `{$sourceDescriptions.platform.url}#/paths/${path.replaceAll("~", "~0").replaceAll("/", "~1")}/${method}`;

const success = ({ successStatus }: Operation): string => `$statusCode == ${successStatus}`;
