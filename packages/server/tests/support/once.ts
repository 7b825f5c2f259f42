/** Prepares something at the first call, for tests that only read it. */
export function once<Result>(prepare: () => Promise<Result>): () => Promise<Result> {
  let prepared: Promise<Result> | undefined;
  return () => (prepared ??= prepare());
}
