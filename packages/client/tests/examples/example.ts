import type { Tenant } from "@security-platform/server/internal";
import type { Client, Input, OperationId } from "../../src/index.ts";
import type { LiveServer } from "../support/live-server.ts";

/** The environment of one example: a separate tenant. */
export interface World {
  readonly server: LiveServer;
  readonly tenant: Tenant;
  /** A client of the tenant with all scopes. */
  readonly client: Client;
  readonly credentials: { readonly client_id: string; readonly client_secret: string };
}

export interface Example<Id extends OperationId> {
  readonly input: Input<Id>;
  /** The expected data of the response; may contain vitest's asymmetric matchers. */
  readonly expected: unknown;
}

/** One call of each operation of a collection, after creating the records that it needs. */
export type Examples<Id extends OperationId> = {
  readonly [Each in Id]: (world: World) => Example<Each> | Promise<Example<Each>>;
};
