/**
 * The URL for the driver, which takes three modes of TLS for `verify-full` and prints a warning that a later version will
 * not.
 */
export const driverUrl = (url: string): string =>
  url.includes("uselibpqcompat=true")
    ? url
    : url.replace(/(?<=[?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, "verify-full");
