import { availableParallelism } from "node:os";
import type { ServedOperation } from "@security-platform/spec";
import type { FastifyRequest } from "fastify";
import type { ServerLimits } from "../../foundation/config.ts";
import type { QueueLoad } from "../../foundation/meters.ts";
import { TenantTurns, type WaitingLimits } from "../../threads/tenant-turns.ts";
import { resolved } from "../../validation/resolved.ts";
import { addressKey } from "./client-address.ts";

/** Light requests of a kind in work at a time, for each processor. Most wait for the database or the disk. */
const requestsPerProcessor = 16;
/**
 * Milliseconds of a turn of the event loop in which light requests start. What arrives later waits for the next turn, so
 * that the first request of a tenant does not wait for hundreds of another one.
 */
const startMilliseconds = 1;

/** Bytes of a body from which its request is heavy. */
export const heavyBody = 64 * 1024;

type Limits = Pick<ServerLimits, "requestsInWork" | "requestsWaiting" | "waitMilliseconds">;

export const waitingLimits = ({ requestsWaiting, waitMilliseconds }: Limits): WaitingLimits => ({
  ofTenant: requestsWaiting,
  milliseconds: waitMilliseconds,
});

/** `change`: light requests that write. They have places of their own, so that reads do not wait for a slow disk. */
export type RequestWeight = "light" | "change" | "heavy";

/**
 * Limits the number of requests in work at a time, and of heavy ones to one for each processor and one more. The
 * others wait, and tenants take turns. Callers without a token take turns by address.
 */
export class RequestTurns {
  readonly #turns: Readonly<Record<RequestWeight, TenantTurns<number>>>;
  /** When a light request first started in this turn of the event loop. */
  #began: number | null = null;
  #changesFirst = false;

  /** `waiting`: null if requests may wait for ever, as those of this process. */
  constructor({ requestsInWork }: Limits, waiting: WaitingLimits | null) {
    const processors = availableParallelism();
    const most = requestsInWork === 0 ? processors * requestsPerProcessor : requestsInWork;
    const limits = waiting ?? noLimits;
    const light = { ...limits, mayStart: () => this.#mayStart() };
    this.#turns = {
      light: turnsFor(most, light),
      change: turnsFor(most, light),
      heavy: turnsFor(Math.min(most, processors + 1), limits),
    };
  }

  /** Works on a request at its turn. Rejects with `NoTurnError` if it cannot wait. */
  run<Result>(
    request: FastifyRequest,
    weight: RequestWeight,
    work: () => Promise<Result>,
    options?: { readonly goesOn?: boolean },
  ): Promise<Result> {
    return this.#turns[weight].run(request.caller?.cid ?? addressKey(request.ip), work, options);
  }

  /** The load of each queue, by the kind of its requests. */
  get loads(): Readonly<Record<RequestWeight, () => QueueLoad>> {
    const { light, change, heavy } = this.#turns;
    return { light: () => light.load(), change: () => change.load(), heavy: () => heavy.load() };
  }

  #mayStart(): boolean {
    const now = performance.now();
    if (this.#began !== null) return now - this.#began < startMilliseconds;
    this.#began = now;
    setImmediate(() => {
      this.#began = null;
      // The first of the two may use all of the time.
      this.#changesFirst = !this.#changesFirst;
      const { light, change } = this.#turns;
      for (const turns of this.#changesFirst ? [change, light] : [light, change]) turns.start();
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

/** Members of a body that select records by a filter. */
const selections = ["filter", "bulk_update"] as const;

/** Tells the requests of an operation that may be long work: they compute over many records, or change those of a filter. */
export function heavyRequestsOf({
  method,
  path,
  parameters,
  requestBody,
}: ServedOperation): (request: Pick<FastifyRequest, "query" | "body">) => boolean {
  if (path.split("/").some((part) => heavyPaths.has(part))) return () => true;
  if (method === "get" || method === "head") return () => false;
  const members = parameters.some(({ name }) => name === "filter") ? ["filter"] : [];
  const documented = new Set(
    Object.values(requestBody?.content ?? {}).flatMap((schema) =>
      Object.keys((resolved(schema) as { readonly properties?: object }).properties ?? {}),
    ),
  );
  const ofBody = selections.filter((name) => documented.has(name));
  return ({ query, body }) => has(query, members) || has(body, ofBody);
}

/** Whether one of the members has a value. */
function has(value: unknown, names: readonly string[]): boolean {
  if (typeof value !== "object" || value === null) return false;
  return names.some((name) => {
    const member = (value as Readonly<Record<string, unknown>>)[name];
    return member !== undefined && member !== null;
  });
}
