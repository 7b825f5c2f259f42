import type { Readable } from "node:stream";
import type {
  FieldsOf,
  FileMembersOf,
  HeadersOf,
  OperationId,
  PathOf,
  QueryOf,
  ServedOperation,
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

/** A file of a form, on disk until the handler has answered. */
export interface UploadedFile {
  /** As the caller calls it, without folders; may be empty. */
  readonly name: string;
  /** As the caller says. */
  readonly mediaType: string;
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
  readonly path: string;
  /** Moves it to a path of the handler's, where it stays. */
  keep(path: string): Promise<void>;
}

/** One validated request. Values have the types that the document gives them, defaults filled in. */
export interface Call<Id extends OperationId = OperationId> {
  readonly operation: ServedOperation;
  readonly query: QueryOf<Id>;
  readonly path: PathOf<Id>;
  /** The header parameters that the document gives the operation. */
  readonly headers: HeadersOf<Id>;
  /** Of a form, the members that are no files. */
  readonly body: FieldsOf<Id>;
  /** The files of a form, by member. */
  readonly files: { readonly [Member in FileMembersOf<Id>]: UploadedFile };
  /** Null for the operations that need no token. */
  readonly caller: Id extends PublicOperationId ? null : Caller;
  readonly basic: BasicCredentials | null;
  /** The instant of the request; everything it reads or writes is dated by it. */
  readonly now: Date;
  readonly traceId: string;
  /** Where callers reach the server: scheme and authority. */
  readonly origin: string;
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

/** Bytes of a file, both ends included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface FileContent {
  /** What the caller's file shall be called; any text. */
  readonly name: string;
  /** One of those that the document gives the operation. */
  readonly mediaType: string;
  readonly bytes: number;
  /** Another for every other content, such as its digest: with it a broken download can be resumed. */
  readonly tag?: string;
  /** The bytes; `range` only where parts can be asked for. Called once, and not for HEAD. */
  open(range?: ByteRange): Readable | Promise<Readable>;
}

/** What a handler answers; http/represent.ts gives it its form on the wire. */
export type Answer =
  | { readonly kind: "records"; readonly records: readonly RecordText[]; readonly page?: PageData }
  | { readonly kind: "ids"; readonly ids: readonly string[]; readonly page?: PageData }
  /** `withMeta`: of the operations whose object carries the Envelope's `meta` itself. */
  | { readonly kind: "object"; readonly object: object; readonly withMeta?: true }
  /** `resources`: of the operations whose Envelope carries some; absent, none. */
  | { readonly kind: "envelope"; readonly affected?: number; readonly resources?: object }
  | { readonly kind: "file"; readonly file: FileContent }
  /** Headers without a body, names in lower case. */
  | { readonly kind: "none"; readonly headers: Readonly<Record<string, string>> };

export type Handler<Id extends OperationId = OperationId> = (call: Call<Id>) => Promise<Answer>;

/** One handler an operation of the document: a missing one does not compile. */
export type OperationHandlers = { readonly [Id in OperationId]: Handler<Id> };
