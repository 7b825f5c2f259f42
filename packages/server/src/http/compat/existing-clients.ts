import { compatQuirks, type CompatQuirks, type ServedOperation } from "@security-platform/spec";
import type { ApiError } from "../../foundation/errors.ts";
import type { Schema } from "../../validation/schema-validator.ts";
import { formMediaType, type FormParts } from "../validate/form.ts";
import type { RawRequest } from "../validate/request.ts";
import { IgnoredMembers } from "./ignored-members.ts";
import { relax } from "./relax.ts";
import { ValueRules } from "./value-rules.ts";

/**
 * Implements `serve --compat`: how requests and responses of existing clients differ from the document. Only
 * http/routes/operation-route.ts uses it; nothing below http/ knows the mode. `compatQuirks` lists the differences
 * of single operations. The guide on moving existing clients has a table of all differences.
 */
export class ExistingClients {
  /** The operation as these clients know it, for the validation of requests. */
  readonly operation: ServedOperation;
  readonly #quirks: CompatQuirks;
  readonly #body: ValueRules | null;
  readonly #form: ValueRules | null;
  readonly #query: ReadonlyMap<string, ValueRules>;
  readonly #required: ReadonlySet<string>;
  /**
   * Whether the first page of a list with both ways of paging counts from the start, so that it has a total.
   */
  readonly #countsFirstPage: boolean;

  constructor(operation: ServedOperation) {
    const { parameters, requestBody, cursorParameter } = operation;
    this.#quirks = compatQuirks(operation);
    this.operation = withDefaults(operation, this.#quirks.parameterDefaults);
    this.#body = rulesOf(requestBody?.content["application/json"]);
    this.#form = rulesOf(requestBody?.content[formMediaType]);
    this.#query = new Map(
      parameters.flatMap(({ name, in: place, schema: each }) =>
        place === "query" ? [[name, new ValueRules([each])] as const] : [],
      ),
    );
    this.#required = new Set(parameters.flatMap(({ name, required }) => (required ? [name] : [])));
    this.#countsFirstPage =
      cursorParameter !== undefined &&
      this.#query.has("offset") &&
      this.#quirks.offset !== "cursor";
  }

  /** The request in the form of the document, not validated yet, and the members that it ignores. */
  rewrite(request: RawRequest): RawRequest & { readonly ignored: IgnoredMembers } {
    const { query, body } = this.#withParameter(request.query as RawValues, request.body);
    const ignored = new IgnoredMembers();
    return {
      params: request.params,
      headers: request.headers,
      query: this.#rewriteQuery(query),
      body: this.#rewriteBody(body, ignored),
      ignored,
    };
  }

  /** The parts of a form, with the texts that clients send in the query instead of the form. */
  rewriteForm(parts: FormParts, query: unknown, files: readonly string[]): FormParts {
    const fields = new Map(parts.fields);
    for (const [name, value] of Object.entries(query as RawValues)) {
      const isText = this.#form?.member(name) !== undefined && !files.includes(name);
      if (isText && typeof value === "string" && !fields.has(name)) fields.set(name, [value]);
    }
    for (const [name, values] of fields) {
      const rules = this.#form?.member(name);
      if (rules?.isBoolean === true) fields.set(name, values.map(inLowerCase));
    }
    return { ...parts, fields };
  }

  /** The status of a success whose documented status is `documented`. */
  successStatus(documented: number): number {
    return this.#quirks.successStatus ?? documented;
  }

  /**
   * The status of an error. For missing records, some clients expect a success that has the found records as
   * well as the errors.
   */
  statusOf({ status }: ApiError, successStatus: number): number {
    return status === 404 && this.#quirks.missing === "success" ? successStatus : status;
  }

  /** Moves a parameter from the body to its place in the document. */
  #withParameter(query: RawValues, body: unknown): { query: RawValues; body: unknown } {
    const { parameterInBody: name } = this.#quirks;
    if (name === undefined || !isRecord(body) || !(name in body) || name in query) {
      return { query, body };
    }
    const { [name]: value, ...others } = body;
    return { query: { ...query, [name]: value }, body: others };
  }

  #rewriteQuery(query: RawValues): RawValues {
    const entries = Object.entries(query).flatMap(([name, value]) => {
      const documentedName = this.#documentedName(name, query);
      const rules = this.#query.get(documentedName);
      if (rules === undefined && this.#form?.member(documentedName) !== undefined) return [];
      if (rules === undefined) return [[documentedName, value] as const];
      if (value === "" && !this.#required.has(documentedName) && rules.refusesEmpty) return [];
      return [[documentedName, relaxText(rules, this.#separated(documentedName, value))] as const];
    });
    const rewritten = Object.fromEntries(entries);
    const startsAnywhere = "offset" in rewritten || "after" in rewritten;
    return this.#countsFirstPage && !startsAnywhere ? { ...rewritten, offset: "0" } : rewritten;
  }

  /** Clients send a single identifier as `id` where the document has a list, `ids`. */
  #documentedName(name: string, query: RawValues): string {
    const isList = name === "id" && !this.#query.has("id") && !("ids" in query);
    return isList && this.#query.get("ids")?.isList === true ? "ids" : name;
  }

  /** The items of a list that clients may send as one text. */
  #separated(name: string, value: unknown): unknown {
    const isOneText = typeof value === "string" && this.#quirks.commaSeparated?.includes(name);
    return isOneText ? value.split(",") : value;
  }

  #rewriteBody(body: unknown, ignored: IgnoredMembers): unknown {
    if (this.#body === null) return body;
    const { wrapper, ignoredMembers, defaults } = this.#quirks;
    if (ignoredMembers !== undefined) dropFromEntries(body, ignoredMembers);
    const relaxed = relax(this.#body, unwrapped(body, wrapper), ignored);
    return defaults !== undefined && isRecord(relaxed) ? { ...defaults, ...relaxed } : relaxed;
  }
}

const rulesOf = (schema: Schema | undefined): ValueRules | null =>
  schema === undefined ? null : new ValueRules([schema]);

/** The operation with optional parameters instead of required ones. */
function withDefaults(
  operation: ServedOperation,
  defaults: CompatQuirks["parameterDefaults"],
): ServedOperation {
  if (defaults === undefined) return operation;
  const parameters = operation.parameters.map((parameter) =>
    parameter.name in defaults
      ? {
          ...parameter,
          required: false,
          schema: { ...parameter.schema, default: defaults[parameter.name] },
        }
      : parameter,
  );
  return { ...operation, parameters };
}

type RawValues = Readonly<Record<string, unknown>>;

/** The text or texts of a parameter. The schema decides whether it is a list. */
function relaxText(rules: ValueRules, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => relaxText(rules, each));
  if (rules.isBoolean && typeof value === "string") return inLowerCase(value);
  const item = rules.isList ? rules.items : rules;
  return typeof value === "string" ? item.inDocumentedSpelling(value) : value;
}

/** PowerShell and Python write `True` and `False`. */
const inLowerCase = (text: string): string => text.toLowerCase();

const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === "object" && !Array.isArray(value);

function dropFromEntries(body: unknown, names: readonly string[]): void {
  if (!isRecord(body) || !Array.isArray(body["resources"])) return;
  for (const entry of body["resources"] as readonly unknown[]) {
    if (isRecord(entry)) for (const name of names) delete entry[name];
  }
}

function unwrapped(body: unknown, wrapper: string | undefined): unknown {
  if (wrapper === undefined || !isRecord(body)) return body;
  const [name, ...others] = Object.keys(body);
  const entries = body[wrapper];
  const isWrapped = name === wrapper && others.length === 0 && Array.isArray(entries);
  return isWrapped && entries.length === 1 ? (entries[0] as unknown) : body;
}
