import { operationById, operations, type Operation } from "@security-platform/spec";
import { hasIds, replaceIds } from "./existing-ids.ts";
import { joinBlocks, prose } from "./markdown.ts";
import { groupsOf } from "./operation-order.ts";
import { operationLink } from "./places.ts";

/** The operations on the same kind of record, in the order in which a client needs them. */
function sameRecords({ id, collection }: Operation): readonly Operation[] {
  const inCollection = operations().filter((each) => each.collection === collection);
  const group = groupsOf(inCollection).find((each) =>
    each.operations.some((member) => member.id === id),
  );
  // The last group has several kinds of records.
  return group === undefined || group.title === "More" ? [] : group.operations;
}

/** The operation that lists the identifiers which this one needs; undefined if it needs none, or there is no list. */
export function listOfIds(operation: Operation): Operation | undefined {
  if (!needsIds(operation)) return undefined;
  const lists = sameRecords(operation).filter(
    ({ answer, method, parameters }) =>
      answer === "ids" &&
      method === "get" &&
      parameters.some(({ name }) => name === "limit") &&
      !parameters.some(({ required }) => required),
  );
  return lists.findLast(({ deprecated }) => !deprecated) ?? lists.at(-1);
}

const needsIds = ({ parameters, requestBody, method }: Operation): boolean =>
  parameters.some(
    ({ name, required, in: place }) => (required || place === "path") && hasIds(name),
  ) ||
  Object.values(requestBody?.content ?? {}).some(({ examples }) =>
    Object.values(examples).some(
      ({ value }) => replaceIds(value, ["id"], { isUpdate: method === "patch" }).count > 0,
    ),
  );

/** What a client calls before and after an operation, and what else it can do with the same records. */
export function flowSection(operation: Operation): string {
  const { id, wait } = operation;
  const list = listOfIds(operation);
  const readers = operations().filter((each) => each.wait?.startedBy.includes(id));
  const others = sameRecords(operation).filter(
    (each) => each.id !== id && each.id !== list?.id && !each.deprecated,
  );
  const lines = [
    ...(list === undefined ? [] : [`Before: ${linkTo(list)} returns the identifiers.`]),
    ...(wait === undefined
      ? []
      : [`Before: ${wait.startedBy.map((each) => linkTo(operationById(each))).join(", ")}.`]),
    ...readers.map((reader) => `After: ${linkTo(reader)} returns the progress.`),
    ...(others.length === 0 ? [] : [`The same records: ${others.map(linkTo).join(", ")}.`]),
  ];
  if (lines.length === 0) return "";
  return joinBlocks(["## Before and after", lines.map((line) => `- ${line}`).join("\n")]).trimEnd();
}

const linkTo = ({ id, summary }: Operation): string => `[${prose(summary)}](${operationLink(id)})`;
