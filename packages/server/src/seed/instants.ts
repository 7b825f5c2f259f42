const day = 86_400_000;

/** Everything in a world is dated from the start of the day it is made on. */
export const startOfDay = (now: Date): number => Math.floor(now.getTime() / day) * day;

export const days = (count: number): number => count * day;

export const instant = (milliseconds: number): string => new Date(milliseconds).toISOString();
