/** Stands for a part that is not shown. */
const hidden = "…";
/** Stands for a whole text. */
const unknown = "(not shown)";

/**
 * A value that may have a secret, for people: the scheme, the user name, the host, the port and the path of a URL, and
 * nothing of a text that is no URL. Tokens of http are often user names, so these are not shown.
 */
export function withoutSecrets(text: string): string {
  if (/^(sqlite|file):/.test(text)) return text;
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? URL.parse(text) : null;
  if (url === null) return unknown;
  const { protocol, username, password, host, pathname, search, hash } = url;
  // With an unescaped / ? # or @ in the password, the URL parser misplaces its end.
  const isMisread =
    pathname.includes("@") ||
    (/^[^:]+:\/\/[^/?#@]*:/.test(text) && text.slice(text.search(/[?#]|$/)).includes("@"));
  if (isMisread) return unknown;
  const isHttp = /^https?:$/.test(protocol);
  const user = username !== "" && isHttp ? hidden : username;
  const secret = password === "" || isHttp ? "" : `:${hidden}`;
  const account = username === "" && password === "" ? "" : `${user || hidden}${secret}@`;
  const more = search === "" && hash === "" ? "" : `?${hidden}`;
  return `${protocol}//${account}${host}${pathname}${more}`;
}
