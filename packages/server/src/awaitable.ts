/** A result, or a promise of it. The path of every request avoids promises. */
export type Awaitable<Result> = Result | Promise<Result>;
