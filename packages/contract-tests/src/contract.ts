import {
  completeDocument,
  completeEnvelopeDocument,
  fqlTables,
  operations,
  type FqlTable,
  type JsonSchema,
  type Operation as PlatformOperation,
} from "@security-platform/spec";

/** References point into the contract: `#/components/schemas/Indicator`. */
export type Schema = JsonSchema;

/** One entry of the operations index. Contracts of other APIs have other ids. */
export type Operation = Omit<PlatformOperation, "id" | "document" | "methodName" | "replacedBy"> & {
  readonly id: string;
  readonly document?: PlatformOperation["document"];
  readonly replacedBy?: string;
};

/** The basis of checks and cases: a document and its operations index. */
export interface Contract {
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly operations: readonly Operation[];
  readonly tables: Readonly<Record<string, FqlTable>>;
  /** Schemas of successes in the Envelope representation, by operation id. */
  readonly envelopes: Readonly<Record<string, Schema>>;
  /** Schemas of successes as plain JSON for existing clients, by operation id. */
  readonly plain: Readonly<Record<string, Schema>>;
}

/** The other representation of every success: `{"meta":…,"resources":[…],"errors":[]}`. */
export const envelopeMediaType = "application/vnd.security-platform.envelope+json";

let platform: Contract | undefined;

/** The contract of the Security Platform API and of its companion operations. */
export function platformContract(): Contract {
  platform ??= {
    schemas: {
      ...completeEnvelopeDocument().components.schemas,
      ...completeDocument().components.schemas,
    },
    operations: operations(),
    tables: fqlTables,
    envelopes: Object.fromEntries(operations().flatMap(entryOf(envelopeMediaType))),
    plain: Object.fromEntries(operations().flatMap(entryOf("application/json"))),
  };
  return platform;
}

/** The contract without optional operations. */
export const withoutCompanion = (contract: Contract): Contract => ({
  ...contract,
  operations: contract.operations.filter(({ document }) => document !== "companion"),
});

interface DocumentedResponses {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}

const entryOf =
  (mediaType: string) =>
  ({ id, path, method }: PlatformOperation) => {
    const item = completeEnvelopeDocument().paths[path]?.[method] as
      DocumentedResponses | undefined;
    // A success for existing clients can have a status of its own.
    for (const [status, { content }] of Object.entries(item?.responses ?? {})) {
      const schema = content?.[mediaType]?.schema;
      if (isSuccess(Number(status)) && schema !== undefined) return [[id, schema] as const];
    }
    return [];
  };

export type DocumentedResponse = Operation["responses"][number];
export type Parameter = Operation["parameters"][number];

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

export function operationById({ operations: known }: Contract, id: string): Operation {
  const match = known.find((operation) => operation.id === id);
  if (match === undefined) throw new Error(`the document has no operation ${id}`);
  return match;
}
