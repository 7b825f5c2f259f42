/**
 * The URL for the driver, which takes three modes of TLS for `verify-full` and prints a warning that a later version will
 * not. Beside a space or a lone %, it takes escapes for themselves.
 */
export function driverUrl(url: string): string {
  const escaped = url
    .trim()
    .replaceAll(" ", "%20")
    .replaceAll(/%(?![0-9a-f]{2})/gi, "%25");
  return escaped.includes("uselibpqcompat=true")
    ? escaped
    : escaped.replace(/(?<=[?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, "verify-full");
}
