import { schemaQuirks } from "@security-platform/spec";
import type { Conformance } from "../../conformance/conformance.ts";
import type { Operation } from "../../contract.ts";
import { getRequest, type Lifecycle, type ResourceRecipe } from "../../recipes/recipe.ts";
import {
  emptyRequest,
  mediaTypeOf,
  type JsonObject,
  type RequestParts,
} from "../../requests/request.ts";
import { valueAt, withValueAt, type JsonPath } from "../../schemas/json-path.ts";
import { typesOf } from "../../schemas/resolve-schema.ts";
import { candidates } from "../../schemas/right-values.ts";
import { sitesOf, type Site } from "../../schemas/sites.ts";
import { recordsOf, type Answer } from "../../target/answer.ts";
import type { Case } from "../case.ts";
import type { CaseContext } from "../case-context.ts";
import { changeMarks, differences, equalValues } from "../compare.ts";
import type { Generator } from "../generator.ts";

/**
 * A change of one member changes no other member. The member is set to a value, set to an empty
 * value, cleared with null if the document allows it, and omitted in the next change.
 */
export const patchLaw: Generator = (operation, { recipes, conformance }) => {
  const { resource, effect } = recipes.of(operation);
  if (resource === null || effect !== "change") return [];
  const { lifecycle } = recipes.resource(resource);
  if (lifecycle?.change?.operation !== operation.id) return [];
  return membersOf(conformance, operation, recipes.resource(resource)).map((member): Case => ({
    operation,
    status: operation.successStatus,
    law: "patch",
    title: `${member.name} set, cleared and left`,
    needs: [],
    costly: true,
    run: (context) => changeMember(context, resource, lifecycle, member),
  }));
};

interface Member {
  /** `classification_properties.rules`. */
  readonly name: string;
  readonly path: JsonPath;
  readonly values: readonly unknown[];
  readonly isNullable: boolean;
}

/** Optional members of the object for each record in an update request. */
function membersOf(
  conformance: Conformance,
  operation: Operation,
  { idField, lifecycle }: ResourceRecipe,
): readonly Member[] {
  if (lifecycle === null) return [];
  const schema = operation.requestBody?.content[mediaTypeOf(operation) ?? ""]?.schema;
  const body = requestFor(lifecycle, {}).body;
  const base = recordPath(body, Object.keys(lifecycle.change?.changed ?? {})[0] ?? "");
  if (schema === undefined || base === null) return [];
  const { fixed = [], values = {} } = lifecycle.change ?? {};
  return sitesOf(conformance, schema, body).flatMap((site): readonly Member[] => {
    const path = site.path.slice(base.length);
    const name = path.join(".");
    const isId = path.length === 1 && name === idField;
    const isInside = base.every((part, index) => site.path[index] === part);
    const isMember = path.length > 0 && path.every((part) => typeof part === "string");
    if (!isInside || !isMember || isId || fixed.includes(name) || isGroup(site)) return [];
    const memberValues = values[name] ?? candidates(conformance, site.schema);
    // Only the values of the recipe are tried; null only if the recipe has it.
    const isNullable = values[name] === undefined && typesOf(site.schema).includes("null");
    return memberValues.length === 0 ? [] : [{ name, path, values: memberValues, isNullable }];
  });
}

/** An object with declared members is changed member by member. */
const isGroup = ({ schema }: Site): boolean => schema["properties"] !== undefined;

/** The place in the body of the object with this member. */
function recordPath(value: unknown, member: string, path: JsonPath = []): JsonPath | null {
  if (value === null || typeof value !== "object") return null;
  if (!Array.isArray(value) && member in value) return path;
  for (const [name, inner] of Object.entries(value)) {
    const inside = recordPath(inner, member, [...path, Array.isArray(value) ? Number(name) : name]);
    if (inside !== null) return inside;
  }
  return null;
}

const requestFor = (lifecycle: Lifecycle, record: JsonObject): RequestParts => ({
  ...emptyRequest,
  ...lifecycle.change?.request([record]),
});

async function changeMember(
  context: CaseContext,
  resource: string,
  lifecycle: Lifecycle,
  { path, values, isNullable }: Member,
): Promise<void> {
  const subject = await context.create(resource, 1);
  const [created = {}] = subject.records;
  const newValues = [...values, ...(isNullable ? [null] : [])];
  const step = { context, resource, lifecycle };
  let record = created;
  for (const value of newValues) {
    const { answer, after } = await change(step, record, withValueAt({}, path, value));
    checkOnly(step, answer, record, after, path, value);
    record = after;
  }
  // A change of another member keeps this member.
  const marker = lifecycle.change?.changed ?? {};
  if (valueAt(marker, path) !== undefined) return;
  const { answer, after } = await change(step, record, marker);
  const [expected, got] = [valueAt(record, path), valueAt(after, path)];
  context.check(answer, equalValues(got, expected), `${path.join(".")} changed, unasked`, {
    expected,
    got,
  });
}

interface Step {
  readonly context: CaseContext;
  readonly resource: string;
  readonly lifecycle: Lifecycle;
}

/** Sends the change, and reads the record again. */
async function change(
  { context, resource, lifecycle }: Step,
  record: JsonObject,
  members: unknown,
): Promise<{ readonly answer: Answer; readonly after: JsonObject }> {
  const request = requestFor(lifecycle, record);
  const marker = lifecycle.change?.changed ?? {};
  const base = recordPath(request.body, Object.keys(marker)[0] ?? "") ?? [];
  const whole = (valueAt(request.body, base) ?? {}) as JsonObject;
  const kept = Object.fromEntries(Object.entries(whole).filter(([name]) => !(name in marker)));
  const body = withValueAt(request.body, base, { ...kept, ...(members as JsonObject) });
  const answer = await context.send({ ...request, body });
  context.needStatus(answer, context.operation.successStatus);
  const id = String(record[context.run.recipes.resource(resource).idField]);
  const read = await context.send(getRequest(lifecycle, [id]), {
    operation: context.operationById(lifecycle.get),
  });
  const [after] = recordsOf(read);
  context.need(read, after !== undefined, "a changed record cannot be read");
  return { answer, after: after ?? {} };
}

/** Members that a server for existing clients changes if they are absent. */
function membersWithDefaults({ operation, run }: CaseContext): readonly string[] {
  const { compat, contract } = run.target.conformance;
  if (!compat) return [];
  const schema = operation.requestBody?.content["application/json"]?.schema;
  const outer = namesIn(schema);
  const names = [...outer, ...outer.flatMap((name) => namesIn(contract.schemas[name]))];
  return names.flatMap((name) => Object.keys(schemaQuirks[name]?.defaults ?? {}));
}

/** The names of the schemas to which a schema refers. */
const namesIn = (schema: unknown): readonly string[] =>
  [...(JSON.stringify(schema) ?? "").matchAll(/#\/components\/schemas\/(\w+)/g)].map(
    ([, name = ""]) => name,
  );

/** The member has the new value, and all other members have their old values. */
function checkOnly(
  { context, resource, lifecycle }: Step,
  answer: Answer,
  before: JsonObject,
  after: JsonObject,
  path: JsonPath,
  value: unknown,
): void {
  const got = valueAt(after, path);
  const clears = value === null || (value === "" && lifecycle.change?.emptyClears === true);
  // A member that every record has is cleared to an empty text.
  const isEmpty = got === undefined || got === null || got === "" || equalValues(got, []);
  const isCleared = clears && isEmpty;
  const isSet = differences({ value }, { value: got }, ["value"]).length === 0;
  context.check(answer, isCleared || isSet, `${path.join(".")} was not changed`, {
    expected: value,
    got,
  });
  const { restless = [] } = context.run.recipes.resource(resource);
  const { follows = [] } = lifecycle.change ?? {};
  const defaulted = membersWithDefaults(context);
  const top = String(path[0]);
  const others = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) =>
      name !== top &&
      !changeMarks.test(name) &&
      !restless.includes(name) &&
      !follows.includes(name) &&
      !defaulted.includes(name),
  );
  for (const name of others.filter((each) => !equalValues(before[each], after[each]))) {
    context.fail(answer, `${name} changed with ${path.join(".")}`, {
      expected: before[name],
      got: after[name],
    });
  }
  if (path.length < 2) return;
  const [earlier, later] = [before[top], after[top]].map((each) => (each ?? {}) as JsonObject);
  for (const name of Object.keys({ ...earlier, ...later })) {
    const place = `${top}.${name}`;
    if (
      name === path[1] ||
      follows.includes(place) ||
      equalValues(earlier?.[name], later?.[name])
    ) {
      continue;
    }
    context.fail(answer, `${place} changed with ${path.join(".")}`, {
      expected: earlier?.[name],
      got: later?.[name],
    });
  }
}
