export const URL = globalThis.URL;

/** The ASCII form of a domain; empty if it is invalid. */
export function domainToASCII(domain: string): string {
  try {
    return new URL(`ws://${domain}`).hostname;
  } catch {
    return "";
  }
}
