/**
 * Draws the pictures of the site in `brand/` from its logo and its colours: `social-card.png`, which other sites show beside a
 * link, and `touch-icon.png` for the home screen of a phone. Run it after the logo or the colours have changed.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openBrowser } from "../tests/support/browser.ts";
import { socialCard } from "../.vitepress/page-head.ts";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
const logo = read("../brand/logo.svg");
const tokens = read("../.vitepress/theme/tokens.css");

const page = (body: string, style: string): string => `<!doctype html>
<html class="dark">
  <style>
    ${tokens}
    * { margin: 0; box-sizing: border-box }
    body { height: 100vh; background: var(--ink); color: #fff; font-family: var(--vp-font-family-base) }
    ${style}
  </style>
  <body>${body}</body>
</html>`;

const card = page(
  `<header>${logo}<p>Security Platform</p></header>
  <main>
    <h1>A whole security platform on your laptop</h1>
    <p>Stateful API, typed client, command line and tests</p>
  </main>
  <pre><b>severity</b>:<i>'high'</i>+<b>modified_on</b>:&gt;<i>'now-7d'</i></pre>`,
  `body { display: grid; grid-template-rows: auto 1fr auto; padding: 72px 80px }
  header { display: flex; align-items: center; gap: 20px; font-size: 34px; font-weight: 600 }
  svg { width: 64px }
  main { align-self: center }
  h1 { max-width: 16em; font-size: 64px; line-height: 1.15; letter-spacing: -0.02em }
  main p { margin-top: 28px; font-size: 31px; line-height: 1.4; color: var(--vp-c-text-2) }
  pre { padding: 20px 28px; border: 1px solid #ffffff2e; border-radius: 12px; font: 27px var(--vp-font-family-mono) }
  b { font-weight: 400; color: var(--code-name) }
  i { font-style: normal; color: var(--code-text) }`,
);

const icon = page(logo, "body { display: grid; place-items: center } svg { width: 66vw }");

const pictures = [
  { name: "social-card.png", html: card, ...socialCard },
  { name: "touch-icon.png", html: icon, width: 180, height: 180 },
];

const browser = await openBrowser();
for (const { name, html, width, height } of pictures) {
  const window = await browser.newPage({ viewport: { width, height }, colorScheme: "dark" });
  await window.setContent(html);
  await window.screenshot({ path: fileURLToPath(new URL(`../brand/${name}`, import.meta.url)) });
  await window.close();
}
await browser.close();
