/** The inputs and outputs of each operation, all derived from the document. */
import type { Fields, Filter, FilterableName, FilterOf } from "@security-platform/fql";
import type {
  fqlTables,
  OperationId,
  operations as DocumentOperations,
  ResponseBody,
} from "@security-platform/spec";
import type { CallOptions } from "./call-options.ts";
import type { OperationTable } from "./generated/operations.ts";
import type { Page } from "./page.ts";
import type { ResponseInfo } from "./response-info.ts";

export type { OperationId };

type FqlTables = typeof fqlTables;

/** Resources that can be filtered and sorted. */
export type Resource = keyof FqlTables;

/** The fields of a resource for filters and sort orders. */
export type FieldsOf<Of extends Resource> = FqlTables[Of]["fields"];

/** A key of a sort order: `value`, `value.asc`, `value.desc`. */
export type SortKey<Table extends Fields> = `${SortableName<Table>}${"" | ".asc" | ".desc"}`;

type SortableName<Table extends Fields> = {
  [Name in keyof Table]: Table[Name] extends { readonly sortable: true } ? Name : never;
}[keyof Table] &
  string;

/** The second argument of `call`. */
export type Input<Id extends OperationId> = Section<"path", ParametersIn<Id, "path">> &
  Section<"query", ParametersIn<Id, "query">> &
  Section<"headers", ParametersIn<Id, "header">> &
  BodySection<Id>;

/** The argument of a readable method: parameters by name, the body as `body`. */
export type FlatInput<Id extends OperationId> = Flat<ParametersIn<Id, "path">> &
  Flat<ParametersIn<Id, "query">> &
  Flat<ParametersIn<Id, "header">> &
  BodySection<Id>;

/** The records, ids, object or file of a success. */
export type Data<Id extends OperationId> = OperationTable[Id]["answer"] extends infer Kind
  ? Kind extends "none"
    ? undefined
    : Kind extends "file"
      ? Blob
      : ResponseBody<Id>
  : never;

/** One record of a list. */
export type RecordOf<Id extends OperationId> =
  Data<Id> extends readonly (infer Item)[] ? Item : never;

/** The result of a call. */
export interface Answer<Id extends OperationId> {
  readonly data: Data<Id>;
  /** Only for paging operations. */
  readonly page: OperationTable[Id]["paging"] extends "none" ? undefined : Page;
  readonly response: ResponseInfo;
}

/**
 * A readable method. Its single argument contains parameters and body, and is optional if all of them are.
 */
export type Method<Id extends OperationId> = (
  ...input: WithOptions<FlatInput<Id>>
) => Promise<Answer<Id>>;

/** Calls an operation by its id. */
export type Call = <Id extends OperationId>(
  operationId: Id,
  ...input: WithOptions<Input<Id>>
) => Promise<Answer<Id>>;

type WithOptions<Given> =
  Record<never, never> extends Given
    ? [input?: Given, options?: CallOptions]
    : [input: Given, options?: CallOptions];

type ParametersIn<
  Id extends OperationId,
  Place extends "path" | "query" | "header",
> = DocumentOperations[Id]["parameters"] extends { readonly [Name in Place]?: infer Found }
  ? [NonNullable<Found>] extends [never]
    ? never
    : ParameterInput<NonNullable<Found>, OperationTable[Id]["fql"]["query"]>
  : never;

type IsOptional<Of, Name extends keyof Of> =
  Record<never, never> extends Pick<Of, Name> ? true : false;

/** An optional parameter may also be undefined, and is then not sent. */
type ParameterInput<Values, Uses> = {
  readonly [Name in keyof Values]:
    Member<Name, Values[Name], Uses> | (IsOptional<Values, Name> extends true ? undefined : never);
};

type Section<Place extends string, Values> = [Values] extends [never]
  ? { readonly [Name in Place]?: undefined }
  : Record<never, never> extends Values
    ? { readonly [Name in Place]?: Values | undefined }
    : { readonly [Name in Place]: Values };

type Flat<Values> = [Values] extends [never] ? unknown : Values;

/** The body section: absent for operations without a body, and optional if the document says so. */
type BodySection<Id extends OperationId> = DocumentOperations[Id] extends {
  readonly requestBody: { readonly content: infer Content };
}
  ? { readonly body: BodyOf<Id, Content> }
  : DocumentOperations[Id] extends { readonly requestBody?: infer Body }
    ? [NonNullable<Body>] extends [never]
      ? { readonly body?: undefined }
      : NonNullable<Body> extends { readonly content: infer Content }
        ? { readonly body?: BodyOf<Id, Content> | undefined }
        : never
    : { readonly body?: undefined };

type BodyOf<Id extends OperationId, Content> = Content extends {
  readonly "multipart/form-data": infer Parts;
}
  ? FormData | { readonly [Name in keyof Parts]: Parts[Name] | Blob }
  : Members<Content[keyof Content], OperationTable[Id]["fql"]["body"]>;

/** A type of the document in which filters and sort orders may also be trees and lists of keys. */
type Members<Value, Uses> = [keyof Uses] extends [never]
  ? Value
  : Value extends object
    ? { readonly [Name in keyof Value]: Member<Name, Value[Name], Uses> }
    : Value;

type Member<Name, Value, Uses> = Name extends keyof Uses
  ? FqlValue<Uses[Name]> | Exclude<Value, string>
  : Members<Value, Uses>;

type FqlValue<Use> = Use extends { readonly use: infer Kind; readonly resource: infer Of }
  ? Kind extends "filter"
    ? string | (Of extends Resource ? FilterOf<FieldsOf<Of>> : Filter)
    : Kind extends "sort"
      ? string | readonly (Of extends Resource ? SortKey<FieldsOf<Of>> : string)[]
      : Of extends Resource
        ? FilterableName<FieldsOf<Of>>
        : string
  : never;
