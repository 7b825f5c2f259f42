/** The source of time for all parts of the server. Tests and tools can control it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
