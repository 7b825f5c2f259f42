/**
 * Harmless values that occur on nearly every machine. An indicator with such a value is probably a mistake.
 */
const knownGood: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  md5: {
    d41d8cd98f00b204e9800998ecf8427e: "the empty file",
    "68b329da9893e34099c7d8ad5cb9c940": "a file of one line feed",
    "93b885adfe0da089cdf634904fd59f71": "a file of one zero byte",
  },
  sha256: {
    e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855: "the empty file",
    "01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b": "a file of one line feed",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d": "a file of one zero byte",
  },
  domain: Object.fromEntries(
    [
      "localhost",
      "amazonaws.com",
      "apple.com",
      "cloudflare.com",
      "debian.org",
      "github.com",
      "google.com",
      "googleapis.com",
      "kernel.org",
      "microsoft.com",
      "microsoftonline.com",
      "mozilla.org",
      "office.com",
      "ubuntu.com",
      "wikipedia.org",
      "windowsupdate.com",
    ].flatMap((name) => [
      [name, "a well-known domain"],
      [`www.${name}`, "a well-known domain"],
    ]),
  ),
};

/** The description of a known harmless value, or null. */
export function knownGoodValue(type: string, value: string): string | null {
  const list = knownGood[type === "all_subdomains" ? "domain" : type] ?? {};
  return Object.hasOwn(list, value) ? (list[value] ?? null) : null;
}
