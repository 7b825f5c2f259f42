/**
 * Number of cases of a property test: `usual`, or the environment variable `FC_RUNS`. Throws a `RangeError`
 * if `FC_RUNS` is not a positive integer.
 */
export function runs(usual = 100): number {
  const text = process.env["FC_RUNS"];
  if (text === undefined || text === "") return usual;
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1) {
    throw new RangeError(`FC_RUNS is "${text}"; expected a whole number from 1`);
  }
  return count;
}
