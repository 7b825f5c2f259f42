import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const redoclyFolder = dirname(fileURLToPath(import.meta.resolve("@redocly/cli/package.json")));

/** Files that the page loads, all from the folder of the page. */
const scriptName = "redoc.standalone.js";
const fontName = "redoc-icons.woff";

/** A logo instead of the one that Redoc would load from another host. */
const logo =
  "data:image/svg+xml," +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" width="44" height="16">' +
      '<text y="12" font-family="sans-serif" font-size="12" fill="gray">Redoc</text></svg>',
  );

/** The page has another layout than the site, and would not lead back to it. */
const wayBack =
  '<header style="padding: 12px 20px; font: 15px sans-serif; background: var(--bg-color)">' +
  '<a href="./" style="color: var(--text-color-primary)">Back to the documentation</a></header>';

/**
 * Generates the document as one page (`redoc.html`), with its script and icons in the same folder.
 * Unlike the result of `redocly build-docs`, it sends no request to another host.
 */
export function writeRedoc(documentFile: string, folder: string): void {
  const page = join(folder, "redoc.html");
  execFileSync(
    process.execPath,
    [
      join(redoclyFolder, "bin/cli.js"),
      "build-docs",
      documentFile,
      "--output",
      page,
      "--openapi",
      options,
    ],
    { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, ...quiet } },
  );
  const script = readFileSync(join(redoclyFolder, "lib/chunks", scriptName), "utf8");
  const { text, font } = takeFont(replaceAll(script, logoAddress, logo));
  writeFileSync(join(folder, fontName), font);
  writeFileSync(join(folder, scriptName), text);
  const html = replaceAll(readFileSync(page, "utf8"), scriptAddress, `./${scriptName}`)
    .replace(/ integrity="[^"]*" crossorigin="anonymous"/, "")
    // The script navigates by fragment, so the prerendered content must use the same links.
    .replaceAll('href="/', 'href="#/');
  writeFileSync(page, takeFont(replaceAll(html, /<body>/g, `<body>${wayBack}`)).text);
}

const options = JSON.stringify({ disableTelemetry: true });
const quiet = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };

const scriptAddress =
  /https:\/\/cdn\.redocly\.com\/redoc\/v[^/"]+\/bundles\/redoc\.standalone\.js/g;
const logoAddress = /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(?:-full)?\.svg/g;
const embeddedFont = /data:application\/font-woff;base64,([A-Za-z0-9+/=]+)/g;

/** Replaces every match. Without a match, Redoc has changed and this file must be updated. */
function replaceAll(text: string, pattern: RegExp, replacement: string): string {
  if (text.search(pattern) === -1) throw new Error(`Redoc no longer holds ${pattern.source}`);
  return text.replaceAll(pattern, () => replacement);
}

/** The server's Content-Security-Policy allows fonts from files only. */
function takeFont(text: string): { readonly text: string; readonly font: Buffer } {
  const [, encoded = ""] = embeddedFont.exec(text) ?? [];
  embeddedFont.lastIndex = 0;
  return {
    text: text.replaceAll(embeddedFont, () => `./${fontName}`),
    font: Buffer.from(encoded, "base64"),
  };
}
