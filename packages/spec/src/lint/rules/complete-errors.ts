import type { Rule } from "../rule.ts";
import {
  inside,
  isObject,
  objectIn,
  report,
  type OperationSpot,
  type Specification,
} from "../specification.ts";

/**
 * Every operation must document these statuses, including those of the transport, because generated clients
 * and fuzzers check responses against the operation.
 */
const always = ["400", "406", "408", "429", "431", "500", "503"];
/** Other errors come from routing, where there is no operation (info.description). */
const possible = [...always, "401", "403", "404", "409", "413", "415", "416", "422", "507"];
/** The status of a range response; a 200 contains the whole file. */
const part = "206";
/** The caller already has the file. The response has no body. */
const notModified = "304";
/** The limit of storage is reached, so nothing can be added. */
const storageFull = "507";

/**
 * The errors of an operation depend on its kind: 401 and 403 with a token, 404 if it takes ids, 409 if it
 * creates, 409 and 422 with an idempotency key, 507 if it also adds records or files, 413 and 415 with a body, 416 with
 * ranges. Operations with ranges may also document 304. Each error is a shared response with the Envelope.
 */
export const completeErrors: Rule = {
  name: "complete-errors",
  *check(specification) {
    for (const operation of specification.operations) {
      const spot = inside(operation, "responses");
      const documented = specification.members(spot);
      for (const status of requiredErrors(specification, operation)) {
        if (!documented.has(status))
          yield report(spot, `no ${status}`, `${status} among the errors`);
      }
      if (documented.has(storageFull) && !addsRecords(specification, operation)) {
        yield report(spot, storageFull, "no 507, because the operation adds no records");
      }
      const errors = [...documented].filter(
        ([status]) => !status.startsWith("2") && status !== notModified,
      );
      for (const [status, at] of errors) {
        if (!possible.includes(status)) {
          yield report(at, status, `one of ${possible.join(", ")}`);
        }
        if (!isObject(at.value) || !("$ref" in at.value)) {
          yield report(at, `an unshared ${status}`, "a reference to a response");
        }
        const content = objectIn(specification.resolve(at).value, "content");
        const schema = objectIn(objectIn(content, "application/json"), "schema")["$ref"];
        if (operation.method !== "head" && !String(schema).endsWith("/Envelope.yaml")) {
          yield report(at, `a ${status} without the Envelope`, "the Envelope");
        }
      }
      const besides = [part, notModified].filter((status) => documented.has(status));
      const successes = documented.size - errors.length - besides.length;
      if (successes !== 1) yield report(spot, `${successes} successes`, "exactly one success");
    }
  },
};

/**
 * Paths of operations by POST that only change records. A tenant whose storage is full needs them, to make room.
 */
const changing = /-actions\/|-precedence\/|\/merge\//;

const isRepeatable = (specification: Specification, operation: OperationSpot): boolean =>
  specification.parameters(operation).some(({ value }) => value["name"] === "Idempotency-Key");

const addsRecords = (specification: Specification, operation: OperationSpot): boolean =>
  (operation.method === "post" || operation.method === "put") &&
  !changing.test(operation.url) &&
  isRepeatable(specification, operation);

function requiredErrors(specification: Specification, operation: OperationSpot): readonly string[] {
  const parameters = specification.parameters(operation).map(({ value }) => value);
  const security = operation.value["security"];
  const open = Array.isArray(security) && security.every((each) => !("oauth2" in each));
  const names = parameters.some(
    (parameter) =>
      parameter["in"] === "path" || parameter["name"] === "ids" || parameter["name"] === "id",
  );
  const repeatable = isRepeatable(specification, operation);
  const basic = Array.isArray(security) && security.length > 0;
  return [
    ...always,
    ...(basic ? ["401"] : []),
    ...(open ? [] : ["403"]),
    ...(names || operation.method === "patch" ? ["404"] : []),
    ...(repeatable || (!open && "201" in objectIn(operation.value, "responses")) ? ["409"] : []),
    ...(repeatable ? ["422"] : []),
    ...(part in objectIn(operation.value, "responses") ? ["416"] : []),
    ...("requestBody" in operation.value ? ["413", "415"] : []),
    ...(addsRecords(specification, operation) ? [storageFull] : []),
  ].toSorted();
}
