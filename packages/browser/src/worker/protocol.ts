import type { StartOptions } from "@security-platform/testing/portable";
import type {
  HomeTenant,
  RecordedRequest,
  RequestFilter,
  World,
} from "@security-platform/server/portable";
import type { Members } from "./members.ts";

/** A clock that stands still, as in tests, or one that runs. */
export type ClockMode = "still" | "running";

/** The options of the worker, which checks them. */
export interface WorkerOptions extends Omit<StartOptions, "port"> {
  /**
   * The records to start with. `demo` is the world `small`, which `secplat serve` has. Default: none. The million
   * indicators of the world `large` do not fit into a page.
   */
  readonly seed?: Exclude<World, "large"> | "demo" | undefined;
  readonly clock?: ClockMode | undefined;
  /**
   * The name under which the browser keeps the platform's records and files between visits, for this site. One platform
   * at a time can use a name. Default: nothing is kept.
   */
  readonly storage?: string | undefined;
}

/** The home tenant, or the seeded one, and the time of the platform's clock. */
export interface Started extends HomeTenant {
  readonly now: Date;
}

export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: ArrayBuffer | null;
}

export interface SentResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [string, string])[];
  /** Null for a status without a body. */
  readonly body: ArrayBuffer | null;
}

/** A wait for requests that the platform receives. */
export interface Wait {
  readonly filter: RequestFilter | undefined;
  readonly count: number | undefined;
}

/** Results of the messages to the worker, by their kinds. */
export interface Results {
  readonly start: Started;
  readonly fetch: SentResponse;
  readonly wait: readonly RecordedRequest[];
  readonly call: unknown;
}

/** Messages from the page. The number identifies the reply. */
export type ToWorker =
  | { readonly number: number; readonly start: WorkerOptions }
  | { readonly number: number; readonly fetch: SentRequest }
  | { readonly number: number; readonly wait: Wait }
  | {
      readonly number: number;
      readonly call: keyof Members;
      readonly parameters: readonly unknown[];
    }
  | { readonly abort: number };

/** Messages from the worker. */
export type FromWorker =
  | { readonly number: number; readonly result: unknown }
  | { readonly number: number; readonly error: unknown };
