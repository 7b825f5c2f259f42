import {
  calledDocument,
  methodIndex,
  type CalledOperation,
  type MethodEntry,
} from "@security-platform/spec";

/** `listUserIdsV2` on the command line: `list-user-ids-v2`. */
export const kebabCase = (name: string): string =>
  name.replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase();

/** A collection with its methods in the order of the alphabet. */
export interface CollectionEntry {
  readonly name: string;
  /** `User Management`. */
  readonly tag: string;
  readonly methods: readonly MethodEntry[];
}

export const collections = (): readonly CollectionEntry[] =>
  [...Map.groupBy(methodIndex(), ({ collection }) => collection)]
    .map(([name, methods]) => ({
      name,
      tag: methods[0]?.tag ?? name,
      methods: methods.toSorted((one, other) => (one.methodName < other.methodName ? -1 : 1)),
    }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));

/** One line for the help of the program. */
export const collectionSummary = ({ tag, methods }: CollectionEntry): string =>
  `${tag}: ${methods.length} operations`;

/** The operation with this id, as the document describes it. */
export function operationOf(id: string): CalledOperation {
  const operation = calledDocument().operations.find((each) => each.id === id);
  if (operation === undefined) throw new RangeError(`there is no operation ${id}`);
  return operation;
}

/** `ioc list-indicators`. */
export const commandOf = ({
  collection,
  methodName,
}: Pick<MethodEntry, "collection" | "methodName">): string =>
  `${collection} ${kebabCase(methodName)}`;
