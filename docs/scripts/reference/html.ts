/** HTML fragments. Pages contain them where Markdown has no markup, such as trees that unfold. */

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

export const escape = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);

export const codeHtml = (text: string): string => breakableCode(`<code>${escape(text)}</code>`);

/** The longest code, in characters, that fits into a line of a phone. */
const longestUnbroken = 28;

/** Whether the code may be broken between lines. Shorter code, such as an option, is not. */
export const isLongCode = (text: string): boolean => text.length > longestUnbroken;

/** A name or a path with the places where it may be broken between lines. */
export const breakable = (text: string): string =>
  text.replaceAll(/(?<=[a-z])(?=[A-Z])|(?<=[./_])/g, "<wbr>");

/** A `code` element that is marked if it is long, with the places where it may be broken. */
export const breakableCode = (element: string): string =>
  element.replace(/^<code([^>]*)>([^]*)<\/code>$/, (whole, attributes: string, text: string) =>
    isLongCode(text) ? `<code class="long"${attributes}>${breakable(text)}</code>` : whole,
  );

/** Address of a page of the site, for `href`; VitePress completes only the links of Markdown. */
export function pageAddress(link: string): string {
  const [path = "", anchor] = link.split("#");
  const file = path.endsWith("/") ? path : `${path}.html`;
  return `/docs${file}${anchor === undefined ? "" : `#${anchor}`}`;
}

/** Prose of the document, in which only inline code is markup. */
export const proseHtml = (text: string): string =>
  text
    .trim()
    .split(/(`[^`]*`)/)
    .map((part) => (/^`.+`$/s.test(part) ? codeHtml(part.slice(1, -1)) : escape(part)))
    .join("");

/**
 * HTML that Markdown and Vue leave unchanged: on one line, because Markdown would read the lines after a blank
 * one.
 */
export const htmlBlock = (name: string, content: string): string =>
  `<div class="${name}" v-pre>${content.replaceAll("\n", " ")}</div>`;

/** The method of an operation, as a badge. */
export const methodBadge = (method: string): string =>
  `<span class="method method-${method}">${method.toUpperCase()}</span>`;
