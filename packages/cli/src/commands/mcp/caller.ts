import type { Client } from "@security-platform/client";
import { nearest } from "@security-platform/fql";
import type { CalledOperation } from "@security-platform/spec";
import { connect, explained } from "../../api/connection.ts";
import type { ConnectionOptions } from "../../api/resolve-connection.ts";
import { problemOf } from "../../calls/check-value.ts";
import { methodOf, type Input } from "../../calls/method-of.ts";
import type { CliContext } from "../../terminal/cli-context.ts";

/** The result of a call, with the place in the list. */
export interface CallResult {
  readonly data: unknown;
  readonly page?: unknown;
}

/** Calls operations with one client, which is connected at the first call. */
export class Caller {
  readonly #options: ConnectionOptions;
  readonly #context: CliContext;
  readonly #signal: AbortSignal;
  #client: Client | undefined;

  constructor(options: ConnectionOptions, context: CliContext, signal: AbortSignal) {
    this.#options = options;
    this.#context = context;
    this.#signal = signal;
  }

  /** Throws a `RangeError` for input that the operation would refuse, and the errors of the client. */
  async call(
    operation: CalledOperation,
    parameters: Readonly<Record<string, unknown>>,
    body: unknown,
    cancelled: AbortSignal,
  ): Promise<CallResult> {
    checkInput(operation, parameters, body);
    this.#client ??= connect(this.#options, this.#context);
    const input: Input = { ...parameters, ...(body === undefined ? {} : { body }) };
    const signal = AbortSignal.any([this.#signal, cancelled]);
    try {
      const answer = await methodOf(this.#client, operation)(input, { signal });
      const { data } = answer;
      return "page" in answer && answer.page !== undefined ? { data, page: answer.page } : { data };
    } catch (error) {
      throw explained(error, this.#options, this.#context);
    }
  }

  /** The token expires on its own if it cannot be revoked. */
  async close(): Promise<void> {
    await this.#client?.close().catch(() => undefined);
  }
}

function checkInput(
  { parameters, requestBody }: CalledOperation,
  input: Readonly<Record<string, unknown>>,
  body: unknown,
): void {
  const inputParameters = parameters.filter(({ in: place }) => place !== "header");
  const names = inputParameters.map(({ name }) => name);
  for (const [name, value] of Object.entries(input)) {
    const parameter = inputParameters.find((each) => each.name === name);
    if (parameter === undefined) {
      const near = nearest(name, names);
      throw new RangeError(
        `there is no parameter ${name}. ` +
          (near === undefined ? `Expected some of ${names.join(", ")}.` : `Did you mean ${near}?`),
      );
    }
    throwProblem(problemOf(parameter.schema, value, name));
  }
  const missing = inputParameters.find(
    ({ name, required }) => required && !Object.hasOwn(input, name),
  );
  if (missing !== undefined) throw new RangeError(`the parameter ${missing.name} is missing`);
  if (requestBody === undefined) {
    if (body !== undefined) throw new RangeError("the operation does not accept a body");
    return;
  }
  if (body === undefined) {
    if (requestBody.required) throw new RangeError("the body is missing");
    return;
  }
  throwProblem(problemOf(requestBody.schema, body, "body"));
}

function throwProblem(problem: string | undefined): void {
  if (problem !== undefined) throw new RangeError(problem);
}
