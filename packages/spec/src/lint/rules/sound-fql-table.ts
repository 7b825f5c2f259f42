import type { Report } from "../finding.ts";
import type { Rule } from "../rule.ts";
import { inside, isObject, listIn, objectIn, report, type Spot } from "../specification.ts";

const types = ["string", "number", "boolean", "timestamp", "ip"];

/** The members of a field, and their rules. */
const members: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: (value) => types.includes(String(value)),
  array: (value) => typeof value === "boolean",
  sortable: (value) => typeof value === "boolean",
  filterable: (value) => typeof value === "boolean",
  nullable: (value) => typeof value === "boolean",
  match: (value) => value === "exact" || value === "glob",
  case: (value) => value === "sensitive" || value === "insensitive",
  values: (value) => Array.isArray(value) && value.every((each) => typeof each === "string"),
  path: (value) => typeof value === "string",
  form: (value) => value === "tenant-id",
  spellings: (value) =>
    isObject(value) && Object.values(value).every((each) => typeof each === "string"),
  derive: (value) =>
    isObject(value) &&
    (typeof value["count"] === "string" ||
      (typeof value["from"] === "string" && "otherwise" in value && "map" in value)),
  description: (value) => typeof value === "string",
};

/** Names must be valid in the language, in their canonical spelling. */
const fieldName = /^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)*$/;

/** A table determines filters, SQL, types and documentation, so no other check would find an error in it. */
export const soundFqlTable: Rule = {
  name: "sound-fql-table",
  *check(specification) {
    for (const file of specification.ofKind("fql")) {
      for (const [name, field] of Object.entries(isObject(file.value) ? file.value : {})) {
        const spot: Spot = { file, pointer: [name], value: isObject(field) ? field : {} };
        if (!fieldName.test(name)) yield report(spot, name, "a field name in lower case");
        if (!("type" in spot.value)) yield report(spot, "no type", `type, ${types.join(", ")}`);
        yield* checkMembers(spot);
        yield* checkSense(spot, name, objectIn(file.value, name));
      }
    }
  },
};

function* checkMembers(spot: Spot): Generator<Report> {
  for (const [member, value] of Object.entries(spot.value)) {
    if (members[member]?.(value) === true) continue;
    const expected = member in members ? `a value of ${member}` : Object.keys(members).join(", ");
    yield report(inside(spot, member), `${member}: ${JSON.stringify(value)}`, expected);
  }
}

function* checkSense(spot: Spot, name: string, field: Spot["value"]): Generator<Report> {
  if (field["type"] !== "string") {
    for (const member of ["case", "match", "values", "spellings", "form"].filter(
      (each) => each in field,
    )) {
      yield report(inside(spot, member), `${member} of ${String(field["type"])}`, "none");
    }
  }
  if (field["array"] === true && field["sortable"] === true) {
    yield report(inside(spot, "sortable"), "a list that sorts", "sortable: false");
  }
  if (name.endsWith(".raw") && field["case"] === "insensitive") {
    yield report(inside(spot, "case"), "a .raw field with case folding", "case: sensitive");
  }
  if (name.endsWith(".raw") && !("path" in field)) {
    yield report(spot, "a .raw field without path", "path, the field with the raw text");
  }
  const values = listIn(field, "values");
  for (const [other, value] of Object.entries(objectIn(field, "spellings"))) {
    if (!values.includes(value) || values.includes(other) || other !== other.toLowerCase()) {
      const expected = "another name of one of its values, in lower case";
      yield report(inside(spot, "spellings"), `${other}: ${String(value)}`, expected);
    }
  }
  if (new Set(listIn(field, "values")).size !== listIn(field, "values").length) {
    yield report(inside(spot, "values"), "a duplicate value", "unique values");
  }
}
