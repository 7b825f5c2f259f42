/** Where every part of the server gets the time from, so that tests and tools can move it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
