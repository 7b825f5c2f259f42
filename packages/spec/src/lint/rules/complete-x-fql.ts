import type { Report } from "../finding.ts";
import type { Rule } from "../rule.ts";
import { inside, isObject, report, type Specification, type Spot } from "../specification.ts";
import { schemas, walk } from "../walk.ts";

/** Members with these names contain FQL. */
const named: Readonly<Record<string, string>> = { filter: "filter", q: "filter", sort: "sort" };

/**
 * Everything that contains FQL must declare its fields: the table of its resource, or the source of the
 * table.
 */
export const completeXFql: Rule = {
  name: "complete-x-fql",
  *check(specification) {
    for (const spot of parameters(specification)) {
      yield* checkNamed(spot, String(spot.value["name"]));
    }
    for (const spot of schemas(specification)) {
      const [keyword, name] = spot.pointer.slice(-2);
      if (keyword === "properties") yield* checkNamed(spot, String(name));
    }
    for (const file of specification.files.values()) {
      if (file.kind === "examples") continue;
      for (const spot of walk(file)) {
        if (spot.pointer.at(-1) === "x-fql") yield* checkUse(specification, spot);
      }
    }
  },
};

function* parameters(specification: Specification): Generator<Spot> {
  const seen = new Set<unknown>();
  for (const operation of specification.operations) {
    for (const spot of specification.parameters(operation)) {
      if (spot.value["in"] === "query" && !seen.has(spot.value)) yield spot;
      seen.add(spot.value);
    }
  }
}

function* checkNamed(spot: Spot, name: string): Generator<Report> {
  const use = named[name];
  if (use === undefined) return;
  const fql = spot.value["x-fql"];
  if (!isObject(fql)) yield report(spot, `${name} without x-fql`, `x-fql with use: ${use}`);
  else if (fql["use"] !== use) {
    yield report(inside(spot, "x-fql"), `use ${String(fql["use"])}`, `use ${use}`);
  }
}

function* checkUse(specification: Specification, spot: Spot): Generator<Report> {
  const { use, resource, of, fields } = spot.value;
  if (!["filter", "sort", "field", "aggregate"].includes(String(use))) {
    yield report(spot, `use ${String(use)}`, "use filter, sort, field or aggregate");
  }
  if (of !== undefined) {
    if (of !== "operation" && of !== "rows") {
      yield report(spot, `of ${String(of)}`, "of operation or rows");
    }
    return;
  }
  const reference = isObject(fields) ? fields["$ref"] : undefined;
  const table =
    typeof reference === "string" ? specification.target(spot.file, reference) : undefined;
  if (table?.kind !== "fql" || table.name !== resource) {
    yield report(
      spot,
      `fields of ${String(resource)} from ${table?.path ?? "no file"}`,
      `fields by reference to fql/${String(resource)}.yaml`,
    );
  }
}
