import { operationById, type Operation } from "@security-platform/spec";

/** Place of a page: its file under `generated/reference/`, and its URL under `/reference/`. */
export const operationPlace = ({ collection, id }: Pick<Operation, "collection" | "id">): string =>
  `${collection}/${id}`;

/** URL of an operation's page. Throws for an unknown id. */
export function operationLink(id: string): string {
  const operation = operationById(id);
  if (operation === undefined) throw new Error(`unknown operation ${id}`);
  return `/reference/${operationPlace(operation)}`;
}

export const collectionLink = (collection: string): string => `/reference/${collection}/`;

/** URL of the part of the guide to errors that is about a status. */
export const errorLink = (status: number): string => `/guides/errors#${status}`;

/** URL of a schema's page. */
export const schemaLink = (name: string): string => `/reference/schemas/${name}`;
