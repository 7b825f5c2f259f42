import type { WaitOptions } from "../sending/call-options.ts";
import type { Connection } from "../sending/connection.ts";
import type { Operation } from "./operation.ts";
import type { WaitRule } from "./wait.ts";

/** A method that waits for the work of a record that an operation reads. Its code is loaded at the first call. */
export const waiter = <Bound>(
  { descriptor }: Operation<unknown>,
  rule: WaitRule,
): Operation<Bound> => {
  const bind =
    (connection: Connection) =>
    async (id: string, options: WaitOptions<unknown> = {}) => {
      const { wait } = await import("./wait.ts");
      return wait(connection, descriptor, rule, id, options);
    };
  return Object.assign(bind as (connection: Connection) => Bound, { descriptor });
};
