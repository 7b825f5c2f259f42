import { setImmediate } from "node:timers/promises";

/** Milliseconds of work after which other requests run. */
const longestTurn = 10;
/** Units of work after which other requests run, however fast the machine is. */
export const unitsPerTurn = 500;

/**
 * For long loops. Awaiting the result in each iteration lets other requests run after 10 ms or 500 units of
 * work. A unit takes microseconds: one item of a list, one row.
 */
export function pauses(): (units?: number) => Promise<void> | undefined {
  let began = performance.now();
  let done = 0;
  const takeTurn = async (): Promise<void> => {
    await setImmediate();
    began = performance.now();
    done = 0;
  };
  return (units = 1) => {
    done += units;
    return done < unitsPerTurn && performance.now() - began < longestTurn ? undefined : takeTurn();
  };
}
