import { setTimeout as pause } from "node:timers/promises";
import type { FaultRule, ServedOperation, SetFault } from "@security-platform/spec";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../foundation/clock.ts";
import { headerBytes } from "../../foundation/config.ts";
import { ApiError, errors } from "../../foundation/errors.ts";
import type { FaultMatch, FaultRules } from "./fault-rule.ts";
import { faultProblems } from "./read-fault.ts";
import { disturb, type Disturbance } from "./disturb.ts";

interface Stored {
  readonly id: number;
  readonly rule: FaultRule;
  hits: number;
  left: number;
  readonly random: () => number;
}

/** What is known of a request before it is read. */
export type FaultRequest = Pick<FastifyRequest, "query" | "params" | "headers" | "body">;

/**
 * Makes requests fail as rules say, so that clients can be tested with rare errors. The first matching rule applies.
 */
export class Faults implements FaultRules {
  readonly #clock: Clock;
  readonly #stored: Stored[] = [];
  #last = 0;
  #cleared = new AbortController();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(rule: FaultRule): SetFault {
    const [problem] = faultProblems(rule);
    if (problem !== undefined) {
      const { at, message } = problem;
      throw new RangeError(at === "" ? `fault: ${message}` : `fault: ${at}: ${message}`);
    }
    this.#last += 1;
    const { times = 1, seed = 1 } = rule;
    const left = times === "always" ? Infinity : times;
    const stored = { id: this.#last, rule, hits: 0, left, random: randomFrom(seed) };
    this.#stored.push(stored);
    return shown(stored);
  }

  list(): readonly SetFault[] {
    return this.#stored.map(shown);
  }

  remove(id: number): boolean {
    const at = this.#stored.findIndex((stored) => stored.id === id);
    if (at === -1) return false;
    this.#stored.splice(at, 1);
    return true;
  }

  clear(): void {
    this.#stored.length = 0;
    this.#last = 0;
    this.#cleared.abort();
    this.#cleared = new AbortController();
  }

  /**
   * Applies the first fault that fits a request of an operation. Throws its error. Resolves to false if the
   * connection was closed, so that the operation must not run.
   */
  async apply(
    operation: ServedOperation,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<boolean> {
    const stored = this.#choose(operation, request);
    if (stored === undefined) return true;
    if (request.recorded !== null && request.recorded !== undefined) {
      request.recorded.fault = stored.id;
    }
    const { delay_ms, drop, status, body, slow_ms = 1_000, content_type } = stored.rule;
    if (delay_ms !== undefined) await this.#wait(delay_ms);
    if (drop === "before") {
      reply.hijack();
      reply.raw.destroy();
      return false;
    }
    const disturbance: Disturbance = {
      closes: drop === "after",
      truncate: body === "truncated",
      slowMilliseconds: body === "slow" ? slow_ms : 0,
      mediaType: content_type,
    };
    disturb(reply.raw, disturbance, this.#cleared.signal);
    if (status !== undefined) throw faultError(status, this.#clock.now());
    return true;
  }

  #choose(operation: ServedOperation, request: FaultRequest): Stored | undefined {
    for (const stored of this.#stored) {
      const { operation_id, match, probability = 1 } = stored.rule;
      if (operation_id !== undefined && operation_id !== operation.id) continue;
      if (match !== undefined && !matches(match, request)) continue;
      if (probability < 1 && stored.random() >= probability) continue;
      stored.hits += 1;
      stored.left -= 1;
      if (stored.left <= 0) this.remove(stored.id);
      return stored;
    }
    return undefined;
  }

  async #wait(milliseconds: number): Promise<void> {
    const { signal } = this.#cleared;
    await pause(milliseconds, undefined, { signal }).catch(() => undefined);
  }
}

const shown = ({ id, rule, hits }: Stored): SetFault => ({ id, hits, ...rule });

function matches(match: FaultMatch, request: FaultRequest): boolean {
  return (
    contains(match.query ?? {}, request.query) &&
    contains(match.path ?? {}, request.params) &&
    contains(match.headers ?? {}, request.headers) &&
    (match.body === undefined || contains(match.body, request.body))
  );
}

/** Whether a value has all parts of `part`. */
function contains(part: unknown, value: unknown): boolean {
  if (Array.isArray(part)) {
    return (
      Array.isArray(value) && part.every((each) => value.some((element) => contains(each, element)))
    );
  }
  if (typeof part !== "object" || part === null) return part === value;
  if (typeof value !== "object" || value === null) return false;
  const members = new Map(Object.entries(value));
  return Object.entries(part).every(([name, each]) => contains(each, members.get(name)));
}

/** Numbers from 0 to below 1: the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const forced = "forced by the control plane";

/** The error that the server would send for a status. */
function faultError(status: number, now: Date): Error {
  switch (status) {
    case 401:
      return errors.invalidToken(forced);
    case 408:
      return errors.timedOut();
    case 409:
      return errors.requestInProgress(1);
    case 429:
      return errors.rateLimited(forced, 1, Math.ceil(now.getTime() / 1_000) + 1);
    case 431:
      return errors.headersTooLarge(headerBytes);
    case 500:
      return new Error(forced);
    case 503:
      return errors.overloaded(1);
    case 507:
      return errors.storageFull("the tenant's", { used: 1_000, limit: 1_000, needed: 1 });
    default:
      return new ApiError(status, [{ message: forced }]);
  }
}
