import { nearest } from "@security-platform/fql";
import { calledDocument, type CalledOperation } from "@security-platform/spec";
import { commandOf, kebabCase } from "../../calls/operations.ts";

/** Operations outside of `oauth2` that return a token. */
const tokens: ReadonlySet<string> = new Set(["GetCredentials"]);

/** Tokens are not for assistants, and an assistant has no use for files. */
const isOffered = ({ id, collection, answer, requestBody }: CalledOperation): boolean =>
  collection !== "oauth2" &&
  !tokens.has(id) &&
  answer !== "file" &&
  requestBody?.mediaType !== "multipart/form-data";

export const offeredOperations = (): readonly CalledOperation[] =>
  calledDocument().operations.filter(isOffered);

/**
 * Whether an operation changes nothing. Every operation that changes something by POST accepts an idempotency
 * key; the others only read.
 */
export const isRead = ({ method, parameters }: CalledOperation): boolean =>
  method === "get" ||
  method === "head" ||
  (method === "post" && !parameters.some(({ name }) => name === "Idempotency-Key"));

/** The operation with this id, or with this name of a command. Throws a `RangeError` that names the nearest. */
export function findOperation(name: string): CalledOperation {
  const all = offeredOperations();
  const operation = all.find((each) => namesOf(each).includes(name));
  if (operation !== undefined) return operation;
  const near = nearest(name, all.flatMap(namesOf));
  throw new RangeError(
    `there is no operation ${name}.${near === undefined ? " Find one with search_operations." : ` Did you mean ${near}?`}`,
  );
}

const namesOf = (operation: CalledOperation): readonly string[] => [
  operation.id,
  commandOf(operation),
  `${operation.collection}.${kebabCase(operation.methodName)}`,
  `${operation.collection}.${operation.methodName}`,
];
