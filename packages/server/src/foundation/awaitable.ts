/** A result, or a promise of it. Code that runs for every request avoids promises. */
export type Awaitable<Result> = Result | Promise<Result>;
