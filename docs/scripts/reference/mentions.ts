import { operationById, operations } from "@security-platform/spec";
import { codeHtml, escape, pageAddress } from "./html.ts";
import { prose } from "./markdown.ts";
import { operationLink } from "./places.ts";

/** What descriptions call a guide. */
const guides: Readonly<Record<string, string>> = {
  Envelope: "/guides/envelope",
  FQL: "/guides/filters",
  Paging: "/guides/paging",
  '"Requests that are sent again" in the description of the API': "/guides/retries",
};

/** The anchor of a header on the page of all headers. */
export const headerAnchor = (name: string): string => name.toLowerCase();

let headers: ReadonlySet<string> | undefined;

/** Names of the headers that operations take or return. */
const headerNames = (): ReadonlySet<string> =>
  (headers ??= new Set(
    operations().flatMap(({ parameters, responses }) => [
      ...parameters.flatMap(({ name, in: place }) => (place === "header" ? [name] : [])),
      ...responses.flatMap((response) => Object.keys(response.headers)),
    ]),
  ));

/** The page about the operation or the header with this name. */
function pageOf(name: string): string | undefined {
  if (operationById(name) !== undefined) return operationLink(name);
  return headerNames().has(name) ? `/reference/headers#${headerAnchor(name)}` : undefined;
}

/** None of them has a character that a regular expression reads in another way. */
const phrases = new RegExp(String.raw`(?<!\w)(${Object.keys(guides).join("|")})(?!\w)`);

interface Part {
  readonly text: string;
  readonly isCode: boolean;
  readonly link: string | undefined;
}

/** The parts of a description: texts, and names with links to their pages. */
const partsOf = (text: string): readonly Part[] =>
  text
    .trim()
    .split(/(`[^`]*`)/)
    .flatMap((part): readonly Part[] =>
      /^`.+`$/s.test(part)
        ? [{ text: part.slice(1, -1), isCode: true, link: pageOf(part.slice(1, -1)) }]
        : part.split(phrases).map((words) => ({ text: words, isCode: false, link: guides[words] })),
    )
    .filter((part) => part.text !== "");

/** Prose of the document as Markdown, in which operations, headers and guides are links. */
export const linkedProse = (text: string): string =>
  partsOf(text)
    .map((part) => {
      const shown = part.isCode ? `\`${part.text}\`` : keepSpaces(part.text, prose);
      return part.link === undefined ? shown : `[${shown}](${part.link})`;
    })
    .join("");

/** The same as HTML. */
export const linkedProseHtml = (text: string): string =>
  partsOf(text)
    .map((part) => {
      const shown = part.isCode ? codeHtml(part.text) : escape(part.text);
      return part.link === undefined ? shown : `<a href="${pageAddress(part.link)}">${shown}</a>`;
    })
    .join("");

const keepSpaces = (text: string, change: (text: string) => string): string =>
  text.replace(/\S[^]*\S|\S/, (words) => change(words));
