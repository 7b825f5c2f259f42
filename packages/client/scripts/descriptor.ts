import {
  compatQuirks,
  completeDocument,
  controlDocument,
  type Operation,
  type Parameter,
} from "@security-platform/spec";
import type { Descriptor, List } from "../src/wire/descriptor.ts";
import { bodyUses, queryUses } from "./fql-uses.ts";

type JsonSchema = Readonly<Record<string, unknown>>;
type Mutable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

/** What a call of the operation needs at run time; everything that follows from the rest is left out. */
export function descriptorOf(operation: Operation): Descriptor {
  const { id, path, scope, document } = operation;
  const method = operation.method.toUpperCase();
  const descriptor: Mutable<Descriptor> = { id, method, path };
  const answer = answerKind(operation);
  if (answer !== "list") descriptor.answer = answer;
  if (operation.parameters.some(isKey)) descriptor.keyed = true;
  const body = bodyKind(operation);
  const usual = ["POST", "PUT", "PATCH"].includes(method) ? "json" : "none";
  if (body !== usual) descriptor.body = body;
  const headers = inputParameters(operation).filter((each) => each.in === "header");
  if (headers.length > 0) descriptor.headers = headers.map(({ name }) => name);
  // The plain JSON of a server for existing clients differs for some operations.
  if (compatQuirks(operation).plain !== undefined) descriptor.envelope = true;
  // The control plane takes requests without a token.
  if (scope === null && document !== "control") descriptor.credentials = true;
  const paging = pagingOf(operation);
  if (paging !== undefined) descriptor.paging = paging;
  const list = listOf(operation);
  if (list !== undefined) descriptor.list = list;
  const fql = fqlMembers(operation);
  if (fql.length > 0) descriptor.fql = fql;
  return descriptor;
}

/** The client sets this header itself. */
const isKey = ({ name }: Parameter): boolean => name === "Idempotency-Key";

/** The parameters that callers pass. */
export const inputParameters = ({ parameters }: Operation): readonly Parameter[] =>
  parameters.filter((each) => !isKey(each));

function answerKind({ answer, responses, successStatus, id }: Operation) {
  const success = responses.find(({ status }) => status === successStatus);
  const [media] = Object.entries(success?.content ?? {});
  if (media === undefined) return "none";
  const [mediaType, { schema }] = media;
  if (mediaType !== "application/json") return "file";
  if (answer === "envelope") return "envelope";
  const { type } = resolve(schema);
  if (type === "array") return "list";
  if (type === "object") return "object";
  throw new Error(`${id} returns neither a list nor an object`);
}

const bodyKinds: Readonly<Record<string, "json" | "form" | "parts">> = {
  "application/json": "json",
  "application/x-www-form-urlencoded": "form",
  "multipart/form-data": "parts",
};

function bodyKind({ id, requestBody }: Operation): "json" | "form" | "parts" | "none" {
  const [mediaType] = Object.keys(requestBody?.content ?? {});
  if (mediaType === undefined) return "none";
  const kind = bodyKinds[mediaType];
  if (kind === undefined) throw new Error(`${id}: the client cannot send ${mediaType}`);
  return kind;
}

/** The members of the body that may be trees or lists of sort keys. Parameters are known by their names. */
function fqlMembers(operation: Operation): readonly string[] {
  for (const [name, { use }] of Object.entries(queryUses(operation))) {
    if (name !== use) throw new Error(`${operation.id}: the ${use} ${name} must be named ${use}`);
  }
  return Object.entries(bodyUses(operation)).flatMap(([name, { use }]) => {
    if ((use === "sort") !== (name === "sort")) {
      throw new Error(`${operation.id}: ${name} is a ${use}; only sort orders are named sort`);
    }
    return use === "field" ? [] : [name];
  });
}

function pagingOf({ paging, parameters, cursorParameter }: Operation): Descriptor["paging"] {
  if (paging === "none") return undefined;
  const maximum = (name: string): number | undefined => {
    const value = parameters.find((each) => each.name === name)?.schema["maximum"];
    return typeof value === "number" ? value : undefined;
  };
  const window = cursorParameter === "offset" ? undefined : maximum("offset");
  return {
    // A limit that is text has a maximum of 100.
    limit: maximum("limit") ?? 100,
    ...(cursorParameter === undefined ? {} : { cursor: cursorParameter }),
    // The last position of a page is also the last one that any page may contain.
    ...(window === undefined ? {} : { window: window + 1 }),
  };
}

/** The list of an operation that takes one: ids to read or to delete, or records to write. */
const listOf = (operation: Operation): List | undefined =>
  idsToRead(operation) ?? idsToDelete(operation) ?? recordsToWrite(operation);

/** The list of ids of an operation that reads records by id. */
export function idsToRead(operation: Operation): List | undefined {
  const { answer, parameters, requestBody, scope, method, methodName } = operation;
  if (answer !== "records" || operation.paging !== "none" || !methodName.startsWith("get")) {
    return undefined;
  }
  if (method === "get") {
    const list = listParameter(operation);
    const others = parameters.some(({ required, name }) => required && name !== list?.[0]);
    return others ? undefined : list;
  }
  if (scope?.endsWith(":read") !== true) return undefined;
  const properties = resolve(requestBody?.content["application/json"]?.schema ?? {})["properties"];
  const members = Object.entries((properties ?? {}) as Readonly<Record<string, JsonSchema>>);
  const [member] = members;
  if (member === undefined || members.length > 1) return undefined;
  const [name, schema] = member;
  if (resolve(schema)["type"] !== "array") return undefined;
  return [name, maximumItems(operation, resolve(schema)), "body"];
}

/** The only list among the parameters. */
function listParameter(operation: Operation): List | undefined {
  const [list, ...others] = operation.parameters.filter(({ schema }) => schema["type"] === "array");
  if (list === undefined || others.length > 0) return undefined;
  return [list.name, maximumItems(operation, list.schema)];
}

/** The list of what an operation deletes. */
export const idsToDelete = (operation: Operation): List | undefined =>
  operation.method === "delete" ? listParameter(operation) : undefined;

/** The list of records in the body of an operation that writes or removes several and needs nothing else. */
function recordsToWrite(operation: Operation): List | undefined {
  if (operation.answer !== "records" || !/^(create|update|add|remove)/.test(operation.methodName)) {
    return undefined;
  }
  const body = resolve(operation.requestBody?.content["application/json"]?.schema ?? {});
  // A body with alternatives may be such a list in one of them.
  const forms = [body, ...((body["oneOf"] ?? []) as readonly JsonSchema[])];
  for (const form of forms) {
    const [name, ...others] = (form["required"] ?? []) as readonly string[];
    if (name === undefined || others.length > 0) continue;
    const list = resolve((body["properties"] as Readonly<Record<string, JsonSchema>>)[name] ?? {});
    if (list["type"] !== "array" || resolve(list["items"] as JsonSchema)["type"] !== "object") {
      continue;
    }
    return [name, maximumItems(operation, list), "body"];
  }
  return undefined;
}

function maximumItems({ id }: Operation, schema: JsonSchema): number {
  const maximum = schema["maxItems"];
  if (typeof maximum === "number") return maximum;
  throw new Error(`${id}: the list has no maxItems`);
}

function resolve(schema: JsonSchema): JsonSchema {
  const name = /^#\/components\/schemas\/(.+)$/.exec(String(schema["$ref"]))?.[1];
  if (name === undefined) return schema;
  const [api, control] = [completeDocument(), controlDocument()].map(
    ({ components }) => components,
  );
  return resolve(api?.schemas[name] ?? control?.schemas[name] ?? {});
}
