import type { Tenant } from "@security-platform/server";
import type { Client, Input, OperationId } from "../../src/index.ts";
import type { LiveServer } from "../support/live-server.ts";

/** Where one example is tried: a tenant of its own. */
export interface World {
  readonly server: LiveServer;
  readonly tenant: Tenant;
  /** A client of the tenant with every scope. */
  readonly client: Client;
  readonly credentials: { readonly client_id: string; readonly client_secret: string };
}

export interface Example<Id extends OperationId> {
  readonly input: Input<Id>;
  /** What the answer's data must equal; vitest's asymmetric matchers may stand in it. */
  readonly expected: unknown;
}

/** One call of each operation of a collection, after whatever it needs has been made. */
export type Examples<Id extends OperationId> = {
  readonly [Each in Id]: (world: World) => Example<Each> | Promise<Example<Each>>;
};
