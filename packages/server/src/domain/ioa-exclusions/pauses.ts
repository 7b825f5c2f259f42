import { setImmediate } from "node:timers/promises";

const longestTurn = 10;

/**
 * For loops that compute for long: awaiting the result in each round gives other requests their turn
 * once 10 ms have gone by.
 */
export function pauses(): () => Promise<void> | undefined {
  let began = performance.now();
  const takeTurn = async (): Promise<void> => {
    await setImmediate();
    began = performance.now();
  };
  return () => (performance.now() - began < longestTurn ? undefined : takeTurn());
}
