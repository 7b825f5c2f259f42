import type {
  HeadersOf,
  Operation,
  OperationId,
  PathOf,
  QueryOf,
  RequestBody,
} from "@security-platform/spec";
import type { ActingUser } from "../access/permissions.ts";
import type { Context } from "../context.ts";
import type { RecordText } from "../store/types.ts";

/** The operations that hand out and take back tokens, and so need none. */
export type PublicOperationId = "oauth2AccessToken" | "oauth2RevokeToken";

/** Who calls: an API client, acting for the tenant its token names. */
export interface Caller {
  readonly clientId: string;
  /** The tenant whose records the call reads and writes. */
  readonly cid: string;
  readonly scopes: readonly string[];
  /** The user that the client acts as; absent: it acts for itself. */
  readonly user?: ActingUser;
}

/** Client credentials as they came in an `Authorization: Basic` header (RFC 7617). */
export interface BasicCredentials {
  readonly clientId: string;
  readonly secret: string;
}

/** One validated request. Values have the types that the document gives them, defaults filled in. */
export interface Call<Id extends OperationId = OperationId> {
  readonly operation: Operation;
  readonly query: QueryOf<Id>;
  readonly path: PathOf<Id>;
  /** The header parameters that the document gives the operation. */
  readonly headers: HeadersOf<Id>;
  readonly body: RequestBody<Id>;
  /** Null for the operations that need no token. */
  readonly caller: Id extends PublicOperationId ? null : Caller;
  readonly basic: BasicCredentials | null;
  /** The instant of the request; everything it reads or writes is dated by it. */
  readonly now: Date;
  readonly traceId: string;
  readonly context: Context;
}

/** Page data of an answer; it travels in headers, or in `meta.pagination` of the Envelope. */
export interface PageData {
  readonly limit: number;
  readonly offset?: number;
  readonly total?: number;
  /** Cursor of the next page; absent on the last one. */
  readonly after?: string;
  /** The next page by offset; absent on the last one. */
  readonly nextOffset?: number | string;
}

/** What a handler answers; http/represent.ts gives it its form on the wire. */
export type Answer =
  | { readonly kind: "records"; readonly records: readonly RecordText[]; readonly page?: PageData }
  | { readonly kind: "ids"; readonly ids: readonly string[]; readonly page?: PageData }
  | { readonly kind: "object"; readonly object: object }
  /** `resources`: of the operations whose Envelope carries some; absent, none. */
  | { readonly kind: "envelope"; readonly affected?: number; readonly resources?: object };

export type Handler<Id extends OperationId = OperationId> = (call: Call<Id>) => Promise<Answer>;

/** One handler an operation of the document: a missing one does not compile. */
export type OperationHandlers = { readonly [Id in OperationId]: Handler<Id> };
