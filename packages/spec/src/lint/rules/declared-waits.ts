import type { Rule } from "../rule.ts";
import {
  inside,
  isObject,
  listIn,
  objectIn,
  report,
  type OperationSpot,
  type Specification,
  type Spot,
} from "../specification.ts";

const members = ["method-name", "state", "done", "failed", "reason", "started-by"];

/**
 * `x-wait` says how clients wait for work that goes on after a response. Its method name is unique in the
 * collection, its states are those of the record, and the operations that start the work exist.
 */
export const declaredWaits: Rule = {
  name: "declared-waits",
  *check(specification) {
    const ids = new Set(specification.operations.map(({ id }) => id));
    const names = new Set(
      specification.operations.map(({ file, value }) => nameIn(file, value["x-method-name"])),
    );
    for (const operation of specification.operations) {
      if (!("x-wait" in operation.value)) continue;
      const at = (...steps: readonly string[]): Spot => inside(operation, "x-wait", ...steps);
      const wait = objectIn(operation.value, "x-wait");
      for (const name of Object.keys(wait).filter((each) => !members.includes(each))) {
        yield report(at(name), `x-wait with ${name}`, members.join(", "));
      }
      const name = nameIn(operation.file, wait["method-name"]);
      if (!/\.waitFor[A-Z][A-Za-z0-9]*$/.test(name)) {
        yield report(at("method-name"), name, "a name such as waitForExport");
      }
      if (names.has(name)) yield report(at("method-name"), name, "a name that is unique");
      names.add(name);
      const states = statesOf(specification, operation, String(wait["state"]));
      if (states.length === 0) {
        yield report(at("state"), String(wait["state"]), "a member of the record with an enum");
        continue;
      }
      for (const kind of ["done", "failed"]) {
        const listed = listIn(wait, kind);
        if (listed.length === 0) yield report(at(kind), `no states ${kind}`, states.join(", "));
        for (const state of listed.filter((each) => !states.includes(each))) {
          yield report(at(kind), String(state), states.join(", "));
        }
      }
      const starters = listIn(wait, "started-by").map(String);
      if (starters.length === 0) yield report(at("started-by"), "none", "operation ids");
      for (const id of starters.filter((each) => !ids.has(each))) {
        yield report(at("started-by"), id, "the id of an operation");
      }
    }
  },
};

const nameIn = ({ collection }: Spot["file"], name: unknown): string =>
  `${collection ?? ""}.${String(name ?? "missing")}`;

/** The values of a member of the records that an operation returns. */
function statesOf(
  specification: Specification,
  operation: OperationSpot,
  member: string,
): readonly unknown[] {
  const success = specification.responses(operation).find(({ status }) => status === "200");
  if (success === undefined) return [];
  const list = inside(success, "content", "application/json", "schema");
  const record = specification.resolve(inside(specification.resolve(list), "items"));
  const schema = inside(record, "properties", member);
  return isObject(schema.value) ? listIn(specification.resolve(schema).value, "enum") : [];
}
