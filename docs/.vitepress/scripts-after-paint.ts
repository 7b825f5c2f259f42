const preload = /\s*<link rel="modulepreload" href="([^"]*)">/g;
const script = /\s*<script type="module" src="([^"]*)"><\/script>/g;

/**
 * Loads the scripts of a page after its first paint. Until then they would share the connection with the styles, for
 * which the paint waits. A hidden page is not painted, so its scripts load at once.
 */
export function scriptsAfterPaint(html: string): string {
  const sourcesOf = (tag: RegExp): string =>
    JSON.stringify([...html.matchAll(tag)].map(([, source]) => source));
  const loader = `<script>(() => {
  const add = (tag, members) => document.head.append(Object.assign(document.createElement(tag), members));
  const load = () => {
    for (const href of ${sourcesOf(preload)}) add("link", { rel: "modulepreload", href });
    for (const src of ${sourcesOf(script)}) add("script", { type: "module", async: false, src });
  };
  // The scripts and styles of a page have absolute paths, which a file system does not have.
  if (location.protocol === "file:") {
    addEventListener("DOMContentLoaded", () => document.body.prepend(Object.assign(document.createElement("p"), {
      textContent: "This page was opened as a file, so its styles and scripts are missing. Run: npx secplat serve",
    })));
  } else if (document.hidden || !PerformanceObserver.supportedEntryTypes.includes("paint")) load();
  else {
    new PerformanceObserver((_, observer) => {
      observer.disconnect();
      load();
    }).observe({ type: "paint", buffered: true });
  }
})();</script>`;
  return html
    .replaceAll(preload, "")
    .replaceAll(script, "")
    .replace("</head>", () => `${loader}\n  </head>`);
}
