/** The name of this worker, for the names of jobs' owners. */
export const hostname = (): string => "page";

const gibibyte = 1024 ** 3;

/** Bytes. Browsers round it, and some do not tell it. */
export const totalmem = (): number =>
  ((navigator as { readonly deviceMemory?: number }).deviceMemory ?? 2) * gibibyte;

export const availableParallelism = (): number => navigator.hardwareConcurrency;
