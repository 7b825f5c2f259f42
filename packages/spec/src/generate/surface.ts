import type { Operation } from "../operation.ts";

/**
 * One line per operation, sorted: `METHOD path operationId status,status,… scope`; `-` for no
 * scope.
 */
export function surface(operations: readonly Operation[]): string {
  return operations
    .map(({ method, path, id, responses, scope }) =>
      [
        method.toUpperCase(),
        path,
        id,
        responses.map(({ status }) => status).join(","),
        scope ?? "-",
      ].join(" "),
    )
    .toSorted()
    .map((line) => `${line}\n`)
    .join("");
}
