import type { SourceFile } from "./source-file.ts";
import { inside, isObject, type Spot, type Specification } from "./specification.ts";

/** Every object and list of a file, outermost first. */
export function* walk(file: SourceFile): Generator<Spot> {
  yield* walkFrom({ file, pointer: [], value: file.value as Spot["value"] });
}

function* walkFrom(spot: Spot): Generator<Spot> {
  if (spot.value === null || typeof spot.value !== "object") return;
  yield spot;
  for (const key of Object.keys(spot.value)) {
    const step = Array.isArray(spot.value) ? Number(key) : key;
    yield* walkFrom(inside(spot, step));
  }
}

/** Every reference to a file. */
export function* references(file: SourceFile): Generator<Spot & { readonly reference: string }> {
  for (const spot of walk(file)) {
    const reference = isObject(spot.value) ? spot.value["$ref"] : undefined;
    if (typeof reference === "string") yield { ...spot, reference };
  }
}

/** Every Schema Object in spec/, at any place, once and unresolved. */
export function* schemas(specification: Specification): Generator<Spot> {
  for (const file of specification.files.values()) {
    const whole: Spot = { file, pointer: [], value: file.value as Spot["value"] };
    if (file.kind === "schemas") yield* subschemas(whole);
    else if (file.kind !== "examples" && file.kind !== "fql" && file.kind !== "other") {
      for (const spot of walk(file)) {
        if (spot.pointer.at(-1) === "schema") yield* subschemas(spot);
      }
    }
  }
}

const maps = ["properties", "patternProperties", "$defs"];
const lists = ["oneOf", "anyOf", "allOf", "prefixItems"];
const singles = ["items", "additionalProperties", "propertyNames", "not", "if", "then", "else"];

/** A schema and its inline subschemas; references are not followed. */
function* subschemas(spot: Spot): Generator<Spot> {
  if (!isObject(spot.value)) return;
  yield spot;
  for (const keyword of [...maps, ...lists]) {
    const members = spot.value[keyword];
    if (members === null || typeof members !== "object") continue;
    for (const key of Object.keys(members)) {
      const step = Array.isArray(members) ? Number(key) : key;
      yield* subschemas(inside(spot, keyword, step));
    }
  }
  for (const keyword of singles) yield* subschemas(inside(spot, keyword));
}

/** The schema and everything that it contains or refers to; each once. */
export function* reachableSchemas(
  specification: Specification,
  start: Spot,
  seen: Set<unknown> = new Set(),
): Generator<Spot> {
  for (const spot of subschemas(start)) {
    const resolved = specification.resolve(spot);
    if (resolved === spot) {
      if (!seen.has(spot.value)) yield spot;
      seen.add(spot.value);
    } else if (!seen.has(resolved.value)) {
      yield* reachableSchemas(specification, resolved, seen);
    }
  }
}
