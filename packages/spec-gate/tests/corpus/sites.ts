import { isObject, listOf, objectsOf, type Json, type JsonObject } from "../../src/json.ts";
import { at, followed, real, type Place } from "./document.ts";

/** The positions of schemas in messages. */
export type Target = "request member" | "response member" | "query parameter" | "response header";

const methods = new Set(["get", "put", "post", "delete", "patch"]);

/** Every operation's place. */
export const operations: readonly Place[] = objectsOf(real.root["paths"]).flatMap(([path, item]) =>
  Object.keys(item)
    .filter((key) => methods.has(key))
    .map((method) => ["paths", path, method]),
);

/** Places below each operation. */
export const below = (
  ...steps: readonly ((node: JsonObject) => readonly string[])[]
): readonly Place[] =>
  steps.reduce<readonly Place[]>(
    (places, step) =>
      places.flatMap((place) => {
        const node = followed(at(place));
        return isObject(node) || Array.isArray(node)
          ? step(node as JsonObject).map((key) => [...place, key])
          : [];
      }),
    operations,
  );

export const named =
  (name: string) =>
  (node: JsonObject): readonly string[] =>
    name in node ? [name] : [];
export const every = (node: JsonObject): readonly string[] => Object.keys(node);
export const success = (node: JsonObject): readonly string[] =>
  Object.keys(node).filter((status) => status.startsWith("2"));

export const parameters = (place: string): readonly Place[] =>
  below(named("parameters"), every).filter((each) => {
    const parameter = followed(at(each));
    return isObject(parameter) && parameter["in"] === place;
  });

const bodies = (direction: "request" | "response"): readonly Place[] =>
  direction === "request"
    ? below(named("requestBody"), named("content"), every, named("schema"))
    : below(named("responses"), success, named("content"), every, named("schema"));

const roots: Readonly<Record<Target, readonly Place[]>> = {
  "request member": bodies("request"),
  "response member": bodies("response"),
  "query parameter": parameters("query").map((place) => [...place, "schema"]),
  "response header": below(named("responses"), success, named("headers"), every, named("schema")),
};

export interface Site {
  readonly place: Place;
  readonly schema: JsonObject;
  /** The object that has the schema as a member, and the member's name. */
  readonly owner: JsonObject | undefined;
  readonly name: string;
}

const deepest = 4;

/** Every schema of a target, members and items included, apart from alternatives. */
function sitesOf(target: Target): readonly Site[] {
  const collected: Site[] = [];
  const visit = (
    place: Place,
    node: Json | undefined,
    owner: JsonObject | undefined,
    depth: number,
  ) => {
    const schema = followed(node);
    if (!isObject(schema) || depth > deepest) return;
    collected.push({ place, schema, owner, name: place.at(-1) ?? "" });
    for (const [name, member] of objectsOf(schema["properties"])) {
      visit([...place, "properties", name], member, schema, depth + 1);
    }
    if (isObject(schema["items"]))
      visit([...place, "items"], schema["items"], undefined, depth + 1);
  };
  for (const place of roots[target]) visit(place, at(place), undefined, 0);
  // Changing a required alternative beside the members would be another edit.
  return collected.filter(({ schema }) => listOf(schema["oneOf"]).length === 0);
}

const sitesByTarget = new Map<Target, readonly Site[]>();

export function sites(target: Target): readonly Site[] {
  const all = sitesByTarget.get(target) ?? sitesOf(target);
  sitesByTarget.set(target, all);
  return all;
}
