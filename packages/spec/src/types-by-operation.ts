import type { OperationId, QueryDefaults, UploadMembers } from "./generated/operation-ids.ts";
import type { operations as OperationTypes } from "./generated/types.ts";

type Flat<Type> = { readonly [Key in keyof Type]: Type[Key] };
type None = Readonly<Record<never, never>>;

type ParametersIn<
  Id extends OperationId,
  Place extends "query" | "path" | "header",
> = OperationTypes[Id]["parameters"] extends { readonly [Key in Place]?: infer Found }
  ? [NonNullable<Found>] extends [never]
    ? None
    : NonNullable<Found>
  : None;

/** Query parameters in a request. */
export type QueryInputOf<Id extends OperationId> = ParametersIn<Id, "query">;

/** Query parameters in a handler: validated, with defaults. */
export type QueryOf<Id extends OperationId> = Flat<
  Omit<QueryInputOf<Id>, QueryDefaults[Id]> &
    Required<Pick<QueryInputOf<Id>, QueryDefaults[Id] & keyof QueryInputOf<Id>>>
>;

export type PathOf<Id extends OperationId> = ParametersIn<Id, "path">;

/** Header parameters, named as in the document. */
export type HeadersOf<Id extends OperationId> = ParametersIn<Id, "header">;

type ContentOf<Type> = Type extends { readonly content: infer Content }
  ? Content[keyof Content]
  : undefined;

/** Undefined for operations without a body. */
export type RequestBody<Id extends OperationId> =
  ContentOf<NonNullable<OperationTypes[Id]["requestBody"]>> extends infer Body
    ? [Body] extends [never]
      ? undefined
      : Body
    : never;

/** Names of the file members of an operation's form. */
export type FileMembersOf<Id extends OperationId> = Id extends keyof UploadMembers
  ? UploadMembers[Id]
  : never;

/** The members of a body that are not files. */
export type FieldsOf<Id extends OperationId> = [FileMembersOf<Id>] extends [never]
  ? RequestBody<Id>
  : Flat<Omit<NonNullable<RequestBody<Id>>, FileMembersOf<Id>>>;

type SuccessStatus = 200 | 201 | 202 | 204;

/** Body of a success, in the default representation. */
export type ResponseBody<Id extends OperationId> = ContentOf<
  OperationTypes[Id]["responses"][SuccessStatus & keyof OperationTypes[Id]["responses"]]
>;
