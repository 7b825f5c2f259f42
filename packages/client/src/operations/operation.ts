import type { CallOptions } from "../sending/call-options.ts";
import type { Connection } from "../sending/connection.ts";
import { descriptorOf, type Descriptor, type Source } from "../wire/descriptor.ts";
import type { AnyInput } from "../wire/encode.ts";
import { CallError } from "../wire/errors.ts";

/** An operation that becomes callable with a connection. */
export interface Operation<Bound> {
  (connection: Connection): Bound;
  readonly descriptor: Descriptor;
}

/** All operations of a collection. */
export type Collection<Bound> = (connection: Connection) => Bound;

export type AnyMethod<Result> = (input?: AnyInput, options?: CallOptions) => PromiseLike<Result>;

/** An operation whose answer is one value. */
export const operation = <Bound>(...source: Source): Operation<Bound> =>
  preparedOperation(descriptorOf(...source));

/** `prepare` changes the input before it is encoded. */
export const preparedOperation = <Bound>(
  descriptor: Descriptor,
  prepare: Prepare = unchanged,
): Operation<Bound> =>
  withForms(
    descriptor,
    (connection) =>
      (input = {}, options) =>
        connection.call(descriptor, () => prepare(input, options), options),
    prepare,
  );

const unchanged: Prepare = (input) => input;

/** Changes the input before it is encoded. */
export type Prepare = (input: AnyInput, options?: CallOptions) => AnyInput | Promise<AnyInput>;

/** Adds the forms that every method has. The generated module gives the method its type. */
export function withForms<Bound>(
  descriptor: Descriptor,
  bind: (connection: Connection) => AnyMethod<object>,
  prepare: Prepare = unchanged,
): Operation<Bound> {
  const bound = (connection: Connection): Bound => {
    const method = bind(connection);
    const forms = {
      operationId: descriptor.id,
      try: async (input?: AnyInput, options?: CallOptions) => {
        try {
          return await method(input, options);
        } catch (error) {
          if (error instanceof CallError) return { error };
          throw error;
        }
      },
      raw: async (input: AnyInput = {}, options?: CallOptions) =>
        connection.raw(descriptor, () => prepare(input, options), options),
    };
    return Object.assign(method, forms) as Bound;
  };
  return Object.assign(bound, { descriptor });
}

/** All operations of a collection, bound to one connection. */
export const collection =
  <Bound>(operations: {
    readonly [Name in keyof Bound]: Operation<Bound[Name]>;
  }): Collection<Bound> =>
  (connection) =>
    Object.freeze(
      Object.fromEntries(
        Object.entries<Operation<unknown>>(operations).map(([name, bind]) => [
          name,
          bind(connection),
        ]),
      ),
    ) as Bound;
