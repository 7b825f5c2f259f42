/** What is wrong with the URL of a database, which messages call `name`; null if nothing is. */
export const databaseProblem = (url: string, name: string): string | null =>
  /^(postgres(ql)?:\/\/|sqlite:)./s.test(url) ? null : wrongDatabaseUrl(url, name);

/** Describes the problem without repeating the text, which may contain a password. */
export function wrongDatabaseUrl(url: string, name: string): string {
  const expected = "expected sqlite:<path> or postgres://user@host/name";
  const scheme = /^(?<scheme>[a-z][a-z0-9+.-]*):/i.exec(url)?.groups?.["scheme"];
  if (scheme === undefined) {
    return url === ""
      ? `${name} is empty; ${expected}`
      : `${name} has no engine; ${expected}. For a SQLite file write sqlite:${/[@?]/.test(url) ? "<path>" : url}`;
  }
  return /^(sqlite|postgres)/i.test(scheme)
    ? `${name} is incomplete after ${scheme}:; ${expected}`
    : `${name}: unknown engine "${scheme}"; ${expected}`;
}
