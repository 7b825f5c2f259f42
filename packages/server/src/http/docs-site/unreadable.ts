/** What a reader sees, and a script gets, instead of a site that cannot be read. */
import type { DocsUnreadableError } from "./files.ts";

/** The cure. */
export const reinstallText =
  "Remove the package of the server and install it again, for example with `npm uninstall secplat` and `npm install secplat`. If you started it with npx, delete the folder of the package, which the log of the server names. In a clone of the project, run `npm run build`.";

/** What is wrong, and what to do about it. The log has the path. */
export const unreadableText = ({ missing }: DocsUnreadableError): readonly string[] => [
  `The documentation of this server is ${missing ? "missing" : "damaged"}. The API is not affected.`,
  reinstallText,
  "Then load this page again.",
];

export function unreadablePage(error: DocsUnreadableError): string {
  const [title = "", ...rest] = unreadableText(error);
  const paragraphs = rest.map(
    (text) => `<p>${text.replaceAll(/`([^`]*)`/g, "<code>$1</code>")}</p>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Documentation unavailable</title>
<style>body { max-width: 38rem; margin: 4rem auto; padding: 0 1.5rem; font: 1rem/1.6 system-ui, sans-serif }</style>
</head>
<body>
<main>
<h1>Documentation unavailable</h1>
<p>${title}</p>
${paragraphs.join("\n")}
</main>
</body>
</html>
`;
}
