import { describeFinding, findingKey } from "../conformance/finding.ts";
import { isSuccess, operationById, type Contract, type Operation } from "../contract.ts";
import type { OperationRecipe, Subject } from "../recipes/recipe.ts";
import type { Recipes } from "../recipes/recipes.ts";
import { happyRequest } from "../requests/happy-request.ts";
import { emptyRequest, type RequestParts } from "../requests/request.ts";
import { listOf, messagesOf, recordsOf, type Answer } from "../target/answer.ts";
import { ownAccess, type TenantName } from "../target/credentials.ts";
import { curl } from "../target/curl.ts";
import type { Faults } from "../target/faults.ts";
import type { SendOptions, Target } from "../target/target.ts";
import { CaseEnded, type Failure } from "./failure.ts";
import type { Subjects } from "./subjects.ts";

/** What all cases of a run share. */
export interface RunContext {
  readonly contract: Contract;
  readonly recipes: Recipes;
  readonly target: Target;
  readonly subjects: Subjects;
  readonly faults: Faults | null;
  /** An address that allows only a few requests a minute. */
  readonly limited: Target | null;
  /** Bytes of the largest body that the target takes. */
  readonly bodyBytes: number;
}

/** What one case works with: it sends requests and notes what is wrong with the answers. */
export class CaseContext {
  readonly run: RunContext;
  readonly operation: Operation;
  readonly recipe: OperationRecipe;
  readonly failures: Failure[] = [];
  readonly #found = new Set<string>();

  constructor(run: RunContext, operation: Operation) {
    this.run = run;
    this.operation = operation;
    this.recipe = run.recipes.of(operation);
  }

  /** Sends a request of the case's operation, or of another. The answer is checked against the document. */
  async send(
    parts: RequestParts,
    options: Partial<SendOptions> & {
      readonly operation?: Operation;
      readonly target?: Target;
    } = {},
  ): Promise<Answer> {
    const { operation = this.operation, target = this.run.target, ...rest } = options;
    const access = rest.access ?? ownAccess;
    await this.#take(parts.first);
    const answer = await target.send(operation, parts, { ...rest, access });
    await this.#take(parts.last);
    if (isSuccess(answer.status)) {
      this.#keepAccount(operation, answer, access.kind === "tenant" ? access.tenant : "own");
    }
    return this.received(answer);
  }

  async #take(steps: RequestParts["first"] = []): Promise<void> {
    for (const step of steps) {
      const made = { ...emptyRequest, ...step.parts };
      await this.run.target.send(this.operationById(step.operation), made, {
        access: ownAccess,
        aside: true,
      });
    }
  }

  /** Sends a request whose body is one byte larger than the target takes. */
  async sendTooLarge(parts: RequestParts): Promise<Answer> {
    const bytes = this.run.bodyBytes + 1;
    return this.received(await this.run.target.sendLarge(this.operation, parts, bytes));
  }

  /** Whatever a request made, wanted or not, is removed in the end. */
  #keepAccount(operation: Operation, answer: Answer, tenant: TenantName): void {
    const { resource, effect } = this.run.recipes.of(operation);
    if (resource === null) return;
    const { idField } = this.run.recipes.resource(resource);
    if (effect === "create") this.run.subjects.adopt(resource, recordsOf(answer), tenant);
    if (effect === "remove") this.run.subjects.forget(resource, idsIn(answer, idField), tenant);
  }

  /** Notes what an answer has against the document, each kind of departure once. */
  received(answer: Answer): Answer {
    for (const finding of answer.findings) {
      const key = findingKey(finding);
      if (!this.#found.has(key)) this.fail(answer, describeFinding(finding));
      this.#found.add(key);
    }
    return answer;
  }

  /** A valid request about the subject. */
  happy(subject: Subject): RequestParts {
    return happyRequest(this.run.contract, this.run.recipes, this.operation, subject);
  }

  /** Records for a request that is not to change any. */
  async readable(): Promise<Subject> {
    const { resource, effect } = this.recipe;
    if (resource === null) return { namespace: this.run.subjects.namespace(), records: [] };
    const shared = await this.run.subjects.shared(
      resource,
      effect === "none" ? "readers" : this.operation.id,
    );
    return this.recipe.single === true
      ? { ...shared, records: shared.records.slice(0, 1) }
      : shared;
  }

  /** Records of the case's own; for an operation that creates them, only a namespace. */
  async own(count = 2): Promise<Subject> {
    const { resource, effect } = this.recipe;
    if (effect === "none" || resource === null) return this.readable();
    if (effect === "create") return { namespace: this.run.subjects.namespace(), records: [] };
    return this.run.subjects.create(resource, this.recipe.single === true ? 1 : count);
  }

  /** What the recipe's request for a status is about. */
  async subjectFor(status: number): Promise<Subject> {
    const other = this.recipe.answersAbout?.[status];
    return other === undefined ? this.own() : this.run.subjects.shared(other, "readers");
  }

  operationById(id: string): Operation {
    return operationById(this.run.contract, id);
  }

  /** Notes a failure unless `condition` holds. */
  check(
    answer: Answer,
    condition: boolean,
    message: string,
    values: { readonly expected?: unknown; readonly got?: unknown } = {},
  ): boolean {
    if (!condition) this.fail(answer, message, values);
    return condition;
  }

  /** Like `check`; without it the rest of the case would say nothing. */
  need(...parameters: Parameters<CaseContext["check"]>): void {
    if (!this.check(...parameters)) throw new CaseEnded();
  }

  needStatus(answer: Answer, ...expected: readonly number[]): void {
    this.need(answer, expected.includes(answer.status), "wrong status", {
      expected: expected.join(" or "),
      got: `${answer.status} ${messagesOf(answer).join("; ") || answer.text.slice(0, 200)}`,
    });
  }

  fail(
    answer: Answer,
    message: string,
    { expected, got }: { readonly expected?: unknown; readonly got?: unknown } = {},
  ): void {
    const { redactor, baseUrl } = this.run.target;
    const shown = (value: unknown): string =>
      redactor.apply(typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing"));
    this.failures.push({
      message: redactor.apply(message),
      ...(expected === undefined ? {} : { expected: shown(expected) }),
      ...(got === undefined ? {} : { got: shown(got) }),
      request: redactor.apply(curl(baseUrl, answer.request)),
    });
  }
}

/** Identifiers of an answer, whether it holds identifiers or records. */
const idsIn = (answer: Answer, idField: string): readonly string[] =>
  listOf(answer).map((item) =>
    item !== null && typeof item === "object"
      ? String((item as Readonly<Record<string, unknown>>)[idField])
      : String(item),
  );
