/** The factor between the input sizes, large enough to make quadratic work obvious. */
const factor = 64;

/** Maximum growth of linear work, even on a busy machine. Quadratic work grows by `factor`, which is far more. */
export const linearGrowth = 10;

/**
 * The growth of the work with the size of its input: CPU time at 64 times `size`, divided by 64 times the
 * CPU time at `size`. About 1 for linear work, about 64 for quadratic work. `prepare` is not measured.
 */
export async function growth<Input>(
  size: number,
  prepare: (size: number) => Input,
  work: (input: Input) => unknown,
): Promise<number> {
  const small = prepare(size);
  const large = prepare(size * factor);
  const least = { small: Infinity, large: Infinity };
  // The minimum of several rounds, because garbage collection and other processes only add to the time.
  for (let round = 0; round < 5; round += 1) {
    least.small = Math.min(least.small, await cpuTime(() => work(small), factor));
    least.large = Math.min(least.large, await cpuTime(() => work(large), 1));
  }
  return least.large / least.small;
}

/** CPU time in microseconds; other processes hardly affect it. */
async function cpuTime(work: () => unknown, times: number): Promise<number> {
  const before = process.cpuUsage();
  for (let time = 0; time < times; time += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return Math.max(user + system, 1);
}
