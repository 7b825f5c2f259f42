import type { Answer, CallOptions as ClientCallOptions, Client } from "@security-platform/client";
import type { CalledOperation } from "@security-platform/spec";

/** The input of a method of the client. In forms, files are still paths. */
export type Input = Readonly<Record<string, unknown>> & { readonly body?: unknown };

/** A method of the client, whatever its operation. */
export interface AnyMethod {
  (
    input: Input,
    options?: ClientCallOptions & { readonly readAhead?: boolean },
  ): Promise<Answer<unknown>>;
  raw(input: Input, options?: ClientCallOptions): Promise<Response>;
}

/** The client's method of an operation. */
export function methodOf(client: Client, { collection, methodName }: CalledOperation): AnyMethod {
  const name = collection.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const methods = client[name as keyof Client] as unknown as Readonly<Record<string, AnyMethod>>;
  return methods[methodName] as AnyMethod;
}
