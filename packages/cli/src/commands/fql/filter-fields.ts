import { nearest, type Fields } from "@security-platform/fql";
import {
  calledDocument,
  fqlTables,
  operations,
  type FqlTable,
  type Operation,
} from "@security-platform/spec";
import { InvalidArgumentError } from "commander";
import { commandOf, kebabCase } from "../../calls/operations.ts";
import { offering } from "../../options/offer.ts";

/** The fields by which an operation filters and sorts. */
export interface FilterFields {
  /** Operation id. */
  readonly id: string;
  /** The kind of record that it filters. */
  readonly resource: string;
  readonly fields: Fields;
}

/** Reads an operation that has a filter or a sort: by its id, or as `ioc.list-indicators`. */
export const readFilterFields = offering(filterFieldsOf, () =>
  calledDocument()
    .operations.filter(({ parameters }) =>
      parameters.some(({ name }) => name === "filter" || name === "sort"),
    )
    .map((operation) => commandOf(operation).replace(" ", ".")),
);

function filterFieldsOf(text: string): FilterFields {
  const all = operations();
  const operation = all.find((each) => namesOf(each).includes(text));
  if (operation === undefined) {
    const near = nearest(text, all.flatMap(namesOf));
    throw new InvalidArgumentError(
      "Expected the id of an operation, or its collection and method such as ioc.list-indicators." +
        (near === undefined ? "" : ` Did you mean ${near}?`),
    );
  }
  const resource = resourceOf(operation);
  if (resource === undefined) {
    throw new InvalidArgumentError(
      usesOf(operation).length === 0
        ? `It has neither a filter nor a sort.${others(operation, all)}`
        : `The fields of its filter depend on the request.${others(operation, all)}`,
    );
  }
  return { id: operation.id, resource, fields: tableOf(resource) };
}

/** The fields of an operation's filter; undefined if it has none, or if they depend on the request. */
export function fieldsOf(id: string): Fields | undefined {
  const operation = operations().find((each) => each.id === id);
  const resource = operation === undefined ? undefined : resourceOf(operation);
  return resource === undefined ? undefined : tableOf(resource);
}

function tableOf(resource: string): Fields {
  const tables: Readonly<Record<string, FqlTable>> = fqlTables;
  return tables[resource]?.fields ?? {};
}

const resourceOf = (operation: Operation): string | undefined =>
  usesOf(operation).find((use) => use.resource !== undefined)?.resource;

const namesOf = ({ id, collection, methodName }: Operation): readonly string[] => [
  id,
  `${collection}.${kebabCase(methodName)}`,
  `${collection}.${methodName}`,
];

const usesOf = ({ parameters, requestBody }: Operation) => [
  ...parameters.flatMap(({ fql }) => fql ?? []),
  ...(requestBody?.fql ?? []),
];

/** Operations of the same collection with fields of their own. */
function others({ collection }: Operation, all: readonly Operation[]): string {
  const names = all
    .filter((each) => each.collection === collection && usesOf(each).some((use) => use.resource))
    .map(({ methodName }) => `${collection}.${kebabCase(methodName)}`);
  return names.length === 0 ? "" : ` These have fields: ${names.join(", ")}.`;
}
