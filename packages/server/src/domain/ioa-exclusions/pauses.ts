import { setImmediate } from "node:timers/promises";

const longestTurn = 10;

/** For long loops: awaiting the result in each iteration lets other requests run every 10 ms. */
export function pauses(): () => Promise<void> | undefined {
  let began = performance.now();
  const takeTurn = async (): Promise<void> => {
    await setImmediate();
    began = performance.now();
  };
  return () => (performance.now() - began < longestTurn ? undefined : takeTurn());
}
