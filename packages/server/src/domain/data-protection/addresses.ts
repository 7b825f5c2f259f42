import { foldCase } from "@security-platform/fql";
import type { Problem } from "../../foundation/errors.ts";
import type { CloudApplication } from "./kinds.ts";

const label = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i;

/**
 * Whether the text is a domain. Its labels have letters, digits, hyphens and underscores; other scripts are written as
 * `xn--`.
 */
export const isDomain = (text: string): boolean =>
  text.length <= 253 && text.split(".").every((each) => label.test(each));

/** Empty, or a path that starts with a slash. */
const isPath = (text: string): boolean => text === "" || /^\/[^\s?#]*$/.test(text);

type Url = CloudApplication["urls"][number];

/** Problems of a list of addresses: duplicates, and texts that are not a domain with an optional path. */
export function addressProblems(urls: readonly Url[], at: string): readonly Problem[] {
  const places = new Map<string, string>();
  return urls.flatMap(({ fqdn, path }, index) => {
    const place = `${at}[${index}]`;
    const problems: Problem[] = [];
    if (!isDomain(fqdn.replace(/^\*\./, ""))) {
      const message =
        "expected a domain such as files.example.com, or *.example.com with all subdomains";
      problems.push({ at: `${place}.fqdn`, message });
    }
    if (!isPath(path)) {
      const message =
        "expected the empty text, or a path that starts with / and has no spaces, ? or #";
      problems.push({ at: `${place}.path`, message });
    }
    const key = `${foldCase(fqdn)} ${path}`;
    const earlier = places.get(key);
    if (earlier === undefined) places.set(key, place);
    else problems.push({ at: place, message: `is already the URL of ${earlier}` });
    return problems;
  });
}
