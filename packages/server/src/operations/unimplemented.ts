import type { OperationId } from "@security-platform/spec";
import { errors } from "../errors.ts";
import type { Handler } from "../handler.ts";

/** Operations without a handler, by collection; they answer 501. */
const unimplemented = {
  container: [],
  "identity-protection": [],
  "ioa-exclusions": [],
} as const satisfies Readonly<Record<string, readonly OperationId[]>>;

export type UnimplementedOperationId = (typeof unimplemented)[keyof typeof unimplemented][number];

export const unimplementedOperations: readonly UnimplementedOperationId[] =
  Object.values(unimplemented).flat();

/** Handlers that answer 501, behind the same authentication and validation as all others. */
export const unimplementedHandlers = () =>
  Object.fromEntries(
    unimplementedOperations.map((id) => [
      id,
      async () => {
        throw errors.notImplemented(id);
      },
    ]),
  ) as unknown as { readonly [Id in UnimplementedOperationId]: Handler<Id> };
