/**
 * How many cases a property test tries: `usual`, or as many as the environment variable `FC_RUNS`
 * says. Throws `RangeError` for a value that is no whole number from 1.
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
