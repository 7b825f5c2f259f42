import { availableParallelism } from "node:os";
import type { ServedOperation } from "@security-platform/spec";
import type { FastifyRequest } from "fastify";
import type { ServerLimits } from "../../foundation/config.ts";
import type { QueueLoad } from "../../foundation/meters.ts";
import { TenantTurns, type WaitingLimits } from "../../threads/tenant-turns.ts";
import { resolved, type Schema } from "../../validation/resolved.ts";
import { addressKey } from "./client-address.ts";

/** Requests in work at a time, for each processor. Most wait for the database or the disk. */
const requestsPerProcessor = 16;
/**
 * Milliseconds of a turn of the event loop in which light requests start. What arrives later waits for the next turn, so
 * that the first request of a tenant does not wait for hundreds of another one.
 */
const startMilliseconds = 3;

/** Bytes of a body from which its request is heavy. */
export const heavyBody = 64 * 1024;

type Limits = Pick<ServerLimits, "requestsInWork" | "requestsWaiting" | "waitMilliseconds">;

export const waitingLimits = ({ requestsWaiting, waitMilliseconds }: Limits): WaitingLimits => ({
  ofTenant: requestsWaiting,
  milliseconds: waitMilliseconds,
});

/**
 * Limits the number of requests in work at a time, and of heavy ones to one for each processor and one more. The
 * others wait, and tenants take turns. Callers without a token take turns by address.
 */
export class RequestTurns {
  readonly #light: TenantTurns<number>;
  readonly #heavy: TenantTurns<number>;
  /** When a light request first started in this turn of the event loop. */
  #began: number | null = null;

  /** `waiting`: null if requests may wait for ever, as those of this process. */
  constructor({ requestsInWork }: Limits, waiting: WaitingLimits | null) {
    const processors = availableParallelism();
    const most = requestsInWork === 0 ? processors * requestsPerProcessor : requestsInWork;
    const limits = waiting ?? noLimits;
    this.#light = turnsFor(most, { ...limits, mayStart: () => this.#mayStart() });
    this.#heavy = turnsFor(Math.min(most, processors + 1), limits);
  }

  /** Works on a request at its turn. Rejects with `NoTurnError` if it cannot wait. */
  run<Result>(
    request: FastifyRequest,
    isHeavy: boolean,
    work: () => Promise<Result>,
    options?: { readonly goesOn?: boolean },
  ): Promise<Result> {
    const turns = isHeavy ? this.#heavy : this.#light;
    return turns.run(request.caller?.cid ?? addressKey(request.ip), work, options);
  }

  /** The load of each queue, by the kind of its requests. */
  get loads(): Readonly<Record<"light" | "heavy", () => QueueLoad>> {
    return { light: () => this.#light.load(), heavy: () => this.#heavy.load() };
  }

  #mayStart(): boolean {
    const now = performance.now();
    if (this.#began !== null) return now - this.#began < startMilliseconds;
    this.#began = now;
    setImmediate(() => {
      this.#began = null;
      this.#light.start();
    });
    return true;
  }
}

const noLimits: WaitingLimits = { ofTenant: Infinity, milliseconds: Infinity };

const turnsFor = (count: number, limits: WaitingLimits): TenantTurns<number> =>
  new TenantTurns(
    Array.from({ length: count }, (_, at) => at),
    limits,
  );

const heavyPaths: ReadonlySet<string> = new Set(["aggregates", "graphql", "sdmf"]);

/** Whether each request of an operation may be long work: it computes over many records, or changes those of a filter. */
export function isHeavyOperation({
  method,
  path,
  parameters,
  requestBody,
}: ServedOperation): boolean {
  if (path.split("/").some((part) => heavyPaths.has(part))) return true;
  if (method === "get" || method === "head") return false;
  return (
    parameters.some(({ name }) => name === "filter") ||
    Object.values(requestBody?.content ?? {}).some(takesFilter)
  );
}

function takesFilter(schema: Schema): boolean {
  const { properties = {} } = resolved(schema) as { readonly properties?: object };
  return "filter" in properties || "bulk_update" in properties;
}
