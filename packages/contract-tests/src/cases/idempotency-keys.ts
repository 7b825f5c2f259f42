import type { Operation } from "../contract.ts";

/** Whether requests of the operation may have an `Idempotency-Key`. */
export const takesKey = ({ parameters }: Operation): boolean =>
  parameters.some(({ in: place, name }) => place === "header" && name === "Idempotency-Key");

/** Whether a 409 of the operation can only mean that the first request with a key is in progress. */
export const conflictsOnlyByKey = (operation: Operation): boolean =>
  takesKey(operation) &&
  operation.responses
    .filter(({ status }) => status === 409)
    .flatMap(({ content }) => Object.values(content))
    .every(({ examples = {} }) => Object.keys(examples).join() === "request-in-progress");
