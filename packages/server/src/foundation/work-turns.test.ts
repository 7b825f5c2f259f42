import { expect, test } from "vitest";
import { WorkTurns } from "./work-turns.ts";

/** Works that each take one millisecond a step, and the steps that they took in each turn of the event loop. */
async function stepsByTurn(works: number, steps: number): Promise<readonly number[]> {
  const turns = new WorkTurns();
  let milliseconds = 0;
  turns.now = () => milliseconds;
  const byTurn = [0];
  let working = works;
  const countTurns = (): void => {
    byTurn.push(0);
    if (working > 0) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  const work = async (): Promise<void> => {
    for (let step = 0; step < steps; step += 1) {
      milliseconds += 1;
      byTurn[byTurn.length - 1] = (byTurn.at(-1) ?? 0) + 1;
      await turns.pause();
    }
    working -= 1;
  };
  await Promise.all(Array.from({ length: works }, work));
  return byTurn;
}

test("a turn ends after five milliseconds of one work", async () => {
  expect(Math.max(...(await stepsByTurn(1, 100)))).toBeLessThanOrEqual(6);
});

test("many works share the time of one turn", async () => {
  const steps = await stepsByTurn(60, 100);
  // At the start, each of them takes a step before it looks at the time.
  expect(Math.max(...steps.slice(1))).toBeLessThanOrEqual(6);
  expect(steps.reduce((sum, each) => sum + each, 0)).toBe(6_000);
});

test("works continue in the order in which they paused", async () => {
  const turns = new WorkTurns();
  let milliseconds = 0;
  turns.now = () => (milliseconds += 20);
  const order: string[] = [];
  const work = async (name: string): Promise<void> => {
    for (let step = 1; step <= 3; step += 1) {
      await turns.pause();
      order.push(`${name}${step}`);
    }
  };
  await turns.pause();
  await Promise.all([work("a"), work("b"), work("c")]);
  expect(order).toEqual(["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]);
});

test("many short works continue in one turn", async () => {
  const turns = new WorkTurns();
  let milliseconds = 0;
  turns.now = () => milliseconds;
  await turns.pause();
  milliseconds += 20;
  const works = Promise.all(Array.from({ length: 50 }, () => turns.pause()));
  let turn = 0;
  const countTurns = (): void => {
    turn += 1;
    setImmediate(countTurns).unref();
  };
  setImmediate(countTurns);
  await works;
  expect(turn).toBeLessThanOrEqual(2);
});
