import { difference } from "../difference.ts";
import { canonicalText, isObject, listOf, objectsOf, shown, type JsonObject } from "../json.ts";
import type { LoadedDocument } from "../read/loaded-document.ts";
import type { RuleId } from "../rules/rules.ts";

/** One field of an `x-fql` table, with the properties that matter to callers. */
interface Field {
  readonly type: string;
  readonly sorts: boolean;
  /** The filter operators of the field. */
  readonly operators: ReadonlySet<string>;
  readonly values: ReadonlySet<string> | undefined;
}

type Report = (rule: RuleId, message: string) => void;

/** Compares the filter language that a parameter, a member or a body takes (`x-fql`). */
export function compareFilters(
  documents: { readonly base: LoadedDocument; readonly revision: LoadedDocument },
  base: JsonObject,
  revision: JsonObject,
  words: string,
  report: Report,
): void {
  const before = tableOf(documents.base, base);
  const after = tableOf(documents.revision, revision);
  if (before === undefined && after === undefined) return;
  if (after === undefined) {
    report("filter-removed", `${words} no longer takes ${before?.use ?? "FQL"}`);
    return;
  }
  if (before === undefined) {
    report("filter-added", `${words} takes ${after.use} now`);
    return;
  }
  if (before.use !== after.use) {
    report("filter-changed", `${words} took ${before.use} and takes ${after.use} now`);
  }
  for (const [name, field] of before.fields) {
    const now = after.fields.get(name);
    if (now === undefined)
      report("filter-field-removed", `the field ${name} of ${words} was removed`);
    else compareField(name, field, now, words, report);
  }
  for (const name of after.fields.keys()) {
    if (!before.fields.has(name)) report("filter-field-added", `${words} has the field ${name}`);
  }
}

interface Table {
  readonly use: string;
  readonly fields: ReadonlyMap<string, Field>;
}

function tableOf(document: LoadedDocument, node: JsonObject): Table | undefined {
  const fql = node["x-fql"];
  if (!isObject(fql)) return undefined;
  const fields = isObject(fql["fields"]) ? document.resolve(fql["fields"]) : undefined;
  return {
    use: [fql["use"], fql["of"]].filter((each) => each !== undefined).join(" of "),
    fields: new Map(
      objectsOf(fields).map(([name, field]) => [name, fieldOf(document.resolve(field))]),
    ),
  };
}

function fieldOf(field: JsonObject): Field {
  const operators = listOf(field["operators"]).map(String);
  if (operators.length === 0 && field["filterable"] !== false) operators.push("filter");
  if (field["match"] === "glob") operators.push("*");
  if (field["array"] === true) operators.push("list");
  return {
    type: `${String(field["type"])} (${field["case"] === "insensitive" ? "any case" : "exact case"})`,
    sorts: field["sortable"] === true,
    operators: new Set(operators),
    values: Array.isArray(field["values"])
      ? new Set(listOf(field["values"]).map(canonicalText))
      : undefined,
  };
}

function compareField(
  name: string,
  before: Field,
  after: Field,
  words: string,
  report: Report,
): void {
  const of = `the field ${name} of ${words}`;
  if (before.type !== after.type) {
    report("filter-field-changed", `${of} was ${before.type} and is ${after.type} now`);
  }
  if (before.sorts !== after.sorts) {
    report(
      after.sorts ? "filter-sort-added" : "filter-sort-removed",
      `${of} ${after.sorts ? "sorts now" : "no longer sorts"}`,
    );
  }
  for (const operator of difference(before.operators, after.operators)) {
    report("filter-operator-removed", `${of} no longer takes ${operator}`);
  }
  for (const operator of difference(after.operators, before.operators)) {
    report("filter-operator-added", `${of} takes ${operator} now`);
  }
  compareValues(of, before, after, report);
}

function compareValues(of: string, before: Field, after: Field, report: Report): void {
  if (before.values === undefined && after.values !== undefined) {
    report("filter-operator-removed", `${of} takes only listed values now`);
  } else if (before.values !== undefined && after.values === undefined) {
    report("filter-operator-added", `${of} accepts any value now`);
  } else if (before.values !== undefined && after.values !== undefined) {
    for (const value of difference(before.values, after.values)) {
      report("filter-operator-removed", `${of} no longer takes the value ${shown(value)}`);
    }
    for (const value of difference(after.values, before.values)) {
      report("filter-operator-added", `${of} takes the value ${shown(value)} now`);
    }
  }
}
