import type { FaultRules } from "./fault-rule.ts";
import type { RecordedRequests } from "./recorded-request.ts";

/** What `/_control` can do. Methods throw `RangeError` for invalid input, and `StoreError` if it is not possible. */
export interface ControlPlane {
  readonly clock: {
    now(): Date;
    readonly frozen: boolean;
    freeze(at: Date): void;
    run(from: Date): void;
  };
  readonly faults: FaultRules;
  readonly requests: RecordedRequests;
  readonly snapshots: readonly number[];
  reset(): Promise<void>;
  takeSnapshot(): Promise<number>;
  restore(number: number): Promise<void>;
  dropSnapshot(number: number): Promise<void>;
  advance(duration: number | string): Promise<object>;
  seedWorld(world: string, seed: number): Promise<object>;
  seedRecords(
    kind: string,
    records: readonly object[],
    cid: string,
  ): Promise<{ readonly imported: number; readonly updated: number }>;
  createTenant(name: string, parentCid: string | null): Promise<object>;
  createClient(
    cid: string,
  ): Promise<{ readonly client_id: string; readonly client_secret: string }>;
  /** Number of attempts. */
  runJobs(): Promise<number>;
  listJobs(limit: number): Promise<readonly object[]>;
  listMails(limit: number): Promise<readonly object[]>;
  listDeliveries(limit: number): Promise<readonly object[]>;
  listLimits(): readonly object[];
  clearLimits(): void;
}
