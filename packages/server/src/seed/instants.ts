const day = 86_400_000;

/** All times in a world are relative to the start of the day on which it is generated. */
export const startOfDay = (now: Date): number => Math.floor(now.getTime() / day) * day;

export const startOfMinute = (now: Date): number => Math.floor(now.getTime() / 60_000) * 60_000;

export const days = (count: number): number => count * day;

export const instant = (milliseconds: number): string => new Date(milliseconds).toISOString();
