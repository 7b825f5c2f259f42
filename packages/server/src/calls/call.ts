import type { ReceivedFile } from "../blobs/blob-store.ts";
import type {
  components,
  FieldsOf,
  FileMembersOf,
  HeadersOf,
  OperationId,
  PathOf,
  QueryOf,
  ServedOperation,
} from "@security-platform/spec";
import type { KeyedRequest } from "../store/index.ts";
import type { Context } from "./context.ts";

/** The operations that issue and revoke tokens. They need no token themselves. */
export type PublicOperationId = "oauth2AccessToken" | "oauth2RevokeToken";

/** What the roles of a user allow in one tenant. */
export interface Permissions {
  /** Role ids in text order. Empty: the user has no access to the tenant. */
  readonly roles: readonly string[];
  /** Scopes of the document. */
  readonly scopes: ReadonlySet<string>;
  /** Actions on users, as `userAllowedActionsV1` names them. */
  readonly actions: ReadonlySet<components["schemas"]["AllowedActionName"]>;
}

/** The user that a client acts as, and what that user may do in the token's tenant. */
export interface ActingUser extends Permissions {
  readonly uuid: string;
  readonly uid: string;
}

/** The caller: an API client that acts in the tenant of its token. */
export interface Caller {
  readonly clientId: string;
  /** The tenant whose records the call reads and writes. */
  readonly cid: string;
  readonly scopes: readonly string[];
  /** The user that the client acts as. Absent: the client acts for itself. */
  readonly user?: ActingUser;
}

/** Client credentials of an `Authorization: Basic` header (RFC 7617). */
export interface BasicCredentials {
  readonly clientId: string;
  readonly secret: string;
}

/**
 * An uploaded file of a form. It stays on disk until the handler has answered, and the blob store can adopt
 * it.
 */
export interface UploadedFile extends ReceivedFile {
  /** The file name from the caller, without folders; may be empty. */
  readonly name: string;
  /** The media type from the caller. */
  readonly mediaType: string;
}

/** One validated request. Values have the types of the document, defaults filled in. */
export interface Call<Id extends OperationId = OperationId> {
  readonly operation: ServedOperation;
  readonly query: QueryOf<Id>;
  readonly path: PathOf<Id>;
  /** The header parameters that the document declares for the operation. */
  readonly headers: HeadersOf<Id>;
  /** The body; of a form, the members that are not files. */
  readonly body: FieldsOf<Id>;
  /** The files of a form, by member name. */
  readonly files: { readonly [Member in FileMembersOf<Id>]: UploadedFile };
  /** Null for the operations that need no token. */
  readonly caller: Id extends PublicOperationId ? null : Caller;
  readonly basic: BasicCredentials | null;
  /** The time of the request. It dates everything that the request reads or writes. */
  readonly now: Date;
  readonly traceId: string;
  /** The request with its idempotency key, or null without one. */
  readonly keyed: KeyedRequest | null;
  /** Scheme and authority of the URL that callers use to reach the server. */
  readonly origin: string;
  readonly context: Context;
}
