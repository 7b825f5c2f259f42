/** Calls back with what a promise resolves to, or with its error. */
export async function callBack<Result>(
  work: Promise<Result>,
  done: (error: Error | null, result?: Result) => void,
): Promise<void> {
  // An error of the callback is not the error of the work.
  const outcome = await work.then(
    (result) => ({ result }),
    (error: unknown) => ({ error: error as Error }),
  );
  if ("error" in outcome) done(outcome.error);
  else done(null, outcome.result);
}
