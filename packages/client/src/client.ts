/// <reference lib="esnext.disposable" preserve="true" />
import { nearest } from "@security-platform/fql";
import type { CallOptions } from "./sending/call-options.ts";
import { connect, type Connection } from "./sending/connection.ts";
import { collections, type Collections, type MethodsById } from "./generated/collections.ts";
import type { OperationId } from "./generated/names.ts";
import { resolveCredentials, type CredentialOptions } from "./credentials/credentials.ts";
import { download } from "./operations/download.ts";
import type { FileCall } from "./operations/file-call.ts";
import type { ReceiveOptions } from "./operations/receive-file.ts";
import type { LinkToFile } from "./operations/receive-link.ts";
import { withDebugLines } from "./sending/debug-lines.ts";
import { environmentVariable } from "./credentials/environment.ts";
import type { ConnectionOptions } from "./sending/options.ts";

export interface ClientOptions extends CredentialOptions, ConnectionOptions {
  /** Writes one line for each request to the console. Default: whether `SECPLAT_DEBUG` is `http`. */
  readonly debug?: boolean | ((line: string) => void) | undefined;
}

/** The input of an operation. */
export type Input<Id extends OperationId> = Parameters<MethodsById[Id]>[0];

/** The result of the call of an operation. */
export type Result<Id extends OperationId> = ReturnType<MethodsById[Id]>;

/** A client of the API: the methods of each collection, and every operation by its id. */
export interface Client extends Collections {
  /** `client.call("indicator.get.v1", { ids })`: the same as the method of the operation. */
  call<Id extends OperationId>(operationId: Id, ...input: Parameters<MethodsById[Id]>): Result<Id>;
  /**
   * Downloads the file of a signed link, such as a `FileLink` or a `DownloadInfo`. See {@link download}.
   */
  download(link: LinkToFile, options?: ReceiveOptions): FileCall;
  /**
   * A client that acts for a child tenant, with the same transport, limits and hooks, and its own token.
   */
  forTenant(memberCid: string): Client;
  /** Revokes the client's token at once; the next call gets a new one. */
  revokeToken(): Promise<void>;
  /** Rejects new calls, waits for calls in progress, then revokes the token. */
  close(): Promise<void>;
  /** Like `close`, but never rejects: a token that cannot be revoked is left to expire. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Creates a client that requests, renews and replaces its token automatically. Without credentials in the
 * options it uses those of the environment or of a profile. Throws a `TypeError` or a `RangeError` for
 * invalid options. Sends nothing before the first call.
 */
export function createClient(options: ClientOptions = {}): Client {
  const { hooks = {}, debug = environmentVariable("SECPLAT_DEBUG") === "http" } = options;
  const write = typeof debug === "function" ? debug : (line: string) => console.error(line);
  return clientOf(
    connect({
      ...options,
      ...resolveCredentials(options),
      hooks: debug === false ? hooks : withDebugLines(hooks, write),
    }),
  );
}

type AnyMethod = (input?: object, options?: CallOptions) => unknown;

function clientOf(connection: Connection): Client {
  const byCollection = collections(connection);
  const byId = new Map<string, AnyMethod>();
  for (const methods of Object.values(byCollection)) {
    for (const method of Object.values<{ readonly operationId?: string }>(methods)) {
      // Waiters have none.
      const { operationId } = method;
      if (operationId !== undefined) byId.set(operationId, method as unknown as AnyMethod);
    }
  }
  return Object.freeze({
    ...byCollection,
    call: (id: string, input?: object, options?: CallOptions) => {
      const method = byId.get(id);
      if (method === undefined) {
        const similar = nearest(String(id), [...byId.keys()]);
        const hint = similar === undefined ? "" : `; did you mean ${similar}?`;
        throw new TypeError(`unknown operation ${String(id)}${hint}`);
      }
      return method(input, options);
    },
    download: download(connection),
    forTenant: (memberCid: string) => clientOf(connection.forTenant(memberCid)),
    revokeToken: () => connection.revokeToken(),
    close: () => connection.close(),
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  }) as Client;
}
