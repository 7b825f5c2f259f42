import { compatQuirks, clientHeaders, schemaQuirks } from "@security-platform/spec";
import {
  envelopeMediaType,
  isSuccess,
  platformContract,
  type Contract,
  type Operation,
  type Schema,
} from "../contract.ts";
import { checkEnvelopeFacts } from "./envelope-facts.ts";
import type { Finding, Report } from "./finding.ts";
import { checkHeaders } from "./headers.ts";
import { operationMatcher, type Match } from "./match-operation.ts";
import { Validators } from "./validators.ts";

/** A received response and its request. */
export interface CheckedResponse {
  readonly operation?: { readonly id: string };
  /** Method and URL are required without `operation`. */
  readonly method?: string;
  readonly url?: string;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The parsed body, if it is known. */
  readonly json?: unknown;
  /** True if the Envelope representation was requested. Default: derived from the content type. */
  readonly envelope?: boolean;
}

export interface ConformanceOptions {
  /** Whether every success is an Envelope, also as plain JSON, because the target serves existing clients. */
  readonly compat?: boolean;
  /** Expected undocumented headers, such as those of a gateway in front of the target. */
  readonly allowHeaders?: readonly string[];
}

/** Create one instance for many responses: schemas are compiled on first use and cached. */
export const createConformance = (contract?: Contract, options?: ConformanceOptions): Conformance =>
  new Conformance(contract ?? platformContract(), options ?? {});

const validators = new WeakMap<Contract, Validators>();

/** A contract is compiled once for all runs and recorders. */
function validatorsOf(contract: Contract): Validators {
  let shared = validators.get(contract);
  if (shared === undefined) {
    shared = new Validators(contract);
    validators.set(contract, shared);
  }
  return shared;
}

export class Conformance {
  readonly contract: Contract;
  readonly validators: Validators;
  readonly #match: (method: string, url: string) => Match;
  readonly #operations: ReadonlyMap<string, Operation>;
  readonly #allowedHeaders: ReadonlySet<string>;
  readonly compat: boolean;

  constructor(contract: Contract, options: ConformanceOptions) {
    this.compat = options.compat === true;
    this.contract = this.compat ? forExistingClients(contract) : contract;
    this.validators = validatorsOf(contract);
    this.#match = operationMatcher(this.contract);
    this.#operations = new Map(this.contract.operations.map((each) => [each.id, each]));
    const allowed = [
      ...(this.compat ? Object.keys(clientHeaders) : []),
      ...(options.allowHeaders ?? []),
    ];
    this.#allowedHeaders = new Set(allowed.map((name) => name.toLowerCase()));
  }

  /**
   * All violations of a response; empty if it conforms. For unknown URLs, only JSON errors are
   * checked.
   */
  check(response: CheckedResponse): readonly Finding[] {
    const findings: Finding[] = [];
    const { status } = response;
    const { operation, knownPath } = this.#find(response);
    const name = operation?.id ?? response.operation?.id ?? `${response.method} ${response.url}`;
    const report: Report = (kind, at, message) => {
      findings.push({ kind, operation: name, status, at, message });
    };
    const documented = operation?.responses.find((candidate) => candidate.status === status);
    if (operation !== undefined && documented !== undefined) {
      checkHeaders(documented, response.headers, this.validators, this.#allowedHeaders, report);
      this.#checkContent(operation, documented.content, response, report);
    } else if (operation === undefined && elsewhere.has(status)) {
      if (isJson(response)) this.#checkBody(errorEnvelopeSchema, response, report);
    } else if (knownPath) {
      const statuses = operation?.responses.map((candidate) => candidate.status).join(", ");
      report(
        "undocumented-status",
        "status",
        `the document has ${statuses ?? "405"}, got ${status}`,
      );
    }
    return findings;
  }

  /** The status of a response for nonexistent records. */
  missingStatus(operation: Operation): number {
    return this.compat && hidesMissing(operation) ? operation.successStatus : 404;
  }

  #find({ operation, method, url }: CheckedResponse): Match {
    return operation === undefined
      ? this.#match(method ?? "GET", url ?? "")
      : { operation: this.#operations.get(operation.id), knownPath: true };
  }

  #checkContent(
    operation: Operation,
    content: Operation["responses"][number]["content"],
    response: CheckedResponse,
    report: Report,
  ): void {
    if (operation.method === "head") {
      if (response.body !== "") report("invalid-body", "body", "HEAD is answered without a body");
      return;
    }
    const documented = Object.keys(content);
    const mediaType = mediaTypeOf(response);
    if (documented.length === 0) {
      if (response.body !== "") report("invalid-body", "body", "the document has no body here");
      return;
    }
    const types = this.#envelopeTypes(operation);
    const inEnvelope = types.includes(mediaType) && isSuccess(response.status);
    const expected = response.envelope === true && isSuccess(response.status) ? types : documented;
    if (!(inEnvelope && response.envelope !== false) && !expected.includes(mediaType)) {
      const message = `expected ${expected.join(" or ")}, got ${mediaType || "none"}`;
      report("undocumented-content-type", "header content-type", message);
      return;
    }
    const { envelopes, plain } = this.contract;
    const ofSuccess = mediaType === envelopeMediaType ? envelopes : plain;
    const schema = inEnvelope ? ofSuccess[operation.id] : content[mediaType]?.schema;
    if (schema !== undefined && mediaType.endsWith("json")) {
      this.#checkBody(schema, response, report);
    }
  }

  /**
   * The media types of Envelopes. The responses of operations without a scope are never wrapped.
   */
  #envelopeTypes({ scope, answer }: Operation): readonly string[] {
    const isWrapped = this.compat && scope !== null && answer !== "file";
    return isWrapped ? [envelopeMediaType, "application/json"] : [envelopeMediaType];
  }

  #checkBody(schema: Schema, response: CheckedResponse, report: Report): void {
    let value = response.json;
    try {
      if (value === undefined) value = JSON.parse(response.body);
    } catch {
      report("invalid-body", "body", `is not JSON: ${response.body.slice(0, 80)}`);
      return;
    }
    for (const { place, message, undocumented } of this.validators.violations(schema, value)) {
      report(undocumented ? "undocumented-field" : "invalid-body", `body${place}`, message);
    }
    checkEnvelopeFacts(value, response.status, response.headers["x-trace-id"], report);
  }
}

const hidesMissing = (operation: Operation): boolean =>
  compatQuirks(operation).missing === "success";

/** The contract with the statuses for existing clients, and without members that they need not send. */
const forExistingClients = (contract: Contract): Contract => ({
  ...contract,
  schemas: Object.fromEntries(
    Object.entries(contract.schemas).map(([name, schema]) => [name, withCopied(name, schema)]),
  ),
  operations: contract.operations.map((operation) => {
    const { successStatus = operation.successStatus, parameterDefaults = {} } =
      compatQuirks(operation);
    const responses = operation.responses
      .filter(({ status }) => status !== 404 || !hidesMissing(operation))
      .map((response) =>
        response.status === operation.successStatus
          ? { ...response, status: successStatus }
          : response,
      );
    const parameters = operation.parameters.map((parameter) =>
      parameter.name in parameterDefaults ? { ...parameter, required: false } : parameter,
    );
    return { ...operation, successStatus, responses, parameters };
  }),
});

/** Members that are copied from another member need not be sent. */
function withCopied(name: string, schema: Schema): Schema {
  const { copied } = schemaQuirks[name] ?? {};
  const required = schema["required"] as readonly string[] | undefined;
  if (copied === undefined || required === undefined) return schema;
  return { ...schema, required: required.filter((member) => !(member in copied)) };
}

const errorEnvelopeSchema: Schema = { $ref: "#/components/schemas/Envelope" };

/** Statuses where there is no operation. */
const elsewhere: ReadonlySet<number> = new Set([404, 405, 408, 431]);

const mediaTypeOf = ({ headers }: CheckedResponse): string =>
  (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";

const isJson = (response: CheckedResponse): boolean => mediaTypeOf(response) === "application/json";
