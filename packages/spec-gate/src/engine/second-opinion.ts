import type { Finding } from "../change.ts";
import type { EngineFinding } from "./redocly.ts";

/** Maximum number in a list; further ones are only counted. */
const mostListed = 200;

/**
 * Changes that only the engine considers breaking, as changes without effect on the verdict. Our
 * comparison decides; the list shows where the two differ.
 */
export function secondOpinion(
  findings: readonly EngineFinding[],
  changes: readonly Finding[],
): readonly Finding[] {
  const own = changes.filter(({ verdict }) => verdict === "major");
  const places = own.flatMap(({ pointer, operations }) => [
    pointer,
    ...operations.map(operationPointer),
  ]);
  const differing = findings.filter(
    ({ verdict, pointer, path }) =>
      verdict === "major" &&
      !places.some((place) => touches(place, pointer) || touches(place, path)),
  );
  const distinct = new Map(
    differing.map((finding) => [`${finding.rule} ${finding.pointer} ${finding.message}`, finding]),
  );
  return [...distinct.values()]
    .slice(0, mostListed)
    .map(({ rule, message, pointer, path }): Finding => ({
      rule: "engine-only",
      verdict: "none",
      direction: /\/responses\//.test(path) ? "response" : "request",
      place: pointer,
      message: `redocly diff calls this major (${rule}: ${message.replace(/\.$/, "")}); no client is affected by our comparison`,
      affects: [],
      operations: [],
      pointer,
      document: "revision",
    }));
}

/** `GET /users` → `#/paths/~1users/get`. */
function operationPointer(operation: string): string {
  const [method = "", path = ""] = operation.split(" ");
  return `#/paths/${path.replaceAll("~", "~0").replaceAll("/", "~1")}/${method.toLowerCase()}`;
}

const touches = (left: string, right: string): boolean =>
  left === right || left.startsWith(`${right}/`) || right.startsWith(`${left}/`);
