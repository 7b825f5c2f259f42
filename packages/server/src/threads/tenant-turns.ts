interface Tenant<Worker> {
  /** Number of workers that work for the tenant. */
  working: number;
  readonly waiting: ((worker: Worker) => void)[];
}

/**
 * Shares workers between tenants. Tenants that wait take turns, and one tenant has at most all workers but one. So the
 * slow work of a tenant delays that of other tenants as little as possible.
 */
export class TenantTurns<Worker> {
  readonly #idle: Worker[];
  readonly #mostOfTenant: number;
  /** The tenants that wait or are worked for, in the order of their next turns. */
  readonly #tenants = new Map<string, Tenant<Worker>>();

  constructor(workers: readonly Worker[]) {
    this.#idle = workers.toReversed();
    this.#mostOfTenant = Math.max(1, workers.length - 1);
  }

  /** Runs `work` at the tenant's turn. Each worker does one work at a time. */
  run<Result>(cid: string, work: (worker: Worker) => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const tenant = this.#tenants.get(cid) ?? { working: 0, waiting: [] };
      this.#tenants.set(cid, tenant);
      tenant.waiting.push((worker) => {
        void work(worker)
          .then(resolve, reject)
          .then(() => this.#end(cid, tenant, worker));
      });
      this.#start();
    });
  }

  #start(): void {
    for (const [cid, tenant] of this.#tenants) {
      if (tenant.working === this.#mostOfTenant) continue;
      const start = tenant.waiting[0];
      // The worker that became idle last has the warmest caches.
      const worker = start === undefined ? undefined : this.#idle.pop();
      if (start === undefined || worker === undefined) continue;
      tenant.waiting.shift();
      tenant.working += 1;
      // The loop comes to the tenant again.
      this.#moveToEnd(cid, tenant);
      start(worker);
    }
  }

  #end(cid: string, tenant: Tenant<Worker>, worker: Worker): void {
    this.#idle.push(worker);
    tenant.working -= 1;
    if (tenant.working === 0 && tenant.waiting.length === 0) this.#tenants.delete(cid);
    else this.#moveToEnd(cid, tenant);
    this.#start();
  }

  #moveToEnd(cid: string, tenant: Tenant<Worker>): void {
    this.#tenants.delete(cid);
    this.#tenants.set(cid, tenant);
  }
}
