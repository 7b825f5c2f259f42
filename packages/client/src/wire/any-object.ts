export type AnyObject = Readonly<Record<string, unknown>>;

export const asObject = (value: unknown): AnyObject | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as AnyObject)
    : undefined;
