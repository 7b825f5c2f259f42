import type { Validators } from "../conformance/validators.ts";
import { describeFinding, findingKey } from "../conformance/finding.ts";
import { isSuccess, operationById, type Contract, type Operation } from "../contract.ts";
import type { OperationRecipe, Subject } from "../recipes/recipe.ts";
import type { Recipes } from "../recipes/recipes.ts";
import { happyRequest } from "../recipes/happy-request.ts";
import {
  emptyRequest,
  formMediaType,
  passedHeaders,
  mediaTypeOf,
  multipartMediaType,
  type RequestParts,
} from "../requests/request.ts";
import { resolveSchema } from "../schemas/resolve-schema.ts";
import { listOf, messagesOf, recordsOf, type Answer } from "../target/answer.ts";
import { ownAccess, type TenantName } from "../target/credentials.ts";
import { curl } from "../target/curl.ts";
import type { Faults } from "../target/faults.ts";
import type { SendOptions, Target } from "../target/target.ts";
import { caseId, type CaseDescription } from "./case-description.ts";
import { CaseEnded, CaseSkipped, NotImplemented, type Failure } from "../failure.ts";
import { namespaceOf } from "./namespace.ts";
import type { SpareHeaders } from "./spare-headers.ts";
import type { CreateOptions, Subjects } from "./subjects.ts";

/** The form of a token operation has at most this number of bytes. */
const formBytes = 16 * 1024;

/** The shared context of all cases of a run. */
export interface RunContext {
  readonly contract: Contract;
  readonly recipes: Recipes;
  readonly target: Target;
  readonly validators: Validators;
  readonly subjects: Subjects;
  readonly spareHeaders: SpareHeaders;
  readonly faults: Faults | null;
  readonly expiredToken: string | null;
  /** A URL with a low rate limit. */
  readonly limited: Target | null;
  /** Maximum size of a body that the target accepts, in bytes. */
  readonly bodyBytes: number;
  /** Maximum number of values in a JSON body that the target accepts. */
  readonly bodyValues: number;
  /** Maximum size of a file that the target accepts, in bytes. */
  readonly uploadBytes: number;
  /** Random bodies and samples are derived from it. */
  readonly seed: string;
  /** Names and idempotency keys are derived from it. Each run has its own. */
  readonly names: string;
  /** False: send no request that creates, changes or deletes records. */
  readonly writes: boolean;
}

/** The context of one case: it sends requests and records the problems of the responses. */
export class CaseContext {
  readonly run: RunContext;
  readonly operation: Operation;
  readonly recipe: OperationRecipe;
  readonly failures: Failure[] = [];
  /** Whether no other case of the run is active, so that an unexpected change is a fault. */
  readonly isAlone: boolean;
  readonly #id: string;
  readonly #found = new Set<string>();
  #namespaces = 0;
  /** Why the case uses records that do not exist. */
  #standIn: CaseSkipped | undefined;

  constructor(run: RunContext, each: CaseDescription, isAlone: boolean) {
    this.run = run;
    this.isAlone = isAlone;
    this.#id = caseId(each);
    this.operation = each.operation;
    this.recipe = run.recipes.of(each.operation);
  }

  /** A namespace that no other case uses. */
  namespace(): string {
    this.#namespaces += 1;
    return namespaceOf(this.run.names, `${this.#id} ${this.#namespaces}`);
  }

  /** New records, by default in a new namespace. */
  async create(
    resource: string,
    count: number,
    { namespace = this.namespace(), ...rest }: Partial<CreateOptions> = {},
  ): Promise<Subject> {
    return this.run.subjects.create(resource, count, { namespace, ...rest });
  }

  /** Records that do not exist. */
  phantom(resource: string, count: number): Subject {
    return this.run.subjects.phantom(resource, count, this.namespace());
  }

  /**
   * Sends a request of the case's operation, or of another. The response is checked against the
   * document.
   */
  async send(
    parts: RequestParts,
    options: Partial<SendOptions> & {
      readonly operation?: Operation;
      readonly target?: Target;
    } = {},
  ): Promise<Answer> {
    const { operation = this.operation, target = this.run.target, ...rest } = options;
    const access = rest.access ?? ownAccess;
    this.#requirePermission(operation);
    const tenant = access.kind === "tenant" ? access.tenant : "own";
    const passed = await this.#takeFirst(parts.first);
    const placed = await this.run.subjects.placed(parts, tenant);
    const sent = { ...placed, headers: { ...passed, ...parts.headers } };
    const answer = await target.send(operation, sent, { ...rest, access });
    const isRejected = answer.status >= 400 && answer.status < 500;
    await this.#take(parts.last?.filter(({ undoes }) => !isRejected || undoes !== true));
    const isUnused = isRejected && answer.status !== 409 && parts.first?.length === 1;
    if (isUnused) {
      for (const step of parts.first.filter(({ reusable }) => reusable === true)) {
        this.run.spareHeaders.keep(step.operation, passed);
      }
    }
    if (isSuccess(answer.status)) {
      this.#keepAccount(operation, answer, tenant);
    }
    return this.received(answer);
  }

  /** The same for the steps before a request, which may be served by spare headers. */
  async #takeFirst(steps: RequestParts["first"]): Promise<Readonly<Record<string, string>>> {
    const [only, ...others] = steps ?? [];
    const spare =
      only?.reusable === true && others.length === 0
        ? this.run.spareHeaders.take(only.operation)
        : undefined;
    return spare ?? this.#take(steps);
  }

  /** Returns the headers that the steps pass on. */
  async #take(steps: RequestParts["first"] = []): Promise<Readonly<Record<string, string>>> {
    let passed: Readonly<Record<string, string>> = {};
    for (const step of steps) {
      const headers = { ...passed, ...step.parts.headers };
      const stepParts = { ...emptyRequest, ...step.parts, headers };
      const operation = this.operationById(step.operation);
      this.#requirePermission(operation);
      const answer = await this.run.target.send(operation, stepParts, {
        access: ownAccess,
        aside: true,
      });
      if (isSuccess(answer.status)) this.#keepAccount(operation, answer, "own");
      passed = passedHeaders(step, answer.headers);
    }
    return passed;
  }

  #requirePermission(operation: Operation): void {
    if (!this.run.writes && !this.run.recipes.isRead(operation)) {
      throw new CaseSkipped("--allow-writes");
    }
  }

  /** Sends a request whose body is one byte larger than the target accepts. */
  async sendTooLarge(parts: RequestParts): Promise<Answer> {
    this.#requirePermission(this.operation);
    const bytes = this.#bodyBytes + 1;
    return this.received(await this.run.target.sendLarge(this.operation, parts, bytes));
  }

  /** Maximum size of the operation's body in bytes. */
  get #bodyBytes(): number {
    switch (mediaTypeOf(this.operation)) {
      case multipartMediaType:
        return this.run.uploadBytes;
      case formMediaType:
        return Math.min(formBytes, this.run.bodyBytes);
      default:
        return Math.max(this.run.bodyBytes, this.#ownLimit("x-max-bytes"));
    }
  }

  /** Maximum number of JSON values in a body of the operation. */
  get mostValues(): number {
    return Math.max(this.run.bodyValues, this.#ownLimit("x-max-values"));
  }

  /** A limit of the document for the body; 0 without one. */
  #ownLimit(name: "x-max-bytes" | "x-max-values"): number {
    const [body] = Object.values(this.operation.requestBody?.content ?? {});
    const schema = resolveSchema(this.run.contract, body?.schema ?? {});
    return Number(schema[name] ?? 0);
  }

  /** Created records are removed at the end, even if the case expected a rejection. */
  #keepAccount(operation: Operation, answer: Answer, tenant: TenantName): void {
    const { resource, effect } = this.run.recipes.of(operation);
    if (resource === null) return;
    const { idField } = this.run.recipes.resource(resource);
    if (effect === "create") this.run.subjects.adopt(resource, recordsOf(answer), tenant);
    if (effect === "remove") this.run.subjects.forget(resource, idsIn(answer, idField), tenant);
  }

  /** Records each kind of violation of the document once. */
  received(answer: Answer): Answer {
    if (answer.notImplemented) throw new NotImplemented(answer.operation.id);
    for (const finding of answer.findings) {
      const key = findingKey(finding);
      if (!this.#found.has(key)) this.fail(answer, describeFinding(finding));
      this.#found.add(key);
    }
    return answer;
  }

  /** Forgets the reported violations, so that they are reported again. */
  forgetFindings(): void {
    this.#found.clear();
  }

  /** A valid request for the subject. */
  happy(subject: Subject): RequestParts {
    return this.happyOf(this.operation, subject);
  }

  /** The same for another operation. */
  happyOf(operation: Operation, subject: Subject): RequestParts {
    return happyRequest(this.run.contract, this.run.recipes, operation, subject);
  }

  /**
   * Records for a request that the target must reject for another reason. If none are known,
   * nonexistent records are used: the request is still well-formed.
   */
  async refusable(): Promise<Subject> {
    const { resource, single } = this.recipe;
    if (resource === null) return this.readable();
    try {
      return await this.readable();
    } catch (error) {
      if (!(error instanceof CaseSkipped)) throw error;
      this.#standIn = error;
      return this.phantom(resource, single === true ? 1 : 2);
    }
  }

  /** Records for a request that does not change them. */
  async readable(): Promise<Subject> {
    const { resource, effect } = this.recipe;
    if (resource === null) return { namespace: this.namespace(), records: [] };
    const shared = await this.run.subjects.shared(
      resource,
      effect === "none" ? "readers" : this.operation.id,
    );
    return this.recipe.single === true
      ? { ...shared, records: shared.records.slice(0, 1) }
      : shared;
  }

  /** Records that only this case uses; for a create operation, only a namespace. */
  async own(count = 2): Promise<Subject> {
    const { resource, effect } = this.recipe;
    if (effect === "none" || resource === null) return this.readable();
    if (effect === "create") return { namespace: this.namespace(), records: [] };
    return this.create(resource, this.recipe.single === true ? 1 : count);
  }

  /** The records for the recipe's request for a status. */
  async subjectFor(status: number): Promise<Subject> {
    const other = this.recipe.answersAbout?.[status];
    return other === undefined ? this.own() : this.run.subjects.shared(other, "readers");
  }

  operationById(id: string): Operation {
    return operationById(this.run.contract, id);
  }

  /** Records a failure unless `condition` holds. */
  check(
    answer: Answer,
    condition: boolean,
    message: string,
    values: { readonly expected?: unknown; readonly got?: unknown } = {},
  ): boolean {
    if (condition) return true;
    // The target may have rejected the nonexistent records before it reached the tested rule.
    if (this.#standIn !== undefined) throw this.#standIn;
    this.fail(answer, message, values);
    return false;
  }

  /** Checks that none of the records of a request exists. */
  checkMissing(answer: Answer, message: string): void {
    const { status } = answer;
    const expected = this.run.target.conformance.missingStatus(answer.operation);
    const isMissing = status === expected && (status === 404 || listOf(answer).length === 0);
    this.check(answer, isMissing, message, { expected, got: status });
  }

  /** Checks the content of an error; the response to a HEAD request has none. */
  checkMessage(...parameters: Parameters<CaseContext["check"]>): void {
    if (parameters[0].request.method !== "HEAD") this.check(...parameters);
  }

  /** Like `check`, but ends the case on failure. */
  need(...parameters: Parameters<CaseContext["check"]>): void {
    if (!this.check(...parameters)) throw new CaseEnded();
  }

  needStatus(answer: Answer, ...expected: readonly number[]): void {
    // Without a recipe the request is the document's example, and the target may not have its
    // records.
    const isExample =
      this.recipe.inferred === true && expected.includes(this.operation.successStatus);
    if (isExample && [400, 404, 409].includes(answer.status)) throw new CaseSkipped("a recipe");
    this.need(answer, expected.includes(answer.status), "wrong status", {
      expected: expected.join(" or "),
      got: `${answer.status} ${messagesOf(answer).join("; ") || answer.text.slice(0, 200)}`,
    });
  }

  fail(
    answer: Answer,
    message: string,
    values: { readonly expected?: unknown; readonly got?: unknown } = {},
  ): void {
    const { redactor, baseUrl } = this.run.target;
    const shown = (value: unknown): string =>
      redactor.apply(
        typeof value === "string" && value !== "" ? value : (JSON.stringify(value) ?? "nothing"),
      );
    this.failures.push({
      message: redactor.apply(message),
      ...("expected" in values ? { expected: shown(values.expected) } : {}),
      ...("got" in values ? { got: shown(values.got) } : {}),
      request: redactor.apply(curl(baseUrl, answer.request)),
    });
  }
}

/** Identifiers in a response, which contains identifiers or records. */
const idsIn = (answer: Answer, idField: string): readonly string[] =>
  listOf(answer).map((item) =>
    item !== null && typeof item === "object"
      ? String((item as Readonly<Record<string, unknown>>)[idField])
      : String(item),
  );
