import type { Rule } from "../rule.ts";
import {
  inside,
  listIn,
  objectIn,
  report,
  type OperationSpot,
  type Specification,
} from "../specification.ts";

const reference = "/shared/parameters/IdempotencyKey.yaml";

/**
 * Every POST and PATCH that may change something takes the shared `Idempotency-Key`, and so does a PUT that
 * creates a record with each call. Clients repeat all other requests freely. With the key, a success says
 * whether it is a stored one.
 */
export const idempotencyKeys: Rule = {
  name: "idempotency-keys",
  *check(specification) {
    for (const operation of specification.operations) {
      const key = listIn(operation.value, "parameters").findIndex((parameter) =>
        String(objectIn({ parameter }, "parameter")["$ref"]).endsWith(reference),
      );
      const at = inside(operation, "parameters");
      if (key === -1) {
        if (mayChange(operation)) {
          yield report(
            at,
            "no Idempotency-Key",
            "the parameter, because the operation may change something",
          );
        }
        continue;
      }
      const { method } = operation;
      if (!["post", "patch", "put"].includes(method)) {
        yield report(
          inside(at, key),
          `a ${method} with Idempotency-Key`,
          "it on POST, PATCH and PUT",
        );
      }
      for (const success of successes(specification, operation)) {
        const headers = inside(success, "headers");
        if (!specification.members(headers).has("Idempotency-Replayed")) {
          yield report(headers, "no Idempotency-Replayed", "the header beside Idempotency-Key");
        }
      }
    }
  },
};

/**
 * Whether an operation may change something, by its scope. A POST that only reads with a scope to write is an
 * exception.
 */
function mayChange({ method, value }: OperationSpot): boolean {
  if (method === "patch") return true;
  if (method === "put") return "201" in objectIn(value, "responses");
  const scopes = listIn(value, "security").flatMap((each) => listIn(each, "oauth2"));
  return method === "post" && scopes.some((scope) => !String(scope).endsWith(":read"));
}

const successes = (specification: Specification, operation: OperationSpot) =>
  specification.responses(operation).filter(({ status }) => status.startsWith("2"));
