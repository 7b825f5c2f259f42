/** Browsers and workers report no codes. */
export const describeFailure = (thrown: unknown): string => String(thrown);

/** Browsers and workers do not tell. */
export const neverConnected = (_cause: unknown): boolean => false;
