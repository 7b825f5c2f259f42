import { operationById, type Operation } from "@security-platform/spec";

/** Where a page stands: its file under `generated/reference/`, and so its address under `/reference/`. */
export const operationPlace = ({ collection, id }: Pick<Operation, "collection" | "id">): string =>
  `${collection}/${id}`;

/** Site address of an operation's page. Throws for an id that the document does not have. */
export function operationLink(id: string): string {
  const operation = operationById(id);
  if (operation === undefined) throw new Error(`the document has no operation ${id}`);
  return `/reference/${operationPlace(operation)}`;
}

export const collectionLink = (collection: string): string => `/reference/${collection}/`;
