import type { QueueLoad } from "../foundation/meters.ts";

/** Milliseconds between two looks for works that have waited for too long. */
const lookMilliseconds = 250;

/** What a tenant has of the workers. */
interface Tenant<Worker> {
  working: number;
  readonly waiting: Waiting<Worker>[];
}

interface Waiting<Worker> {
  /** Milliseconds of the clock of the turns. */
  readonly since: number;
  readonly start: (worker: Worker) => void;
  readonly refuse: (error: Error) => void;
}

/** Limits for work. Default: none. */
export interface WaitingLimits {
  /** Maximum number of works of one tenant that wait. */
  readonly ofTenant: number;
  /** Maximum time of a wait in milliseconds. */
  readonly milliseconds: number;
  /** Milliseconds of a clock that only runs forward. Default: that of the process. */
  readonly now?: () => number;
  /** Whether work may start now. If not, `start` is called later. Default: always. */
  readonly mayStart?: () => boolean;
}

/** The work was not started: too much work of its tenant waits, or it has waited for too long. */
export class NoTurnError extends Error {
  override readonly name = "NoTurnError";
}

/**
 * Shares workers between tenants. Tenants that wait take turns, and one tenant has at most all workers but one. So the
 * slow work of a tenant delays that of other tenants as little as possible.
 */
export class TenantTurns<Worker extends object | number> {
  readonly #idle: Worker[];
  readonly #mostOfTenant: number;
  readonly #limits: WaitingLimits;
  /** The tenants that wait or are worked for, in the order of their next turns. */
  readonly #tenants = new Map<string, Tenant<Worker>>();
  readonly #count: number;
  #waiting = 0;
  #timer: NodeJS.Timeout | undefined;
  #full = 0;
  #late = 0;

  constructor(
    workers: readonly Worker[],
    limits: WaitingLimits = { ofTenant: Infinity, milliseconds: Infinity },
  ) {
    this.#idle = workers.toReversed();
    this.#count = workers.length;
    this.#mostOfTenant = Math.max(1, workers.length - 1);
    this.#limits = limits;
  }

  /** The number of works that wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /** The works now, and the refused ones since the start. */
  load(): QueueLoad {
    const working = this.#count - this.#idle.length;
    return { working, waiting: this.#waiting, full: this.#full, late: this.#late };
  }

  /**
   * Runs `work` at the tenant's turn. Each worker does one work at a time. `goesOn`: the work continues earlier work of
   * the tenant, and comes before what else of the tenant waits. Rejects with `NoTurnError`.
   */
  async run<Result>(
    cid: string,
    work: (worker: Worker) => Promise<Result>,
    { goesOn = false }: { readonly goesOn?: boolean } = {},
  ): Promise<Result> {
    const tenant = this.#tenants.get(cid) ?? this.#add(cid);
    const worker = this.#takeIdle(tenant) ?? (await this.#wait(tenant, goesOn));
    try {
      return await work(worker);
    } finally {
      this.#end(cid, tenant, worker);
    }
  }

  /** Refuses the works that have waited for too long. Runs by itself while works wait. */
  refuseLate(): void {
    const { milliseconds } = this.#limits;
    const earliest = this.#now() - milliseconds;
    for (const [cid, tenant] of this.#tenants) {
      const { waiting } = tenant;
      const late = waiting.filter(({ since }) => since <= earliest);
      if (late.length === 0) continue;
      waiting.splice(0, waiting.length, ...waiting.filter(({ since }) => since > earliest));
      this.#waiting -= late.length;
      this.#late += late.length;
      if (tenant.working === 0 && waiting.length === 0) this.#tenants.delete(cid);
      for (const { refuse } of late) refuse(new NoTurnError(`waited for ${milliseconds} ms`));
    }
  }

  #add(cid: string): Tenant<Worker> {
    const tenant: Tenant<Worker> = { working: 0, waiting: [] };
    this.#tenants.set(cid, tenant);
    return tenant;
  }

  #takeIdle(tenant: Tenant<Worker>): Worker | undefined {
    if (tenant.working >= this.#mostOfTenant || this.#idle.length === 0) return undefined;
    if (this.#limits.mayStart?.() === false) return undefined;
    // The worker that became idle last has the warmest caches.
    const worker = this.#idle.pop();
    if (worker !== undefined) tenant.working += 1;
    return worker;
  }

  #wait({ waiting }: Tenant<Worker>, goesOn: boolean): Promise<Worker> {
    if (waiting.length >= this.#limits.ofTenant && !goesOn) {
      this.#full += 1;
      return Promise.reject(new NoTurnError(`${waiting.length} works of the tenant wait`));
    }
    return new Promise((start, refuse) => {
      const work = { since: this.#now(), start, refuse };
      if (goesOn) waiting.unshift(work);
      else waiting.push(work);
      this.#waiting += 1;
      this.#look();
    });
  }

  /** Looks for late works while any wait. */
  #look(): void {
    if (this.#limits.milliseconds === Infinity) return;
    this.#timer ??= setInterval(() => {
      this.refuseLate();
      if (this.#waiting > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    }, lookMilliseconds).unref();
  }

  #now(): number {
    return (this.#limits.now ?? defaultNow)();
  }

  /** Starts what waits and may start. */
  start(): void {
    if (this.#waiting === 0) return;
    for (const [cid, tenant] of this.#tenants) {
      if (this.#idle.length === 0) return;
      if (tenant.waiting.length === 0) continue;
      const worker = this.#takeIdle(tenant);
      if (worker === undefined) continue;
      this.#waiting -= 1;
      tenant.waiting.shift()?.start(worker);
      // The loop comes to the tenant again.
      this.#moveToEnd(cid, tenant);
      if (this.#limits.mayStart === undefined) continue;
      // The work begins before this, so that its time counts.
      queueMicrotask(() => this.start());
      return;
    }
  }

  #end(cid: string, tenant: Tenant<Worker>, worker: Worker): void {
    this.#idle.push(worker);
    tenant.working -= 1;
    if (tenant.working === 0 && tenant.waiting.length === 0) this.#tenants.delete(cid);
    else if (this.#waiting > 0) this.#moveToEnd(cid, tenant);
    this.start();
  }

  #moveToEnd(cid: string, tenant: Tenant<Worker>): void {
    this.#tenants.delete(cid);
    this.#tenants.set(cid, tenant);
  }
}

const defaultNow = (): number => performance.now();
