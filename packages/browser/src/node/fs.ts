/** The documents of the specification that the server reads, by their names. The build writes them here. */
declare const DOCUMENTS: Readonly<Record<string, string>>;

const documents: Readonly<Record<string, string>> = DOCUMENTS;

/** Returns a document of the specification. There are no other files. */
export function readFileSync(url: URL): string {
  const name = url.pathname.split("/").at(-1) ?? "";
  const text = documents[name];
  if (text === undefined) throw new Error(`a page has no file ${name}`);
  return text;
}

export default { readFileSync };
