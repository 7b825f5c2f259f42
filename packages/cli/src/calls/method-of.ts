import type {
  Answer,
  CallOptions as ClientCallOptions,
  Client,
  FileOptions,
} from "@security-platform/client";
import type { CalledOperation } from "@security-platform/spec";

/** The input of a method of the client. In forms, files are still paths. */
export type Input = Readonly<Record<string, unknown>> & { readonly body?: unknown };

/** A method of the client, whatever its operation. */
export interface AnyMethod {
  (
    input: Input,
    options?: ClientCallOptions &
      Pick<FileOptions, "onProgress"> & { readonly readAhead?: boolean },
  ): Promise<Answer<unknown>>;
  raw(input: Input, options?: ClientCallOptions): Promise<Response>;
}

/** The client's method of an operation. */
export const methodOf = (
  client: Client,
  { collection, methodName }: Pick<CalledOperation, "collection" | "methodName">,
): AnyMethod => methodsOf(client, collection)[methodName] as AnyMethod;

/** All methods of a collection, which is named as in the document: `case-management`. */
export function methodsOf(client: Client, collection: string): Readonly<Record<string, unknown>> {
  const name = collection.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return client[name as keyof Client] as unknown as Readonly<Record<string, unknown>>;
}
