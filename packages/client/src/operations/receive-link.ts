import type { SharedParts, Outgoing } from "../sending/outgoing.ts";
import { mergeHeaders } from "../wire/transport.ts";

/** A signed link, or a record with one: a `FileLink` or a `DownloadInfo`. */
export type LinkToFile =
  | string
  | URL
  | { readonly link: string }
  | { readonly download_url: string; readonly file_hash?: string };

/** A call that follows a link. */
export interface LinkCall {
  readonly parts: SharedParts;
  readonly outgoing: Outgoing;
  /** The hash of the file, if the record has it. */
  readonly sha256: string | undefined;
}

/** Changes a call of `download` to one of its link. Throws a `TypeError` for one that may not be followed. */
export function followLink(
  parts: SharedParts,
  outgoing: Outgoing,
  link: LinkToFile | undefined,
): LinkCall {
  if (outgoing.descriptor.id !== "download") return { parts, outgoing, sha256: undefined };
  const { send } = parts;
  const { url, sha256 } = checked(read(link), parts);
  return {
    parts: {
      ...parts,
      transport: ({ method, headers, signal }) => {
        const init = {
          method,
          headers: mergeHeaders(headers),
          signal,
          redirect: "manual",
        } as const;
        return () => send(url.href, init);
      },
    },
    outgoing: {
      ...outgoing,
      // Without the query, which has the signature.
      descriptor: { ...outgoing.descriptor, path: url.origin + url.pathname },
      authorization: { get: async () => undefined, discard: () => false },
    },
    sha256,
  };
}

interface Link {
  readonly url: unknown;
  readonly sha256: string | undefined;
}

function read(link: LinkToFile | null | undefined): Link {
  if (typeof link !== "object" || link === null || "href" in link)
    return { url: link, sha256: undefined };
  if ("link" in link) return { url: link.link, sha256: undefined };
  return { url: link.download_url, sha256: link.file_hash };
}

interface Hosts {
  readonly baseUrl: string;
  readonly allowedHosts?: readonly string[] | undefined;
}

/** Errors do not repeat a link, which is secret. */
function checked({ url: text, sha256 }: Link, { baseUrl, allowedHosts }: Hosts) {
  if (!URL.canParse(String(text))) {
    const kind = typeof text === "string" ? "text that is no absolute URL" : typeof text;
    throw new TypeError(`download: expected the link of a FileLink or a DownloadInfo, not ${kind}`);
  }
  const url = new URL(String(text));
  const base = new URL(baseUrl);
  const allowed = allowedHosts ?? [base.host];
  if (url.protocol !== "https:" && url.protocol !== base.protocol) {
    throw new TypeError(
      `download: the link starts with ${url.protocol}//, baseUrl with ${base.protocol}//; the file would be sent in clear text`,
    );
  }
  if (!allowed.includes(url.host)) {
    throw new TypeError(
      `download: the link leads to ${url.host}, which is not one of allowedHosts (${allowed.join(", ")}); if the server stores its files there, add it`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new TypeError("download: the link contains credentials, which a signed link does not");
  }
  return { url, sha256 };
}
