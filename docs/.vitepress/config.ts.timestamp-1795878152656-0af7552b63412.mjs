// .vitepress/config.ts
import { existsSync, globSync, readFileSync as readFileSync2, writeFileSync } from "node:fs";
import { join as join2 } from "node:path";
import { fileURLToPath as fileURLToPath3 } from "node:url";
import { defineConfig } from "file:///tmp/wpages/node_modules/vitepress/dist/node/index.js";

// ../scripts/third-party-notices.ts
import plugin from "file:///tmp/wpages/node_modules/rollup-plugin-license/dist/index.js";
var license = plugin;
var allowedLicenses = [
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
  "MIT-0"
];
function thirdPartyNotices(file, parts = []) {
  return license({
    thirdParty: {
      multipleVersions: true,
      allow: {
        test: `(${allowedLicenses.join(" OR ")})`,
        failOnUnlicensed: true,
        failOnViolation: true
      },
      output: {
        file,
        template: (dependencies) => [...dependencies.filter(isForeign).map(notice).toSorted(), ...parts].join(line)
      }
    }
  });
}
var isForeign = ({ name }) => name?.startsWith("@security-platform/") !== true;
var line = `
${"-".repeat(80)}

`;
function notice({ name, version, license: terms, licenseText, noticeText }) {
  const texts = [licenseText, noticeText].filter((text) => text !== null && text !== void 0);
  const heading = `${name} ${version}, license: ${terms}`;
  return `${[heading, ...texts.map((text) => text.trim())].join("\n\n")}
`;
}

// scripts/reference/html.ts
var longestUnbroken = 28;
var isLongCode = (text) => text.length > longestUnbroken;
var breakable = (text) => text.replaceAll(/(?<=[a-z])(?=[A-Z])|(?<=[./_])/g, "<wbr>");
var breakableCode = (element) => element.replace(
  /^<code([^>]*)>([^]*)<\/code>$/,
  (whole, attributes, text) => isLongCode(text) ? `<code class="long"${attributes}>${breakable(text)}</code>` : whole
);

// .vitepress/fql.ts
var rule = (name, match) => ({ name, match });
var fql = {
  name: "fql",
  scopeName: "source.fql",
  repository: {},
  patterns: [
    rule("string.quoted.fql", String.raw`'(?:\\['\\]|[^'])*'|"(?:\\["\\]|[^"])*"`),
    rule("variable.other.property.fql", String.raw`[A-Za-z_][\w.]*(?=\s*:)`),
    rule("constant.language.fql", String.raw`(?i)\b(?:true|false|null)\b`),
    rule("constant.numeric.fql", String.raw`-?\b\d+(?:\.\d+)?\b`),
    rule("keyword.operator.fql", String.raw`[:!~*<>=+,]`)
  ]
};

// .vitepress/last-changes.ts
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
var __vite_injected_original_import_meta_url = "file:///tmp/wpages/docs/.vitepress/last-changes.ts";
var project = fileURLToPath(new URL("../..", __vite_injected_original_import_meta_url));
function lastChanges() {
  const words = [
    "log",
    "--format=%ct000",
    "--name-only",
    "--",
    "docs/guides",
    "docs/index.md",
    "spec"
  ];
  const { status, stdout } = spawnSync("git", words, {
    cwd: project,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024
  });
  return status === 0 ? changesIn(stdout) : /* @__PURE__ */ new Map();
}
function changesIn(log) {
  const changes2 = /* @__PURE__ */ new Map();
  let time = 0;
  for (const line2 of log.split("\n")) {
    if (/^\d+$/.test(line2)) time = Number(line2);
    else if (line2 !== "" && !changes2.has(line2)) changes2.set(line2, time);
  }
  return changes2;
}

// .vitepress/page-head.ts
var longest = 200;
var socialCard = {
  file: "social-card.png",
  width: 1200,
  height: 630,
  alt: "Security Platform: a whole security platform on your laptop"
};
function firstParagraph(markdown) {
  const paragraph = markdown.replace(/^---\n[^]*?\n---\n/, "").replaceAll(/^(`{3,})[^]*?^\1$/gm, "").split(/\n{2,}/).map((block) => block.trim()).find((block) => block !== "" && !/^(?:#|:::|[-|<]|\d+\.)/.test(block));
  const text = (paragraph ?? "").replaceAll(/\[([^\]]*)\]\([^)]*\)(?:\{[^}]*\})?/g, "$1").replaceAll(/[`*]|\\(?=[_*])/g, "").replaceAll(/\s+/g, " ");
  if (text.length <= longest) return text;
  return `${text.slice(0, text.lastIndexOf(" ", longest))} \u2026`;
}
var pagePath = (relativePath) => relativePath.replace(/\.md$/, ".html").replace(/(^|\/)index\.html$/, "$1");
function pageHead({ relativePath, title: title2, description, frontmatter }, site) {
  if (frontmatter["layout"] === false || relativePath === "404.md") {
    return [["meta", { name: "robots", content: "noindex" }]];
  }
  const property = (name, content) => [
    "meta",
    { property: `og:${name}`, content }
  ];
  const markdown = (relativePath.split("/").at(-1) ?? "").replace(/^$/, "index.md");
  return [
    property("type", relativePath === "index.md" ? "website" : "article"),
    property("site_name", site.title),
    property("title", title2),
    property("description", description),
    ...frontmatter["hasMarkdown"] === true ? [["link", { rel: "alternate", type: "text/markdown", href: `./${markdown}` }]] : [],
    ...site.url === void 0 ? [] : [
      property("url", `${site.url}${pagePath(relativePath)}`),
      property("image", `${site.url}${socialCard.file}`),
      property("image:type", "image/png"),
      property("image:width", String(socialCard.width)),
      property("image:height", String(socialCard.height)),
      property("image:alt", socialCard.alt),
      ["meta", { name: "twitter:card", content: "summary_large_image" }],
      [
        "link",
        { rel: "canonical", href: `${site.url}${pagePath(relativePath)}` }
      ]
    ]
  ];
}

// .vitepress/platform-files.ts
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { fileURLToPath as fileURLToPath2 } from "node:url";
var __vite_injected_original_import_meta_url2 = "file:///tmp/wpages/docs/.vitepress/platform-files.ts";
var dist = fileURLToPath2(new URL("../../packages/browser/dist", __vite_injected_original_import_meta_url2));
var mediaTypes = {
  ".js": "text/javascript",
  ".wasm": "application/wasm"
};
function platformFiles(base2) {
  const files = readFiles();
  const digest = createHash("sha256");
  for (const [name, content] of files) digest.update(name).update(content);
  const folder = `assets/platform.${digest.digest("base64url").slice(0, 8)}/`;
  const described = { folder, first: firstFiles(files) };
  let isForBrowsers = false;
  return {
    name: "platform-files",
    config: () => ({ define: { PLATFORM_FILES: JSON.stringify(described) } }),
    configResolved: ({ build }) => {
      isForBrowsers = build.ssr === false;
    },
    generateBundle() {
      if (!isForBrowsers) return;
      for (const [name, source] of files) {
        this.emitFile({ type: "asset", fileName: folder + name, source });
      }
    },
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const { pathname } = new URL(request.url ?? "/", "http://localhost");
        const name = basename(pathname);
        const content = pathname === base2 + folder + name ? files.get(name) : void 0;
        if (content === void 0) return next();
        response.setHeader("content-type", mediaTypes[extname(name)] ?? "application/octet-stream");
        response.end(content);
      });
    }
  };
}
function readFiles() {
  try {
    const names = readdirSync(dist, { withFileTypes: true }).filter((entry) => entry.isFile() && !/^index\.|\.d\.ts$/.test(entry.name)).map(({ name }) => name);
    return new Map(names.toSorted().map((name) => [name, readFileSync(join(dist, name))]));
  } catch (error) {
    throw new Error("the platform is not built: npx turbo run bundle", { cause: error });
  }
}
function firstFiles(files) {
  const first = new Set([...files.keys()].filter((name) => !/\.(?:js|txt)$|^openapi\./.test(name)));
  const add = (name) => {
    if (first.has(name)) return;
    first.add(name);
    const code = Buffer.from(files.get(name) ?? []).toString();
    for (const [, imported = ""] of code.matchAll(/(?:\bfrom|\bimport)\s*["']\.\/([\w.-]+)["']/g)) {
      if (files.has(imported)) add(imported);
    }
  };
  add("standalone.js");
  add("worker.js");
  return [...first].map((name) => [name, files.get(name)?.length ?? 0]);
}

// .vitepress/render-once.ts
var highlighted = /* @__PURE__ */ new Map();
function highlightOnce(markdown) {
  const { highlight } = markdown.options;
  if (highlight === void 0 || highlight === null) return;
  markdown.options.highlight = (code, language, attributes) => {
    const key = JSON.stringify([language, attributes, code]);
    let html = highlighted.get(key);
    if (html === void 0) {
      html = highlight(code, language, attributes);
      highlighted.set(key, html);
    }
    return html;
  };
}
function renderOnce(render) {
  const pages = /* @__PURE__ */ new Map();
  return (source, env, markdown) => {
    const rendered = pages.get(env.path);
    if (rendered?.source === source) return rendered.html;
    const html = render(source, env, markdown);
    pages.set(env.path, { source, html });
    return html;
  };
}

// .vitepress/scripts-after-paint.ts
var preload = /\s*<link rel="modulepreload" href="([^"]*)">/g;
var script = /\s*<script type="module" src="([^"]*)"><\/script>/g;
function scriptsAfterPaint(html) {
  const sourcesOf = (tag) => JSON.stringify([...html.matchAll(tag)].map(([, source]) => source));
  const loader = `<script>(() => {
  const add = (tag, members) => document.head.append(Object.assign(document.createElement(tag), members));
  const load = () => {
    for (const href of ${sourcesOf(preload)}) add("link", { rel: "modulepreload", href });
    for (const src of ${sourcesOf(script)}) add("script", { type: "module", async: false, src });
  };
  if (document.hidden || !PerformanceObserver.supportedEntryTypes.includes("paint")) load();
  else {
    new PerformanceObserver((_, observer) => {
      observer.disconnect();
      load();
    }).observe({ type: "paint", buffered: true });
  }
})();</script>`;
  return html.replaceAll(preload, "").replaceAll(script, "").replace("</head>", () => `${loader}
  </head>`);
}

// .vitepress/site-address.ts
var published = process.env["DOCS_URL"];
function siteAddress(url) {
  if (url === void 0 || url === "") return { base: writtenBase };
  const parsed = URL.canParse(url) ? new URL(url) : void 0;
  if (parsed === void 0 || !/^https?:$/.test(parsed.protocol) || parsed.search + parsed.hash !== "") {
    throw new Error(
      `DOCS_URL is ${url}. Expected an http or https URL, such as https://example.com/platform/`
    );
  }
  const base2 = parsed.pathname.replace(/\/*$/, "/");
  return { url: `${parsed.origin}${base2}`, base: base2 };
}
var writtenBase = "/docs/";
var { url: siteUrl, base } = siteAddress(published);
var htmlForBase = (html, to = base) => to === writtenBase ? html : html.replaceAll(/(?<=(?:href|src)=")\/docs\//g, to);
var textForSite = (text, to = siteUrl ?? base) => to === writtenBase ? text : text.replaceAll("](/docs/", `](${to}`);

// .vitepress/config.ts
var __vite_injected_original_import_meta_url3 = "file:///tmp/wpages/docs/.vitepress/config.ts";
var sidebar = JSON.parse(
  readFileSync2(new URL("../generated/sidebar.json", __vite_injected_original_import_meta_url3), "utf8")
);
var keywordWeight = 5;
var renderForSearch = renderOnce((source, env, markdown) => {
  const html = markdown.render(source, env);
  const frontMatter = env.frontmatter ?? {};
  const { operation, method, search, keywords = "", terms, program } = frontMatter;
  if (operation === void 0) {
    const title2 = html.slice(0, html.indexOf("</h1>") + "</h1>".length);
    const words = `<p>${`${keywords} `.repeat(keywordWeight)}</p>`;
    const rest = search === "title" ? "" : html.slice(title2.length);
    return withTerms(title2, terms) + words + withProgram(rest, program);
  }
  const head = html.slice(0, html.indexOf('<div class="operation-columns">'));
  const own = html.replaceAll(/<details class="headers">[^]*?<\/details>/g, "");
  const names = [...own.matchAll(/<code class="member-name">([^<]*)<\/code>/g)].map(
    ([, name = ""]) => name
  );
  return `${withTerms(head, `${operation} \xB7 ${method}`)}<p>${[...new Set(names)].join(" ")}</p>`;
});
var withTerms = (html, terms) => terms === void 0 ? html : html.replace(/(<h1[^>]*>.*?)( <a )/, `$1 \xB7 ${terms}$2`);
var withProgram = (html, program) => program === void 0 ? html : html.replaceAll(/(<h[2-6][^>]*><code>)/g, `$1${program} `);
function emptyHeaders({ tokens }) {
  for (const [index, token] of tokens.entries()) {
    if (token.type === "th_open" && tokens[index + 1]?.content === "") token.tag = "td";
    if (token.type === "th_close" && tokens[index - 1]?.content === "") token.tag = "td";
  }
}
function cellLabels({
  tokens,
  env
}) {
  if (env.frontmatter?.pageClass?.includes("labelled-table") !== true) return;
  let headers = [];
  let column = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.type === "thead_open") headers = [];
    if (token.type === "tr_open") column = 0;
    if (token.type === "th_open") headers.push(tokens[index + 1]?.content ?? "");
    if (token.type !== "td_open") continue;
    if (column > 0 && headers.length > 2) token.attrSet("data-label", headers[column] ?? "");
    column += 1;
  }
}
function completeLinks({ tokens }) {
  for (const token of tokens) {
    if (token.type === "html_block" || token.type === "html_inline") {
      token.content = htmlForBase(token.content);
    }
    const href = token.attrGet("href");
    if (href?.startsWith(writtenBase) === true) {
      token.attrSet("href", base + href.slice(writtenBase.length));
    }
    completeLinks({ tokens: token.children ?? [] });
  }
}
var changes = lastChanges();
var fileAt = (path) => fileURLToPath3(new URL(`../${path}`, __vite_injected_original_import_meta_url3));
var title = "Security Platform API";
var notices = {
  ...thirdPartyNotices(fileURLToPath3(new URL("dist/THIRD-PARTY-NOTICES.txt", __vite_injected_original_import_meta_url3)), [
    redocNotice()
  ]),
  apply: (_config, { isSsrBuild }) => isSsrBuild !== true
};
var unusedStyles = {
  name: "unused-styles",
  enforce: "pre",
  load: (id) => /\/@docsearch\/css\/|\/theme-default\/(?:components\/VP(?:Team|Hero|Feature|HomeSponsor|Sponsor|Button|CarbonAds)\w*\.vue\?.*type=style|styles\/components\/vp-sponsor\.css)/.test(
    id
  ) ? "" : null
};
var promptSearch = {
  name: "prompt-search",
  enforce: "pre",
  transform(code, id) {
    if (!id.endsWith("/VPLocalSearchBox.vue")) return null;
    const prompt = code.replace("debounce: 200", "debounce: 40");
    if (prompt === code) throw new Error(`${id} waits for another time than 200 ms`);
    return prompt;
  }
};
function redocNotice() {
  const read = (name2) => readFileSync2(new URL(name2, import.meta.resolve("@redocly/cli/package.json")), "utf8").trim();
  const { name, version, license: license2 } = JSON.parse(read("package.json"));
  const heading = `${name} ${version}, license: ${license2}`;
  return `${[heading, read("LICENSE"), read("THIRD_PARTY_NOTICES")].join("\n\n")}
`;
}
var config_default = defineConfig({
  title,
  description: "How to run it, how to call it, and all its operations.",
  lang: "en",
  base,
  ...siteUrl !== void 0 && { sitemap: { hostname: siteUrl } },
  metaChunk: true,
  srcExclude: ["README.md", "architecture/**", "tests/**", "scripts/**", "generated/public/**"],
  rewrites: {
    "generated/reference/:path*": "reference/:path*",
    "generated/guides/:path*": "guides/:path*"
  },
  head: [
    ["link", { rel: "icon", type: "image/svg+xml", href: `${base}logo.svg` }],
    ["link", { rel: "apple-touch-icon", href: `${base}touch-icon.png` }]
  ],
  transformPageData({ description, filePath, relativePath, frontmatter }) {
    const { source = `docs/${filePath}` } = frontmatter;
    const lastUpdated = changes.get(source);
    return {
      ...existsSync(fileAt(`generated/public/${relativePath}`)) && {
        frontmatter: { ...frontmatter, hasMarkdown: true }
      },
      ...description === "" && {
        description: firstParagraph(readFileSync2(fileAt(filePath), "utf8"))
      },
      ...lastUpdated !== void 0 && { lastUpdated }
    };
  },
  transformHead: ({ pageData }) => pageHead(pageData, {
    title,
    ...siteUrl !== void 0 && { url: siteUrl }
  }),
  transformHtml(html, _file, { page }) {
    const ownHtml = html.replace(/<link [^>]*href="[^"]*\/vp-icons\.css"[^>]*>/, "");
    return page === "404.md" ? ownHtml : scriptsAfterPaint(ownHtml);
  },
  buildEnd({ outDir }) {
    for (const file of globSync("**/*.{md,txt}", { cwd: outDir })) {
      const path = join2(outDir, file);
      const text = readFileSync2(path, "utf8");
      const changed = textForSite(text);
      if (changed !== text) writeFileSync(path, changed);
    }
    if (siteUrl === void 0) return;
    const robots = `User-agent: *
Allow: /
Sitemap: ${siteUrl}sitemap.xml
`;
    writeFileSync(join2(outDir, "robots.txt"), robots);
  },
  vite: {
    publicDir: "generated/public",
    plugins: [notices, unusedStyles, promptSearch, platformFiles(base)]
  },
  markdown: {
    languages: [fql],
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config: (markdown) => {
      highlightOnce(markdown);
      const { code_inline: code } = markdown.renderer.rules;
      if (code !== void 0) {
        markdown.renderer.rules.code_inline = (...token) => breakableCode(code(...token));
      }
      const rules = [emptyHeaders, cellLabels, ...base === writtenBase ? [] : [completeLinks]];
      for (const rule2 of rules) markdown.core.ruler.push(rule2.name, rule2);
    }
  },
  themeConfig: {
    siteTitle: "Security Platform",
    search: {
      provider: "local",
      options: {
        detailedView: false,
        miniSearch: {
          searchOptions: {
            // Words of three characters, such as statuses, are not similar to others.
            fuzzy: 0.16,
            // The headings above a section say little about it.
            boost: { title: 4, text: 2, titles: 0.2 }
          }
        },
        _render: renderForSearch
      }
    },
    outline: [2, 3],
    nav: [
      { text: "Guides", link: "/guides/quick-start", activeMatch: "^/guides/" },
      { text: "Reference", link: "/reference/", activeMatch: "^/reference/" },
      { text: "On one page", link: "/redoc.html", target: "_self" }
    ],
    lastUpdated: { text: "Last changed", formatOptions: { dateStyle: "long" } },
    sidebar,
    docFooter: { prev: "Previous page", next: "Next page" }
  }
});
export {
  config_default as default
};
//# sourceMappingURL=data:application/json;base64,ewogICJ2ZXJzaW9uIjogMywKICAic291cmNlcyI6IFsiLnZpdGVwcmVzcy9jb25maWcudHMiLCAiLi4vc2NyaXB0cy90aGlyZC1wYXJ0eS1ub3RpY2VzLnRzIiwgInNjcmlwdHMvcmVmZXJlbmNlL2h0bWwudHMiLCAiLnZpdGVwcmVzcy9mcWwudHMiLCAiLnZpdGVwcmVzcy9sYXN0LWNoYW5nZXMudHMiLCAiLnZpdGVwcmVzcy9wYWdlLWhlYWQudHMiLCAiLnZpdGVwcmVzcy9wbGF0Zm9ybS1maWxlcy50cyIsICIudml0ZXByZXNzL3JlbmRlci1vbmNlLnRzIiwgIi52aXRlcHJlc3Mvc2NyaXB0cy1hZnRlci1wYWludC50cyIsICIudml0ZXByZXNzL3NpdGUtYWRkcmVzcy50cyJdLAogICJzb3VyY2VzQ29udGVudCI6IFsiY29uc3QgX192aXRlX2luamVjdGVkX29yaWdpbmFsX2Rpcm5hbWUgPSBcIi90bXAvd3BhZ2VzL2RvY3MvLnZpdGVwcmVzc1wiO2NvbnN0IF9fdml0ZV9pbmplY3RlZF9vcmlnaW5hbF9maWxlbmFtZSA9IFwiL3RtcC93cGFnZXMvZG9jcy8udml0ZXByZXNzL2NvbmZpZy50c1wiO2NvbnN0IF9fdml0ZV9pbmplY3RlZF9vcmlnaW5hbF9pbXBvcnRfbWV0YV91cmwgPSBcImZpbGU6Ly8vdG1wL3dwYWdlcy9kb2NzLy52aXRlcHJlc3MvY29uZmlnLnRzXCI7aW1wb3J0IHsgZXhpc3RzU3luYywgZ2xvYlN5bmMsIHJlYWRGaWxlU3luYywgd3JpdGVGaWxlU3luYyB9IGZyb20gXCJub2RlOmZzXCI7XG5pbXBvcnQgeyBqb2luIH0gZnJvbSBcIm5vZGU6cGF0aFwiO1xuaW1wb3J0IHsgZmlsZVVSTFRvUGF0aCB9IGZyb20gXCJub2RlOnVybFwiO1xuaW1wb3J0IHsgZGVmaW5lQ29uZmlnLCB0eXBlIERlZmF1bHRUaGVtZSB9IGZyb20gXCJ2aXRlcHJlc3NcIjtcbmltcG9ydCB7IHRoaXJkUGFydHlOb3RpY2VzIH0gZnJvbSBcIi4uLy4uL3NjcmlwdHMvdGhpcmQtcGFydHktbm90aWNlcy50c1wiO1xuaW1wb3J0IHsgYnJlYWthYmxlQ29kZSB9IGZyb20gXCIuLi9zY3JpcHRzL3JlZmVyZW5jZS9odG1sLnRzXCI7XG5pbXBvcnQgeyBmcWwgfSBmcm9tIFwiLi9mcWwudHNcIjtcbmltcG9ydCB7IGxhc3RDaGFuZ2VzIH0gZnJvbSBcIi4vbGFzdC1jaGFuZ2VzLnRzXCI7XG5pbXBvcnQgeyBmaXJzdFBhcmFncmFwaCwgcGFnZUhlYWQgfSBmcm9tIFwiLi9wYWdlLWhlYWQudHNcIjtcbmltcG9ydCB7IHBsYXRmb3JtRmlsZXMsIHR5cGUgUGx1Z2luIH0gZnJvbSBcIi4vcGxhdGZvcm0tZmlsZXMudHNcIjtcbmltcG9ydCB7IGhpZ2hsaWdodE9uY2UsIHJlbmRlck9uY2UgfSBmcm9tIFwiLi9yZW5kZXItb25jZS50c1wiO1xuaW1wb3J0IHsgc2NyaXB0c0FmdGVyUGFpbnQgfSBmcm9tIFwiLi9zY3JpcHRzLWFmdGVyLXBhaW50LnRzXCI7XG5pbXBvcnQgeyBiYXNlLCBodG1sRm9yQmFzZSwgc2l0ZVVybCwgdGV4dEZvclNpdGUsIHdyaXR0ZW5CYXNlIH0gZnJvbSBcIi4vc2l0ZS1hZGRyZXNzLnRzXCI7XG5cbmNvbnN0IHNpZGViYXIgPSBKU09OLnBhcnNlKFxuICByZWFkRmlsZVN5bmMobmV3IFVSTChcIi4uL2dlbmVyYXRlZC9zaWRlYmFyLmpzb25cIiwgaW1wb3J0Lm1ldGEudXJsKSwgXCJ1dGY4XCIpLFxuKSBhcyBEZWZhdWx0VGhlbWUuU2lkZWJhck11bHRpO1xuXG5pbnRlcmZhY2UgTWFya2Rvd25Ub2tlbiB7XG4gIHJlYWRvbmx5IHR5cGU6IHN0cmluZztcbiAgcmVhZG9ubHkgY2hpbGRyZW46IE1hcmtkb3duVG9rZW5bXSB8IG51bGw7XG4gIGNvbnRlbnQ6IHN0cmluZztcbiAgdGFnOiBzdHJpbmc7XG4gIGF0dHJHZXQobmFtZTogc3RyaW5nKTogc3RyaW5nIHwgbnVsbDtcbiAgYXR0clNldChuYW1lOiBzdHJpbmcsIHZhbHVlOiBzdHJpbmcpOiB2b2lkO1xufVxuXG5pbnRlcmZhY2UgRnJvbnRNYXR0ZXIge1xuICByZWFkb25seSBvcGVyYXRpb24/OiBzdHJpbmc7XG4gIHJlYWRvbmx5IG1ldGhvZD86IHN0cmluZztcbiAgLyoqIEZpbGUgaW4gdGhlIHByb2plY3QgdGhhdCB0aGUgcGFnZSBkZXNjcmliZXMuICovXG4gIHJlYWRvbmx5IHNvdXJjZT86IHN0cmluZztcbiAgLyoqIFBhZ2VzIHRoYXQgbGlzdCBvdGhlcnMgYXJlIGZvdW5kIGJ5IHRoZWlyIHRpdGxlIGFsb25lLiAqL1xuICByZWFkb25seSBzZWFyY2g/OiBcInRpdGxlXCI7XG4gIC8qKiBXb3JkcyB0aGF0IHJlYWRlcnMgbWF5IHNlYXJjaCBmb3IsIGFsdGhvdWdoIHRoZSBwYWdlIGRvZXMgbm90IGNvbnRhaW4gdGhlbSwgb3IgaXMgZm91bmQgYnkgaXRzIHRpdGxlIGFsb25lLiAqL1xuICByZWFkb25seSBrZXl3b3Jkcz86IHN0cmluZztcbiAgLyoqIFdoYXQgcmVhZGVycyBzZWFyY2ggZm9yIGluc3RlYWQgb2YgdGhlIHRpdGxlLiBTZWFyY2ggcmVzdWx0cyBzaG93IGl0IGJlc2lkZSB0aGUgdGl0bGUuICovXG4gIHJlYWRvbmx5IHRlcm1zPzogc3RyaW5nO1xuICAvKiogVGhlIHByb2dyYW0gd2hvc2UgY29tbWFuZHMgYXJlIHRoZSBoZWFkaW5ncyBvZiB0aGUgcGFnZS4gKi9cbiAgcmVhZG9ubHkgcHJvZ3JhbT86IHN0cmluZztcbn1cblxuaW50ZXJmYWNlIE1hcmtkb3duU3RhdGUge1xuICByZWFkb25seSB0b2tlbnM6IE1hcmtkb3duVG9rZW5bXTtcbn1cblxuLyoqIEhvdyBvZnRlbiB0aGUga2V5d29yZHMgb2YgYSBndWlkZSBjb3VudCwgYWdhaW5zdCBvcGVyYXRpb25zIHRoYXQgY29udGFpbiB0aGUgd29yZCBvbmNlLiAqL1xuY29uc3Qga2V5d29yZFdlaWdodCA9IDU7XG5cbi8qKlxuICogV2hhdCB0aGUgc2VhcmNoIGluZGV4IGhvbGRzIG9mIGEgcGFnZTogb2YgYW4gb3BlcmF0aW9uIGl0cyB0aXRsZSwgaXRzIGlkIGFuZCBuYW1lczsgb2YgYSBndWlkZSBldmVyeXRoaW5nLCBhbmQgaXRzXG4gKiBrZXl3b3Jkcy4gVml0ZVByZXNzIGV2YWx1YXRlcyBmdW5jdGlvbnMgaW4gdGhlIG9wdGlvbnMgb2YgdGhlIGluZGV4LCB3aGljaCB0aGUgY29udGVudCBzZWN1cml0eSBwb2xpY3lcbiAqIGZvcmJpZHMsIHNvIHRoZSB3ZWlnaHQgb2Ygd29yZHMgaXMgaW4gdGhlIHRleHQuXG4gKi9cbmNvbnN0IHJlbmRlckZvclNlYXJjaCA9IHJlbmRlck9uY2UoKHNvdXJjZSwgZW52LCBtYXJrZG93bikgPT4ge1xuICBjb25zdCBodG1sID0gbWFya2Rvd24ucmVuZGVyKHNvdXJjZSwgZW52KTtcbiAgY29uc3QgZnJvbnRNYXR0ZXIgPSAoZW52LmZyb250bWF0dGVyID8/IHt9KSBhcyBGcm9udE1hdHRlcjtcbiAgY29uc3QgeyBvcGVyYXRpb24sIG1ldGhvZCwgc2VhcmNoLCBrZXl3b3JkcyA9IFwiXCIsIHRlcm1zLCBwcm9ncmFtIH0gPSBmcm9udE1hdHRlcjtcbiAgaWYgKG9wZXJhdGlvbiA9PT0gdW5kZWZpbmVkKSB7XG4gICAgY29uc3QgdGl0bGUgPSBodG1sLnNsaWNlKDAsIGh0bWwuaW5kZXhPZihcIjwvaDE+XCIpICsgXCI8L2gxPlwiLmxlbmd0aCk7XG4gICAgY29uc3Qgd29yZHMgPSBgPHA+JHtgJHtrZXl3b3Jkc30gYC5yZXBlYXQoa2V5d29yZFdlaWdodCl9PC9wPmA7XG4gICAgY29uc3QgcmVzdCA9IHNlYXJjaCA9PT0gXCJ0aXRsZVwiID8gXCJcIiA6IGh0bWwuc2xpY2UodGl0bGUubGVuZ3RoKTtcbiAgICByZXR1cm4gd2l0aFRlcm1zKHRpdGxlLCB0ZXJtcykgKyB3b3JkcyArIHdpdGhQcm9ncmFtKHJlc3QsIHByb2dyYW0pO1xuICB9XG4gIGNvbnN0IGhlYWQgPSBodG1sLnNsaWNlKDAsIGh0bWwuaW5kZXhPZignPGRpdiBjbGFzcz1cIm9wZXJhdGlvbi1jb2x1bW5zXCI+JykpO1xuICAvLyBBbGwgb3BlcmF0aW9ucyByZXR1cm4gdGhlIHNhbWUgaGVhZGVycy5cbiAgY29uc3Qgb3duID0gaHRtbC5yZXBsYWNlQWxsKC88ZGV0YWlscyBjbGFzcz1cImhlYWRlcnNcIj5bXl0qPzxcXC9kZXRhaWxzPi9nLCBcIlwiKTtcbiAgY29uc3QgbmFtZXMgPSBbLi4ub3duLm1hdGNoQWxsKC88Y29kZSBjbGFzcz1cIm1lbWJlci1uYW1lXCI+KFtePF0qKTxcXC9jb2RlPi9nKV0ubWFwKFxuICAgIChbLCBuYW1lID0gXCJcIl0pID0+IG5hbWUsXG4gICk7XG4gIHJldHVybiBgJHt3aXRoVGVybXMoaGVhZCwgYCR7b3BlcmF0aW9ufSBcdTAwQjcgJHttZXRob2R9YCl9PHA+JHtbLi4ubmV3IFNldChuYW1lcyldLmpvaW4oXCIgXCIpfTwvcD5gO1xufSk7XG5cbi8qKiBUaGUgdGV4dCB3aG9zZSBmaXJzdCBoZWFkaW5nIGFsc28gaGFzIHRoZXNlIHRlcm1zLiAqL1xuY29uc3Qgd2l0aFRlcm1zID0gKGh0bWw6IHN0cmluZywgdGVybXM6IHN0cmluZyB8IHVuZGVmaW5lZCk6IHN0cmluZyA9PlxuICB0ZXJtcyA9PT0gdW5kZWZpbmVkID8gaHRtbCA6IGh0bWwucmVwbGFjZSgvKDxoMVtePl0qPi4qPykoIDxhICkvLCBgJDEgXHUwMEI3ICR7dGVybXN9JDJgKTtcblxuLyoqIFRoZSB0ZXh0IHdob3NlIGhlYWRpbmdzIGFyZSBjb21wbGV0ZSBjb21tYW5kcy4gKi9cbmNvbnN0IHdpdGhQcm9ncmFtID0gKGh0bWw6IHN0cmluZywgcHJvZ3JhbTogc3RyaW5nIHwgdW5kZWZpbmVkKTogc3RyaW5nID0+XG4gIHByb2dyYW0gPT09IHVuZGVmaW5lZCA/IGh0bWwgOiBodG1sLnJlcGxhY2VBbGwoLyg8aFsyLTZdW14+XSo+PGNvZGU+KS9nLCBgJDEke3Byb2dyYW19IGApO1xuXG4vKiogSGVhZGVyIGNlbGxzIHdpdGhvdXQgdGV4dCBiZWNvbWUgcGxhaW4gY2VsbHMsIHdoaWNoIHNjcmVlbiByZWFkZXJzIGRvIG5vdCBhbm5vdW5jZSBhcyBoZWFkZXJzLiAqL1xuZnVuY3Rpb24gZW1wdHlIZWFkZXJzKHsgdG9rZW5zIH06IE1hcmtkb3duU3RhdGUpOiB2b2lkIHtcbiAgZm9yIChjb25zdCBbaW5kZXgsIHRva2VuXSBvZiB0b2tlbnMuZW50cmllcygpKSB7XG4gICAgaWYgKHRva2VuLnR5cGUgPT09IFwidGhfb3BlblwiICYmIHRva2Vuc1tpbmRleCArIDFdPy5jb250ZW50ID09PSBcIlwiKSB0b2tlbi50YWcgPSBcInRkXCI7XG4gICAgaWYgKHRva2VuLnR5cGUgPT09IFwidGhfY2xvc2VcIiAmJiB0b2tlbnNbaW5kZXggLSAxXT8uY29udGVudCA9PT0gXCJcIikgdG9rZW4udGFnID0gXCJ0ZFwiO1xuICB9XG59XG5cbi8qKiBPbiBwYWdlcyB3aXRoIHRoZSBjbGFzcyBgbGFiZWxsZWQtdGFibGVgLCBlYWNoIGNlbGwga25vd3MgaXRzIGhlYWRlciwgd2hpY2ggYSBuYXJyb3cgcGFnZSBzaG93cyBhYm92ZSBpdC4gKi9cbmZ1bmN0aW9uIGNlbGxMYWJlbHMoe1xuICB0b2tlbnMsXG4gIGVudixcbn06IE1hcmtkb3duU3RhdGUgJiB7IHJlYWRvbmx5IGVudjogeyBmcm9udG1hdHRlcj86IHsgcGFnZUNsYXNzPzogc3RyaW5nIH0gfSB9KTogdm9pZCB7XG4gIGlmIChlbnYuZnJvbnRtYXR0ZXI/LnBhZ2VDbGFzcz8uaW5jbHVkZXMoXCJsYWJlbGxlZC10YWJsZVwiKSAhPT0gdHJ1ZSkgcmV0dXJuO1xuICBsZXQgaGVhZGVyczogc3RyaW5nW10gPSBbXTtcbiAgbGV0IGNvbHVtbiA9IDA7XG4gIGZvciAoY29uc3QgW2luZGV4LCB0b2tlbl0gb2YgdG9rZW5zLmVudHJpZXMoKSkge1xuICAgIGlmICh0b2tlbi50eXBlID09PSBcInRoZWFkX29wZW5cIikgaGVhZGVycyA9IFtdO1xuICAgIGlmICh0b2tlbi50eXBlID09PSBcInRyX29wZW5cIikgY29sdW1uID0gMDtcbiAgICBpZiAodG9rZW4udHlwZSA9PT0gXCJ0aF9vcGVuXCIpIGhlYWRlcnMucHVzaCh0b2tlbnNbaW5kZXggKyAxXT8uY29udGVudCA/PyBcIlwiKTtcbiAgICBpZiAodG9rZW4udHlwZSAhPT0gXCJ0ZF9vcGVuXCIpIGNvbnRpbnVlO1xuICAgIGlmIChjb2x1bW4gPiAwICYmIGhlYWRlcnMubGVuZ3RoID4gMikgdG9rZW4uYXR0clNldChcImRhdGEtbGFiZWxcIiwgaGVhZGVyc1tjb2x1bW5dID8/IFwiXCIpO1xuICAgIGNvbHVtbiArPSAxO1xuICB9XG59XG5cbi8qKiBMaW5rcyB0aGF0IGFyZSB3cml0dGVuIGluIGZ1bGwsIGJlY2F1c2UgVml0ZVByZXNzIGRvZXMgbm90IGNvbXBsZXRlIHRoZW0sIGdldCB0aGUgYmFzZSBvZiB0aGUgc2l0ZS4gKi9cbmZ1bmN0aW9uIGNvbXBsZXRlTGlua3MoeyB0b2tlbnMgfTogTWFya2Rvd25TdGF0ZSk6IHZvaWQge1xuICBmb3IgKGNvbnN0IHRva2VuIG9mIHRva2Vucykge1xuICAgIGlmICh0b2tlbi50eXBlID09PSBcImh0bWxfYmxvY2tcIiB8fCB0b2tlbi50eXBlID09PSBcImh0bWxfaW5saW5lXCIpIHtcbiAgICAgIHRva2VuLmNvbnRlbnQgPSBodG1sRm9yQmFzZSh0b2tlbi5jb250ZW50KTtcbiAgICB9XG4gICAgY29uc3QgaHJlZiA9IHRva2VuLmF0dHJHZXQoXCJocmVmXCIpO1xuICAgIGlmIChocmVmPy5zdGFydHNXaXRoKHdyaXR0ZW5CYXNlKSA9PT0gdHJ1ZSkge1xuICAgICAgdG9rZW4uYXR0clNldChcImhyZWZcIiwgYmFzZSArIGhyZWYuc2xpY2Uod3JpdHRlbkJhc2UubGVuZ3RoKSk7XG4gICAgfVxuICAgIGNvbXBsZXRlTGlua3MoeyB0b2tlbnM6IHRva2VuLmNoaWxkcmVuID8/IFtdIH0pO1xuICB9XG59XG5cbmNvbnN0IGNoYW5nZXMgPSBsYXN0Q2hhbmdlcygpO1xuY29uc3QgZmlsZUF0ID0gKHBhdGg6IHN0cmluZyk6IHN0cmluZyA9PiBmaWxlVVJMVG9QYXRoKG5ldyBVUkwoYC4uLyR7cGF0aH1gLCBpbXBvcnQubWV0YS51cmwpKTtcbmNvbnN0IHRpdGxlID0gXCJTZWN1cml0eSBQbGF0Zm9ybSBBUElcIjtcblxuLyoqIFRoZSBsaWNlbmNlcyBvZiB3aGF0IHRoZSBwYWdlcyBsb2FkOiBidW5kbGVkIHBhY2thZ2VzLCBhbmQgdGhlIHNjcmlwdCBvZiB0aGUgcGFnZSB0aGF0IFJlZG9jIG1ha2VzLiAqL1xuY29uc3Qgbm90aWNlczogUGx1Z2luID0ge1xuICAuLi4odGhpcmRQYXJ0eU5vdGljZXMoZmlsZVVSTFRvUGF0aChuZXcgVVJMKFwiZGlzdC9USElSRC1QQVJUWS1OT1RJQ0VTLnR4dFwiLCBpbXBvcnQubWV0YS51cmwpKSwgW1xuICAgIHJlZG9jTm90aWNlKCksXG4gIF0pIGFzIFBsdWdpbiksXG4gIGFwcGx5OiAoX2NvbmZpZywgeyBpc1NzckJ1aWxkIH0pID0+IGlzU3NyQnVpbGQgIT09IHRydWUsXG59O1xuXG4vKiogU3R5bGVzIG9mIHBhcnRzIG9mIHRoZSB0aGVtZSB0aGF0IG5vIHBhZ2UgaGFzLiBUaGUgZmlyc3QgcGFpbnQgd2FpdHMgZm9yIGFsbCBzdHlsZXMuICovXG5jb25zdCB1bnVzZWRTdHlsZXM6IFBsdWdpbiA9IHtcbiAgbmFtZTogXCJ1bnVzZWQtc3R5bGVzXCIsXG4gIGVuZm9yY2U6IFwicHJlXCIsXG4gIGxvYWQ6IChpZCkgPT5cbiAgICAvXFwvQGRvY3NlYXJjaFxcL2Nzc1xcL3xcXC90aGVtZS1kZWZhdWx0XFwvKD86Y29tcG9uZW50c1xcL1ZQKD86VGVhbXxIZXJvfEZlYXR1cmV8SG9tZVNwb25zb3J8U3BvbnNvcnxCdXR0b258Q2FyYm9uQWRzKVxcdypcXC52dWVcXD8uKnR5cGU9c3R5bGV8c3R5bGVzXFwvY29tcG9uZW50c1xcL3ZwLXNwb25zb3JcXC5jc3MpLy50ZXN0KFxuICAgICAgaWQsXG4gICAgKVxuICAgICAgPyBcIlwiXG4gICAgICA6IG51bGwsXG59O1xuXG4vKiogVGhlIHNlYXJjaCBvZiB0aGUgdGhlbWUgd2FpdHMgZm9yIDIwMCBtcyBhZnRlciBlYWNoIGtleSwgYWx0aG91Z2ggaXQgdGFrZXMgMTAgbXMgaXRzZWxmLiAqL1xuY29uc3QgcHJvbXB0U2VhcmNoOiBQbHVnaW4gPSB7XG4gIG5hbWU6IFwicHJvbXB0LXNlYXJjaFwiLFxuICBlbmZvcmNlOiBcInByZVwiLFxuICB0cmFuc2Zvcm0oY29kZSwgaWQpIHtcbiAgICBpZiAoIWlkLmVuZHNXaXRoKFwiL1ZQTG9jYWxTZWFyY2hCb3gudnVlXCIpKSByZXR1cm4gbnVsbDtcbiAgICBjb25zdCBwcm9tcHQgPSBjb2RlLnJlcGxhY2UoXCJkZWJvdW5jZTogMjAwXCIsIFwiZGVib3VuY2U6IDQwXCIpO1xuICAgIGlmIChwcm9tcHQgPT09IGNvZGUpIHRocm93IG5ldyBFcnJvcihgJHtpZH0gd2FpdHMgZm9yIGFub3RoZXIgdGltZSB0aGFuIDIwMCBtc2ApO1xuICAgIHJldHVybiBwcm9tcHQ7XG4gIH0sXG59O1xuXG5mdW5jdGlvbiByZWRvY05vdGljZSgpOiBzdHJpbmcge1xuICBjb25zdCByZWFkID0gKG5hbWU6IHN0cmluZyk6IHN0cmluZyA9PlxuICAgIHJlYWRGaWxlU3luYyhuZXcgVVJMKG5hbWUsIGltcG9ydC5tZXRhLnJlc29sdmUoXCJAcmVkb2NseS9jbGkvcGFja2FnZS5qc29uXCIpKSwgXCJ1dGY4XCIpLnRyaW0oKTtcbiAgY29uc3QgeyBuYW1lLCB2ZXJzaW9uLCBsaWNlbnNlIH0gPSBKU09OLnBhcnNlKHJlYWQoXCJwYWNrYWdlLmpzb25cIikpIGFzIFJlY29yZDxzdHJpbmcsIHN0cmluZz47XG4gIGNvbnN0IGhlYWRpbmcgPSBgJHtuYW1lfSAke3ZlcnNpb259LCBsaWNlbnNlOiAke2xpY2Vuc2V9YDtcbiAgcmV0dXJuIGAke1toZWFkaW5nLCByZWFkKFwiTElDRU5TRVwiKSwgcmVhZChcIlRISVJEX1BBUlRZX05PVElDRVNcIildLmpvaW4oXCJcXG5cXG5cIil9XFxuYDtcbn1cblxuLyoqIFRoZSBzZXJ2ZXIgc2VydmVzIHRoZSBidWlsdCBzaXRlIGF0IC9kb2NzLCB3aXRob3V0IHJlc291cmNlcyBmcm9tIG90aGVyIGhvc3RzLiAqL1xuZXhwb3J0IGRlZmF1bHQgZGVmaW5lQ29uZmlnKHtcbiAgdGl0bGUsXG4gIGRlc2NyaXB0aW9uOiBcIkhvdyB0byBydW4gaXQsIGhvdyB0byBjYWxsIGl0LCBhbmQgYWxsIGl0cyBvcGVyYXRpb25zLlwiLFxuICBsYW5nOiBcImVuXCIsXG4gIGJhc2UsXG4gIC4uLihzaXRlVXJsICE9PSB1bmRlZmluZWQgJiYgeyBzaXRlbWFwOiB7IGhvc3RuYW1lOiBzaXRlVXJsIH0gfSksXG4gIG1ldGFDaHVuazogdHJ1ZSxcbiAgc3JjRXhjbHVkZTogW1wiUkVBRE1FLm1kXCIsIFwiYXJjaGl0ZWN0dXJlLyoqXCIsIFwidGVzdHMvKipcIiwgXCJzY3JpcHRzLyoqXCIsIFwiZ2VuZXJhdGVkL3B1YmxpYy8qKlwiXSxcbiAgcmV3cml0ZXM6IHtcbiAgICBcImdlbmVyYXRlZC9yZWZlcmVuY2UvOnBhdGgqXCI6IFwicmVmZXJlbmNlLzpwYXRoKlwiLFxuICAgIFwiZ2VuZXJhdGVkL2d1aWRlcy86cGF0aCpcIjogXCJndWlkZXMvOnBhdGgqXCIsXG4gIH0sXG4gIGhlYWQ6IFtcbiAgICBbXCJsaW5rXCIsIHsgcmVsOiBcImljb25cIiwgdHlwZTogXCJpbWFnZS9zdmcreG1sXCIsIGhyZWY6IGAke2Jhc2V9bG9nby5zdmdgIH1dLFxuICAgIFtcImxpbmtcIiwgeyByZWw6IFwiYXBwbGUtdG91Y2gtaWNvblwiLCBocmVmOiBgJHtiYXNlfXRvdWNoLWljb24ucG5nYCB9XSxcbiAgXSxcbiAgdHJhbnNmb3JtUGFnZURhdGEoeyBkZXNjcmlwdGlvbiwgZmlsZVBhdGgsIHJlbGF0aXZlUGF0aCwgZnJvbnRtYXR0ZXIgfSkge1xuICAgIGNvbnN0IHsgc291cmNlID0gYGRvY3MvJHtmaWxlUGF0aH1gIH0gPSBmcm9udG1hdHRlciBhcyBGcm9udE1hdHRlcjtcbiAgICBjb25zdCBsYXN0VXBkYXRlZCA9IGNoYW5nZXMuZ2V0KHNvdXJjZSk7XG4gICAgcmV0dXJuIHtcbiAgICAgIC4uLihleGlzdHNTeW5jKGZpbGVBdChgZ2VuZXJhdGVkL3B1YmxpYy8ke3JlbGF0aXZlUGF0aH1gKSkgJiYge1xuICAgICAgICBmcm9udG1hdHRlcjogeyAuLi5mcm9udG1hdHRlciwgaGFzTWFya2Rvd246IHRydWUgfSxcbiAgICAgIH0pLFxuICAgICAgLi4uKGRlc2NyaXB0aW9uID09PSBcIlwiICYmIHtcbiAgICAgICAgZGVzY3JpcHRpb246IGZpcnN0UGFyYWdyYXBoKHJlYWRGaWxlU3luYyhmaWxlQXQoZmlsZVBhdGgpLCBcInV0ZjhcIikpLFxuICAgICAgfSksXG4gICAgICAuLi4obGFzdFVwZGF0ZWQgIT09IHVuZGVmaW5lZCAmJiB7IGxhc3RVcGRhdGVkIH0pLFxuICAgIH07XG4gIH0sXG4gIHRyYW5zZm9ybUhlYWQ6ICh7IHBhZ2VEYXRhIH0pID0+XG4gICAgcGFnZUhlYWQocGFnZURhdGEsIHtcbiAgICAgIHRpdGxlLFxuICAgICAgLi4uKHNpdGVVcmwgIT09IHVuZGVmaW5lZCAmJiB7IHVybDogc2l0ZVVybCB9KSxcbiAgICB9KSxcbiAgdHJhbnNmb3JtSHRtbChodG1sLCBfZmlsZSwgeyBwYWdlIH0pIHtcbiAgICAvLyBUaGUgdGhlbWUgbGlua3MgYSBmaWxlIHdpdGggdGhlIGljb25zIG9mIGl0cyBvcHRpb25zLCB3aGljaCBpcyBlbXB0eSBoZXJlLlxuICAgIGNvbnN0IG93bkh0bWwgPSBodG1sLnJlcGxhY2UoLzxsaW5rIFtePl0qaHJlZj1cIlteXCJdKlxcL3ZwLWljb25zXFwuY3NzXCJbXj5dKj4vLCBcIlwiKTtcbiAgICAvLyBUaGUgcGFnZSBmb3IgdW5rbm93biBwYXRocyBpcyBwYWludGVkIGJ5IGl0cyBzY3JpcHRzLlxuICAgIHJldHVybiBwYWdlID09PSBcIjQwNC5tZFwiID8gb3duSHRtbCA6IHNjcmlwdHNBZnRlclBhaW50KG93bkh0bWwpO1xuICB9LFxuICBidWlsZEVuZCh7IG91dERpciB9KSB7XG4gICAgZm9yIChjb25zdCBmaWxlIG9mIGdsb2JTeW5jKFwiKiovKi57bWQsdHh0fVwiLCB7IGN3ZDogb3V0RGlyIH0pKSB7XG4gICAgICBjb25zdCBwYXRoID0gam9pbihvdXREaXIsIGZpbGUpO1xuICAgICAgY29uc3QgdGV4dCA9IHJlYWRGaWxlU3luYyhwYXRoLCBcInV0ZjhcIik7XG4gICAgICBjb25zdCBjaGFuZ2VkID0gdGV4dEZvclNpdGUodGV4dCk7XG4gICAgICBpZiAoY2hhbmdlZCAhPT0gdGV4dCkgd3JpdGVGaWxlU3luYyhwYXRoLCBjaGFuZ2VkKTtcbiAgICB9XG4gICAgaWYgKHNpdGVVcmwgPT09IHVuZGVmaW5lZCkgcmV0dXJuO1xuICAgIGNvbnN0IHJvYm90cyA9IGBVc2VyLWFnZW50OiAqXFxuQWxsb3c6IC9cXG5TaXRlbWFwOiAke3NpdGVVcmx9c2l0ZW1hcC54bWxcXG5gO1xuICAgIHdyaXRlRmlsZVN5bmMoam9pbihvdXREaXIsIFwicm9ib3RzLnR4dFwiKSwgcm9ib3RzKTtcbiAgfSxcbiAgdml0ZToge1xuICAgIHB1YmxpY0RpcjogXCJnZW5lcmF0ZWQvcHVibGljXCIsXG4gICAgcGx1Z2luczogW25vdGljZXMsIHVudXNlZFN0eWxlcywgcHJvbXB0U2VhcmNoLCBwbGF0Zm9ybUZpbGVzKGJhc2UpXSxcbiAgfSxcbiAgbWFya2Rvd246IHtcbiAgICBsYW5ndWFnZXM6IFtmcWxdLFxuICAgIHRoZW1lOiB7IGxpZ2h0OiBcImdpdGh1Yi1saWdodC1oaWdoLWNvbnRyYXN0XCIsIGRhcms6IFwiZ2l0aHViLWRhcmstaGlnaC1jb250cmFzdFwiIH0sXG4gICAgY29uZmlnOiAobWFya2Rvd24pID0+IHtcbiAgICAgIGhpZ2hsaWdodE9uY2UobWFya2Rvd24pO1xuICAgICAgY29uc3QgeyBjb2RlX2lubGluZTogY29kZSB9ID0gbWFya2Rvd24ucmVuZGVyZXIucnVsZXM7XG4gICAgICBpZiAoY29kZSAhPT0gdW5kZWZpbmVkKSB7XG4gICAgICAgIG1hcmtkb3duLnJlbmRlcmVyLnJ1bGVzLmNvZGVfaW5saW5lID0gKC4uLnRva2VuKSA9PiBicmVha2FibGVDb2RlKGNvZGUoLi4udG9rZW4pKTtcbiAgICAgIH1cbiAgICAgIGNvbnN0IHJ1bGVzID0gW2VtcHR5SGVhZGVycywgY2VsbExhYmVscywgLi4uKGJhc2UgPT09IHdyaXR0ZW5CYXNlID8gW10gOiBbY29tcGxldGVMaW5rc10pXTtcbiAgICAgIGZvciAoY29uc3QgcnVsZSBvZiBydWxlcykgbWFya2Rvd24uY29yZS5ydWxlci5wdXNoKHJ1bGUubmFtZSwgcnVsZSk7XG4gICAgfSxcbiAgfSxcbiAgdGhlbWVDb25maWc6IHtcbiAgICBzaXRlVGl0bGU6IFwiU2VjdXJpdHkgUGxhdGZvcm1cIixcbiAgICBzZWFyY2g6IHtcbiAgICAgIHByb3ZpZGVyOiBcImxvY2FsXCIsXG4gICAgICBvcHRpb25zOiB7XG4gICAgICAgIGRldGFpbGVkVmlldzogZmFsc2UsXG4gICAgICAgIG1pbmlTZWFyY2g6IHtcbiAgICAgICAgICBzZWFyY2hPcHRpb25zOiB7XG4gICAgICAgICAgICAvLyBXb3JkcyBvZiB0aHJlZSBjaGFyYWN0ZXJzLCBzdWNoIGFzIHN0YXR1c2VzLCBhcmUgbm90IHNpbWlsYXIgdG8gb3RoZXJzLlxuICAgICAgICAgICAgZnV6enk6IDAuMTYsXG4gICAgICAgICAgICAvLyBUaGUgaGVhZGluZ3MgYWJvdmUgYSBzZWN0aW9uIHNheSBsaXR0bGUgYWJvdXQgaXQuXG4gICAgICAgICAgICBib29zdDogeyB0aXRsZTogNCwgdGV4dDogMiwgdGl0bGVzOiAwLjIgfSxcbiAgICAgICAgICB9LFxuICAgICAgICB9LFxuICAgICAgICBfcmVuZGVyOiByZW5kZXJGb3JTZWFyY2gsXG4gICAgICB9LFxuICAgIH0sXG4gICAgb3V0bGluZTogWzIsIDNdLFxuICAgIG5hdjogW1xuICAgICAgeyB0ZXh0OiBcIkd1aWRlc1wiLCBsaW5rOiBcIi9ndWlkZXMvcXVpY2stc3RhcnRcIiwgYWN0aXZlTWF0Y2g6IFwiXi9ndWlkZXMvXCIgfSxcbiAgICAgIHsgdGV4dDogXCJSZWZlcmVuY2VcIiwgbGluazogXCIvcmVmZXJlbmNlL1wiLCBhY3RpdmVNYXRjaDogXCJeL3JlZmVyZW5jZS9cIiB9LFxuICAgICAgeyB0ZXh0OiBcIk9uIG9uZSBwYWdlXCIsIGxpbms6IFwiL3JlZG9jLmh0bWxcIiwgdGFyZ2V0OiBcIl9zZWxmXCIgfSxcbiAgICBdLFxuICAgIGxhc3RVcGRhdGVkOiB7IHRleHQ6IFwiTGFzdCBjaGFuZ2VkXCIsIGZvcm1hdE9wdGlvbnM6IHsgZGF0ZVN0eWxlOiBcImxvbmdcIiB9IH0sXG4gICAgc2lkZWJhcixcbiAgICBkb2NGb290ZXI6IHsgcHJldjogXCJQcmV2aW91cyBwYWdlXCIsIG5leHQ6IFwiTmV4dCBwYWdlXCIgfSxcbiAgfSxcbn0pO1xuIiwgImNvbnN0IF9fdml0ZV9pbmplY3RlZF9vcmlnaW5hbF9kaXJuYW1lID0gXCIvdG1wL3dwYWdlcy9zY3JpcHRzXCI7Y29uc3QgX192aXRlX2luamVjdGVkX29yaWdpbmFsX2ZpbGVuYW1lID0gXCIvdG1wL3dwYWdlcy9zY3JpcHRzL3RoaXJkLXBhcnR5LW5vdGljZXMudHNcIjtjb25zdCBfX3ZpdGVfaW5qZWN0ZWRfb3JpZ2luYWxfaW1wb3J0X21ldGFfdXJsID0gXCJmaWxlOi8vL3RtcC93cGFnZXMvc2NyaXB0cy90aGlyZC1wYXJ0eS1ub3RpY2VzLnRzXCI7aW1wb3J0IHBsdWdpbiwgeyB0eXBlIERlcGVuZGVuY3kgfSBmcm9tIFwicm9sbHVwLXBsdWdpbi1saWNlbnNlXCI7XG5cbi8vIEl0cyB0eXBlcyBjbGFpbSBhIG1vZHVsZSB3aXRoIGEgbWVtYmVyIGBkZWZhdWx0YDsgaXQgaXMgdGhlIGZ1bmN0aW9uIGl0c2VsZi5cbmNvbnN0IGxpY2Vuc2UgPSBwbHVnaW4gYXMgdW5rbm93biBhcyB0eXBlb2YgcGx1Z2luLmRlZmF1bHQ7XG5cbi8qKiBMaWNlbmNlcyB0aGF0IGFsbG93IHVzIHRvIGRpc3RyaWJ1dGUgY29kZSB1bmRlciBBcGFjaGUtMi4wIHdpdGggdGhlIG5vdGljZXMgYWxvbmUuICovXG5leHBvcnQgY29uc3QgYWxsb3dlZExpY2Vuc2VzOiByZWFkb25seSBzdHJpbmdbXSA9IFtcbiAgXCIwQlNEXCIsXG4gIFwiQXBhY2hlLTIuMFwiLFxuICBcIkJsdWVPYWstMS4wLjBcIixcbiAgXCJCU0QtMi1DbGF1c2VcIixcbiAgXCJCU0QtMy1DbGF1c2VcIixcbiAgXCJJU0NcIixcbiAgXCJNSVRcIixcbiAgXCJNSVQtMFwiLFxuXTtcblxuLyoqXG4gKiBXcml0ZXMgdGhlIGxpY2VuY2VzIG9mIGFsbCBidW5kbGVkIHBhY2thZ2VzIHRvIGEgZmlsZSwgd2hpY2ggbXVzdCBhY2NvbXBhbnkgdGhlaXIgY29kZS4gVGhlIGJ1aWxkIGZhaWxzIGlmIGFcbiAqIHBhY2thZ2UgaGFzIG5vIGxpY2VuY2UsIG9yIG9uZSB0aGF0IGlzIG5vdCBhbGxvd2VkLlxuICpcbiAqIEBwYXJhbSBwYXJ0cyBXaGF0IGJ1bmRsZXJzIGRvIG5vdCBzZWU6IHRleHRzIGZvciBmaWxlcyB0aGF0IGFyZSBjb3BpZWQuXG4gKi9cbmV4cG9ydCBmdW5jdGlvbiB0aGlyZFBhcnR5Tm90aWNlcyhmaWxlOiBzdHJpbmcsIHBhcnRzOiByZWFkb25seSBzdHJpbmdbXSA9IFtdKTogdW5rbm93biB7XG4gIHJldHVybiBsaWNlbnNlKHtcbiAgICB0aGlyZFBhcnR5OiB7XG4gICAgICBtdWx0aXBsZVZlcnNpb25zOiB0cnVlLFxuICAgICAgYWxsb3c6IHtcbiAgICAgICAgdGVzdDogYCgke2FsbG93ZWRMaWNlbnNlcy5qb2luKFwiIE9SIFwiKX0pYCxcbiAgICAgICAgZmFpbE9uVW5saWNlbnNlZDogdHJ1ZSxcbiAgICAgICAgZmFpbE9uVmlvbGF0aW9uOiB0cnVlLFxuICAgICAgfSxcbiAgICAgIG91dHB1dDoge1xuICAgICAgICBmaWxlLFxuICAgICAgICB0ZW1wbGF0ZTogKGRlcGVuZGVuY2llcykgPT5cbiAgICAgICAgICBbLi4uZGVwZW5kZW5jaWVzLmZpbHRlcihpc0ZvcmVpZ24pLm1hcChub3RpY2UpLnRvU29ydGVkKCksIC4uLnBhcnRzXS5qb2luKGxpbmUpLFxuICAgICAgfSxcbiAgICB9LFxuICB9KTtcbn1cblxuY29uc3QgaXNGb3JlaWduID0gKHsgbmFtZSB9OiBEZXBlbmRlbmN5KTogYm9vbGVhbiA9PlxuICBuYW1lPy5zdGFydHNXaXRoKFwiQHNlY3VyaXR5LXBsYXRmb3JtL1wiKSAhPT0gdHJ1ZTtcblxuY29uc3QgbGluZSA9IGBcXG4ke1wiLVwiLnJlcGVhdCg4MCl9XFxuXFxuYDtcblxuZnVuY3Rpb24gbm90aWNlKHsgbmFtZSwgdmVyc2lvbiwgbGljZW5zZTogdGVybXMsIGxpY2Vuc2VUZXh0LCBub3RpY2VUZXh0IH06IERlcGVuZGVuY3kpOiBzdHJpbmcge1xuICBjb25zdCB0ZXh0cyA9IFtsaWNlbnNlVGV4dCwgbm90aWNlVGV4dF0uZmlsdGVyKCh0ZXh0KSA9PiB0ZXh0ICE9PSBudWxsICYmIHRleHQgIT09IHVuZGVmaW5lZCk7XG4gIGNvbnN0IGhlYWRpbmcgPSBgJHtuYW1lfSAke3ZlcnNpb259LCBsaWNlbnNlOiAke3Rlcm1zfWA7XG4gIHJldHVybiBgJHtbaGVhZGluZywgLi4udGV4dHMubWFwKCh0ZXh0KSA9PiB0ZXh0LnRyaW0oKSldLmpvaW4oXCJcXG5cXG5cIil9XFxuYDtcbn1cbiIsICJjb25zdCBfX3ZpdGVfaW5qZWN0ZWRfb3JpZ2luYWxfZGlybmFtZSA9IFwiL3RtcC93cGFnZXMvZG9jcy9zY3JpcHRzL3JlZmVyZW5jZVwiO2NvbnN0IF9fdml0ZV9pbmplY3RlZF9vcmlnaW5hbF9maWxlbmFtZSA9IFwiL3RtcC93cGFnZXMvZG9jcy9zY3JpcHRzL3JlZmVyZW5jZS9odG1sLnRzXCI7Y29uc3QgX192aXRlX2luamVjdGVkX29yaWdpbmFsX2ltcG9ydF9tZXRhX3VybCA9IFwiZmlsZTovLy90bXAvd3BhZ2VzL2RvY3Mvc2NyaXB0cy9yZWZlcmVuY2UvaHRtbC50c1wiOy8qKiBIVE1MIGZyYWdtZW50cy4gUGFnZXMgY29udGFpbiB0aGVtIHdoZXJlIE1hcmtkb3duIGhhcyBubyBtYXJrdXAsIHN1Y2ggYXMgdHJlZXMgdGhhdCB1bmZvbGQuICovXG5cbmNvbnN0IGVudGl0aWVzOiBSZWFkb25seTxSZWNvcmQ8c3RyaW5nLCBzdHJpbmc+PiA9IHtcbiAgXCImXCI6IFwiJmFtcDtcIixcbiAgXCI8XCI6IFwiJmx0O1wiLFxuICBcIj5cIjogXCImZ3Q7XCIsXG4gICdcIic6IFwiJnF1b3Q7XCIsXG59O1xuXG5leHBvcnQgY29uc3QgZXNjYXBlID0gKHRleHQ6IHN0cmluZyk6IHN0cmluZyA9PlxuICB0ZXh0LnJlcGxhY2VBbGwoL1smPD5cIl0vZywgKGNoYXJhY3RlcikgPT4gZW50aXRpZXNbY2hhcmFjdGVyXSA/PyBjaGFyYWN0ZXIpO1xuXG5leHBvcnQgY29uc3QgY29kZUh0bWwgPSAodGV4dDogc3RyaW5nKTogc3RyaW5nID0+IGJyZWFrYWJsZUNvZGUoYDxjb2RlPiR7ZXNjYXBlKHRleHQpfTwvY29kZT5gKTtcblxuLyoqIFRoZSBsb25nZXN0IGNvZGUsIGluIGNoYXJhY3RlcnMsIHRoYXQgZml0cyBpbnRvIGEgbGluZSBvZiBhIHBob25lLiAqL1xuY29uc3QgbG9uZ2VzdFVuYnJva2VuID0gMjg7XG5cbi8qKiBXaGV0aGVyIHRoZSBjb2RlIG1heSBiZSBicm9rZW4gYmV0d2VlbiBsaW5lcy4gU2hvcnRlciBjb2RlLCBzdWNoIGFzIGFuIG9wdGlvbiwgaXMgbm90LiAqL1xuZXhwb3J0IGNvbnN0IGlzTG9uZ0NvZGUgPSAodGV4dDogc3RyaW5nKTogYm9vbGVhbiA9PiB0ZXh0Lmxlbmd0aCA+IGxvbmdlc3RVbmJyb2tlbjtcblxuLyoqIEEgbmFtZSBvciBhIHBhdGggd2l0aCB0aGUgcGxhY2VzIHdoZXJlIGl0IG1heSBiZSBicm9rZW4gYmV0d2VlbiBsaW5lcy4gKi9cbmV4cG9ydCBjb25zdCBicmVha2FibGUgPSAodGV4dDogc3RyaW5nKTogc3RyaW5nID0+XG4gIHRleHQucmVwbGFjZUFsbCgvKD88PVthLXpdKSg/PVtBLVpdKXwoPzw9Wy4vX10pL2csIFwiPHdicj5cIik7XG5cbi8qKiBBIGBjb2RlYCBlbGVtZW50IHRoYXQgaXMgbWFya2VkIGlmIGl0IGlzIGxvbmcsIHdpdGggdGhlIHBsYWNlcyB3aGVyZSBpdCBtYXkgYmUgYnJva2VuLiAqL1xuZXhwb3J0IGNvbnN0IGJyZWFrYWJsZUNvZGUgPSAoZWxlbWVudDogc3RyaW5nKTogc3RyaW5nID0+XG4gIGVsZW1lbnQucmVwbGFjZSgvXjxjb2RlKFtePl0qKT4oW15dKik8XFwvY29kZT4kLywgKHdob2xlLCBhdHRyaWJ1dGVzOiBzdHJpbmcsIHRleHQ6IHN0cmluZykgPT5cbiAgICBpc0xvbmdDb2RlKHRleHQpID8gYDxjb2RlIGNsYXNzPVwibG9uZ1wiJHthdHRyaWJ1dGVzfT4ke2JyZWFrYWJsZSh0ZXh0KX08L2NvZGU+YCA6IHdob2xlLFxuICApO1xuXG4vKiogQWRkcmVzcyBvZiBhIHBhZ2Ugb2YgdGhlIHNpdGUsIGZvciBgaHJlZmA7IFZpdGVQcmVzcyBjb21wbGV0ZXMgb25seSB0aGUgbGlua3Mgb2YgTWFya2Rvd24uICovXG5leHBvcnQgZnVuY3Rpb24gcGFnZUFkZHJlc3MobGluazogc3RyaW5nKTogc3RyaW5nIHtcbiAgY29uc3QgW3BhdGggPSBcIlwiLCBhbmNob3JdID0gbGluay5zcGxpdChcIiNcIik7XG4gIGNvbnN0IGZpbGUgPSBwYXRoLmVuZHNXaXRoKFwiL1wiKSA/IHBhdGggOiBgJHtwYXRofS5odG1sYDtcbiAgcmV0dXJuIGAvZG9jcyR7ZmlsZX0ke2FuY2hvciA9PT0gdW5kZWZpbmVkID8gXCJcIiA6IGAjJHthbmNob3J9YH1gO1xufVxuXG4vKiogUHJvc2Ugb2YgdGhlIGRvY3VtZW50LCBpbiB3aGljaCBvbmx5IGlubGluZSBjb2RlIGlzIG1hcmt1cC4gKi9cbmV4cG9ydCBjb25zdCBwcm9zZUh0bWwgPSAodGV4dDogc3RyaW5nKTogc3RyaW5nID0+XG4gIHRleHRcbiAgICAudHJpbSgpXG4gICAgLnNwbGl0KC8oYFteYF0qYCkvKVxuICAgIC5tYXAoKHBhcnQpID0+ICgvXmAuK2AkL3MudGVzdChwYXJ0KSA/IGNvZGVIdG1sKHBhcnQuc2xpY2UoMSwgLTEpKSA6IGVzY2FwZShwYXJ0KSkpXG4gICAgLmpvaW4oXCJcIik7XG5cbi8qKlxuICogSFRNTCB0aGF0IE1hcmtkb3duIGFuZCBWdWUgbGVhdmUgdW5jaGFuZ2VkOiBvbiBvbmUgbGluZSwgYmVjYXVzZSBNYXJrZG93biB3b3VsZCByZWFkIHRoZSBsaW5lcyBhZnRlciBhIGJsYW5rXG4gKiBvbmUuXG4gKi9cbmV4cG9ydCBjb25zdCBodG1sQmxvY2sgPSAobmFtZTogc3RyaW5nLCBjb250ZW50OiBzdHJpbmcpOiBzdHJpbmcgPT5cbiAgYDxkaXYgY2xhc3M9XCIke25hbWV9XCIgdi1wcmU+JHtjb250ZW50LnJlcGxhY2VBbGwoXCJcXG5cIiwgXCIgXCIpfTwvZGl2PmA7XG5cbi8qKiBUaGUgbWV0aG9kIG9mIGFuIG9wZXJhdGlvbiwgYXMgYSBiYWRnZS4gKi9cbmV4cG9ydCBjb25zdCBtZXRob2RCYWRnZSA9IChtZXRob2Q6IHN0cmluZyk6IHN0cmluZyA9PlxuICBgPHNwYW4gY2xhc3M9XCJtZXRob2QgbWV0aG9kLSR7bWV0aG9kfVwiPiR7bWV0aG9kLnRvVXBwZXJDYXNlKCl9PC9zcGFuPmA7XG4iLCAiY29uc3QgX192aXRlX2luamVjdGVkX29yaWdpbmFsX2Rpcm5hbWUgPSBcIi90bXAvd3BhZ2VzL2RvY3MvLnZpdGVwcmVzc1wiO2NvbnN0IF9fdml0ZV9pbmplY3RlZF9vcmlnaW5hbF9maWxlbmFtZSA9IFwiL3RtcC93cGFnZXMvZG9jcy8udml0ZXByZXNzL2ZxbC50c1wiO2NvbnN0IF9fdml0ZV9pbmplY3RlZF9vcmlnaW5hbF9pbXBvcnRfbWV0YV91cmwgPSBcImZpbGU6Ly8vdG1wL3dwYWdlcy9kb2NzLy52aXRlcHJlc3MvZnFsLnRzXCI7aW1wb3J0IHR5cGUgeyBNYXJrZG93bk9wdGlvbnMgfSBmcm9tIFwidml0ZXByZXNzXCI7XG5cbnR5cGUgTGFuZ3VhZ2UgPSBOb25OdWxsYWJsZTxNYXJrZG93bk9wdGlvbnNbXCJsYW5ndWFnZXNcIl0+W251bWJlcl07XG5cbmNvbnN0IHJ1bGUgPSAobmFtZTogc3RyaW5nLCBtYXRjaDogc3RyaW5nKSA9PiAoeyBuYW1lLCBtYXRjaCB9KTtcblxuLyoqIFN5bnRheCBoaWdobGlnaHRpbmcgb2YgZmlsdGVyIGJsb2Nrcy4gKi9cbmV4cG9ydCBjb25zdCBmcWw6IExhbmd1YWdlID0ge1xuICBuYW1lOiBcImZxbFwiLFxuICBzY29wZU5hbWU6IFwic291cmNlLmZxbFwiLFxuICByZXBvc2l0b3J5OiB7fSxcbiAgcGF0dGVybnM6IFtcbiAgICBydWxlKFwic3RyaW5nLnF1b3RlZC5mcWxcIiwgU3RyaW5nLnJhd2AnKD86XFxcXFsnXFxcXF18W14nXSkqJ3xcIig/OlxcXFxbXCJcXFxcXXxbXlwiXSkqXCJgKSxcbiAgICBydWxlKFwidmFyaWFibGUub3RoZXIucHJvcGVydHkuZnFsXCIsIFN0cmluZy5yYXdgW0EtWmEtel9dW1xcdy5dKig/PVxccyo6KWApLFxuICAgIHJ1bGUoXCJjb25zdGFudC5sYW5ndWFnZS5mcWxcIiwgU3RyaW5nLnJhd2AoP2kpXFxiKD86dHJ1ZXxmYWxzZXxudWxsKVxcYmApLFxuICAgIHJ1bGUoXCJjb25zdGFudC5udW1lcmljLmZxbFwiLCBTdHJpbmcucmF3YC0/XFxiXFxkKyg/OlxcLlxcZCspP1xcYmApLFxuICAgIHJ1bGUoXCJrZXl3b3JkLm9wZXJhdG9yLmZxbFwiLCBTdHJpbmcucmF3YFs6IX4qPD49KyxdYCksXG4gIF0sXG59O1xuIiwgImNvbnN0IF9fdml0ZV9pbmplY3RlZF9vcmlnaW5hbF9kaXJuYW1lID0gXCIvdG1wL3dwYWdlcy9kb2NzLy52aXRlcHJlc3NcIjtjb25zdCBfX3ZpdGVfaW5qZWN0ZWRfb3JpZ2luYWxfZmlsZW5hbWUgPSBcIi90bXAvd3BhZ2VzL2RvY3MvLnZpdGVwcmVzcy9sYXN0LWNoYW5nZXMudHNcIjtjb25zdCBfX3ZpdGVfaW5qZWN0ZWRfb3JpZ2luYWxfaW1wb3J0X21ldGFfdXJsID0gXCJmaWxlOi8vL3RtcC93cGFnZXMvZG9jcy8udml0ZXByZXNzL2xhc3QtY2hhbmdlcy50c1wiO2ltcG9ydCB7IHNwYXduU3luYyB9IGZyb20gXCJub2RlOmNoaWxkX3Byb2Nlc3NcIjtcbmltcG9ydCB7IGZpbGVVUkxUb1BhdGggfSBmcm9tIFwibm9kZTp1cmxcIjtcblxuY29uc3QgcHJvamVjdCA9IGZpbGVVUkxUb1BhdGgobmV3IFVSTChcIi4uLy4uXCIsIGltcG9ydC5tZXRhLnVybCkpO1xuXG4vKipcbiAqIFdoZW4gdGhlIHNvdXJjZXMgb2YgdGhlIHBhZ2VzIHdlcmUgbGFzdCBjaGFuZ2VkLCBpbiBVbml4IG1pbGxpc2Vjb25kcyBieSBwYXRoIGluIHRoZSBwcm9qZWN0LiBFbXB0eSB3aXRob3V0IHRoZVxuICogaGlzdG9yeSBvZiBHaXQuIE9uZSBydW4gb2YgR2l0IGlzIGVub3VnaCBmb3IgYWxsIHBhZ2VzLlxuICovXG5leHBvcnQgZnVuY3Rpb24gbGFzdENoYW5nZXMoKTogUmVhZG9ubHlNYXA8c3RyaW5nLCBudW1iZXI+IHtcbiAgY29uc3Qgd29yZHMgPSBbXG4gICAgXCJsb2dcIixcbiAgICBcIi0tZm9ybWF0PSVjdDAwMFwiLFxuICAgIFwiLS1uYW1lLW9ubHlcIixcbiAgICBcIi0tXCIsXG4gICAgXCJkb2NzL2d1aWRlc1wiLFxuICAgIFwiZG9jcy9pbmRleC5tZFwiLFxuICAgIFwic3BlY1wiLFxuICBdO1xuICBjb25zdCB7IHN0YXR1cywgc3Rkb3V0IH0gPSBzcGF3blN5bmMoXCJnaXRcIiwgd29yZHMsIHtcbiAgICBjd2Q6IHByb2plY3QsXG4gICAgZW5jb2Rpbmc6IFwidXRmOFwiLFxuICAgIG1heEJ1ZmZlcjogNjQgKiAxXzAyNCAqIDFfMDI0LFxuICB9KTtcbiAgcmV0dXJuIHN0YXR1cyA9PT0gMCA/IGNoYW5nZXNJbihzdGRvdXQpIDogbmV3IE1hcCgpO1xufVxuXG4vKiogUmVhZHMgdGltZXMsIGVhY2ggZm9sbG93ZWQgYnkgdGhlIGZpbGVzIHRoYXQgY2hhbmdlZCB0aGVuOyB0aGUgbmV3ZXN0IGNvbWUgZmlyc3QuICovXG5leHBvcnQgZnVuY3Rpb24gY2hhbmdlc0luKGxvZzogc3RyaW5nKTogUmVhZG9ubHlNYXA8c3RyaW5nLCBudW1iZXI+IHtcbiAgY29uc3QgY2hhbmdlcyA9IG5ldyBNYXA8c3RyaW5nLCBudW1iZXI+KCk7XG4gIGxldCB0aW1lID0gMDtcbiAgZm9yIChjb25zdCBsaW5lIG9mIGxvZy5zcGxpdChcIlxcblwiKSkge1xuICAgIGlmICgvXlxcZCskLy50ZXN0KGxpbmUpKSB0aW1lID0gTnVtYmVyKGxpbmUpO1xuICAgIGVsc2UgaWYgKGxpbmUgIT09IFwiXCIgJiYgIWNoYW5nZXMuaGFzKGxpbmUpKSBjaGFuZ2VzLnNldChsaW5lLCB0aW1lKTtcbiAgfVxuICByZXR1cm4gY2hhbmdlcztcbn1cbiIsICJjb25zdCBfX3ZpdGVfaW5qZWN0ZWRfb3JpZ2luYWxfZGlybmFtZSA9IFwiL3RtcC93cGFnZXMvZG9jcy8udml0ZXByZXNzXCI7Y29uc3QgX192aXRlX2luamVjdGVkX29yaWdpbmFsX2ZpbGVuYW1lID0gXCIvdG1wL3dwYWdlcy9kb2NzLy52aXRlcHJlc3MvcGFnZS1oZWFkLnRzXCI7Y29uc3QgX192aXRlX2luamVjdGVkX29yaWdpbmFsX2ltcG9ydF9tZXRhX3VybCA9IFwiZmlsZTovLy90bXAvd3BhZ2VzL2RvY3MvLnZpdGVwcmVzcy9wYWdlLWhlYWQudHNcIjtpbXBvcnQgdHlwZSB7IEhlYWRDb25maWcsIFBhZ2VEYXRhIH0gZnJvbSBcInZpdGVwcmVzc1wiO1xuXG4vKiogQ2hhcmFjdGVycyBvZiBhIGRlc2NyaXB0aW9uIHRoYXQgc2VhcmNoIGVuZ2luZXMgc2hvdy4gKi9cbmNvbnN0IGxvbmdlc3QgPSAyMDA7XG5cbi8qKiBUaGUgcGljdHVyZSB0aGF0IG90aGVyIHNpdGVzIHNob3cgYmVzaWRlIGEgbGluayB0byBhIHBhZ2U7IGBzY3JpcHRzL2RyYXctaW1hZ2VzLnRzYCBkcmF3cyBpdC4gKi9cbmV4cG9ydCBjb25zdCBzb2NpYWxDYXJkID0ge1xuICBmaWxlOiBcInNvY2lhbC1jYXJkLnBuZ1wiLFxuICB3aWR0aDogMV8yMDAsXG4gIGhlaWdodDogNjMwLFxuICBhbHQ6IFwiU2VjdXJpdHkgUGxhdGZvcm06IGEgd2hvbGUgc2VjdXJpdHkgcGxhdGZvcm0gb24geW91ciBsYXB0b3BcIixcbn0gYXMgY29uc3Q7XG5cbi8qKiBUaGUgZmlyc3QgcGFyYWdyYXBoIG9mIGEgcGFnZSwgd2l0aG91dCBtYXJrdXAuICovXG5leHBvcnQgZnVuY3Rpb24gZmlyc3RQYXJhZ3JhcGgobWFya2Rvd246IHN0cmluZyk6IHN0cmluZyB7XG4gIGNvbnN0IHBhcmFncmFwaCA9IG1hcmtkb3duXG4gICAgLnJlcGxhY2UoL14tLS1cXG5bXl0qP1xcbi0tLVxcbi8sIFwiXCIpXG4gICAgLnJlcGxhY2VBbGwoL14oYHszLH0pW15dKj9eXFwxJC9nbSwgXCJcIilcbiAgICAuc3BsaXQoL1xcbnsyLH0vKVxuICAgIC5tYXAoKGJsb2NrKSA9PiBibG9jay50cmltKCkpXG4gICAgLmZpbmQoKGJsb2NrKSA9PiBibG9jayAhPT0gXCJcIiAmJiAhL14oPzojfDo6OnxbLXw8XXxcXGQrXFwuKS8udGVzdChibG9jaykpO1xuICBjb25zdCB0ZXh0ID0gKHBhcmFncmFwaCA/PyBcIlwiKVxuICAgIC5yZXBsYWNlQWxsKC9cXFsoW15cXF1dKilcXF1cXChbXildKlxcKSg/Olxce1tefV0qXFx9KT8vZywgXCIkMVwiKVxuICAgIC5yZXBsYWNlQWxsKC9bYCpdfFxcXFwoPz1bXypdKS9nLCBcIlwiKVxuICAgIC5yZXBsYWNlQWxsKC9cXHMrL2csIFwiIFwiKTtcbiAgaWYgKHRleHQubGVuZ3RoIDw9IGxvbmdlc3QpIHJldHVybiB0ZXh0O1xuICByZXR1cm4gYCR7dGV4dC5zbGljZSgwLCB0ZXh0Lmxhc3RJbmRleE9mKFwiIFwiLCBsb25nZXN0KSl9IFx1MjAyNmA7XG59XG5cbi8qKiBUaGUgcGF0aCBvZiBhIHBhZ2UgYmVsb3cgdGhlIGJhc2U6IGBndWlkZXMvZmlsdGVycy5odG1sYCwgZW1wdHkgZm9yIHRoZSBob21lIHBhZ2UuICovXG5jb25zdCBwYWdlUGF0aCA9IChyZWxhdGl2ZVBhdGg6IHN0cmluZyk6IHN0cmluZyA9PlxuICByZWxhdGl2ZVBhdGgucmVwbGFjZSgvXFwubWQkLywgXCIuaHRtbFwiKS5yZXBsYWNlKC8oXnxcXC8paW5kZXhcXC5odG1sJC8sIFwiJDFcIik7XG5cbi8qKiBXaGF0IG90aGVyIHByb2dyYW1zIHJlYWQgaW4gdGhlIGhlYWQgb2YgYSBwYWdlLiAqL1xuZXhwb3J0IGZ1bmN0aW9uIHBhZ2VIZWFkKFxuICB7IHJlbGF0aXZlUGF0aCwgdGl0bGUsIGRlc2NyaXB0aW9uLCBmcm9udG1hdHRlciB9OiBQYWdlRGF0YSxcbiAgc2l0ZTogeyByZWFkb25seSB0aXRsZTogc3RyaW5nOyByZWFkb25seSB1cmw/OiBzdHJpbmcgfSxcbik6IEhlYWRDb25maWdbXSB7XG4gIGlmIChmcm9udG1hdHRlcltcImxheW91dFwiXSA9PT0gZmFsc2UgfHwgcmVsYXRpdmVQYXRoID09PSBcIjQwNC5tZFwiKSB7XG4gICAgcmV0dXJuIFtbXCJtZXRhXCIsIHsgbmFtZTogXCJyb2JvdHNcIiwgY29udGVudDogXCJub2luZGV4XCIgfV1dO1xuICB9XG4gIGNvbnN0IHByb3BlcnR5ID0gKG5hbWU6IHN0cmluZywgY29udGVudDogc3RyaW5nKTogSGVhZENvbmZpZyA9PiBbXG4gICAgXCJtZXRhXCIsXG4gICAgeyBwcm9wZXJ0eTogYG9nOiR7bmFtZX1gLCBjb250ZW50IH0sXG4gIF07XG4gIGNvbnN0IG1hcmtkb3duID0gKHJlbGF0aXZlUGF0aC5zcGxpdChcIi9cIikuYXQoLTEpID8/IFwiXCIpLnJlcGxhY2UoL14kLywgXCJpbmRleC5tZFwiKTtcbiAgcmV0dXJuIFtcbiAgICBwcm9wZXJ0eShcInR5cGVcIiwgcmVsYXRpdmVQYXRoID09PSBcImluZGV4Lm1kXCIgPyBcIndlYnNpdGVcIiA6IFwiYXJ0aWNsZVwiKSxcbiAgICBwcm9wZXJ0eShcInNpdGVfbmFtZVwiLCBzaXRlLnRpdGxlKSxcbiAgICBwcm9wZXJ0eShcInRpdGxlXCIsIHRpdGxlKSxcbiAgICBwcm9wZXJ0eShcImRlc2NyaXB0aW9uXCIsIGRlc2NyaXB0aW9uKSxcbiAgICAuLi4oZnJvbnRtYXR0ZXJbXCJoYXNNYXJrZG93blwiXSA9PT0gdHJ1ZVxuICAgICAgPyBbW1wibGlua1wiLCB7IHJlbDogXCJhbHRlcm5hdGVcIiwgdHlwZTogXCJ0ZXh0L21hcmtkb3duXCIsIGhyZWY6IGAuLyR7bWFya2Rvd259YCB9XSBhcyBIZWFkQ29uZmlnXVxuICAgICAgOiBbXSksXG4gICAgLi4uKHNpdGUudXJsID09PSB1bmRlZmluZWRcbiAgICAgID8gW11cbiAgICAgIDogW1xuICAgICAgICAgIHByb3BlcnR5KFwidXJsXCIsIGAke3NpdGUudXJsfSR7cGFnZVBhdGgocmVsYXRpdmVQYXRoKX1gKSxcbiAgICAgICAgICBwcm9wZXJ0eShcImltYWdlXCIsIGAke3NpdGUudXJsfSR7c29jaWFsQ2FyZC5maWxlfWApLFxuICAgICAgICAgIHByb3BlcnR5KFwiaW1hZ2U6dHlwZVwiLCBcImltYWdlL3BuZ1wiKSxcbiAgICAgICAgICBwcm9wZXJ0eShcImltYWdlOndpZHRoXCIsIFN0cmluZyhzb2NpYWxDYXJkLndpZHRoKSksXG4gICAgICAgICAgcHJvcGVydHkoXCJpbWFnZTpoZWlnaHRcIiwgU3RyaW5nKHNvY2lhbENhcmQuaGVpZ2h0KSksXG4gICAgICAgICAgcHJvcGVydHkoXCJpbWFnZTphbHRcIiwgc29jaWFsQ2FyZC5hbHQpLFxuICAgICAgICAgIFtcIm1ldGFcIiwgeyBuYW1lOiBcInR3aXR0ZXI6Y2FyZFwiLCBjb250ZW50OiBcInN1bW1hcnlfbGFyZ2VfaW1hZ2VcIiB9XSBhcyBIZWFkQ29uZmlnLFxuICAgICAgICAgIFtcbiAgICAgICAgICAgIFwibGlua1wiLFxuICAgICAgICAgICAgeyByZWw6IFwiY2Fub25pY2FsXCIsIGhyZWY6IGAke3NpdGUudXJsfSR7cGFnZVBhdGgocmVsYXRpdmVQYXRoKX1gIH0sXG4gICAgICAgICAgXSBhcyBIZWFkQ29uZmlnLFxuICAgICAgICBdKSxcbiAgXTtcbn1cbiIsICJjb25zdCBfX3ZpdGVfaW5qZWN0ZWRfb3JpZ2luYWxfZGlybmFtZSA9IFwiL3RtcC93cGFnZXMvZG9jcy8udml0ZXByZXNzXCI7Y29uc3QgX192aXRlX2luamVjdGVkX29yaWdpbmFsX2ZpbGVuYW1lID0gXCIvdG1wL3dwYWdlcy9kb2NzLy52aXRlcHJlc3MvcGxhdGZvcm0tZmlsZXMudHNcIjtjb25zdCBfX3ZpdGVfaW5qZWN0ZWRfb3JpZ2luYWxfaW1wb3J0X21ldGFfdXJsID0gXCJmaWxlOi8vL3RtcC93cGFnZXMvZG9jcy8udml0ZXByZXNzL3BsYXRmb3JtLWZpbGVzLnRzXCI7aW1wb3J0IHsgY3JlYXRlSGFzaCB9IGZyb20gXCJub2RlOmNyeXB0b1wiO1xuaW1wb3J0IHsgcmVhZGRpclN5bmMsIHJlYWRGaWxlU3luYyB9IGZyb20gXCJub2RlOmZzXCI7XG5pbXBvcnQgeyBiYXNlbmFtZSwgZXh0bmFtZSwgam9pbiB9IGZyb20gXCJub2RlOnBhdGhcIjtcbmltcG9ydCB7IGZpbGVVUkxUb1BhdGggfSBmcm9tIFwibm9kZTp1cmxcIjtcbmltcG9ydCB0eXBlIHsgVXNlckNvbmZpZyB9IGZyb20gXCJ2aXRlcHJlc3NcIjtcblxuLyoqIEEgcGx1Z2luIG9mIHRoZSBWaXRlIHRoYXQgVml0ZVByZXNzIHVzZXMuICovXG5leHBvcnQgdHlwZSBQbHVnaW4gPSBFeGNsdWRlPFxuICBOb25OdWxsYWJsZTxOb25OdWxsYWJsZTxVc2VyQ29uZmlnW1widml0ZVwiXT5bXCJwbHVnaW5zXCJdPltudW1iZXJdLFxuICBmYWxzZSB8IG51bGwgfCB1bmRlZmluZWQgfCBQcm9taXNlPHVua25vd24+IHwgcmVhZG9ubHkgdW5rbm93bltdXG4+O1xuXG4vKiogVGhlIHBsYXRmb3JtIGluIHRoZSBwYWdlOiB0aGUgYnVpbHQgcGFja2FnZSBgQHNlY3VyaXR5LXBsYXRmb3JtL2Jyb3dzZXJgLCBhcyBhbnkgZmlsZSBzZXJ2ZXIgc2VydmVzIGl0LiAqL1xuZXhwb3J0IGludGVyZmFjZSBQbGF0Zm9ybUZpbGVzIHtcbiAgLyoqIFRoZSBmb2xkZXIgYmVsb3cgdGhlIHNpdGUncyByb290LCB3aXRoIGEgZGlnZXN0IG9mIGl0cyBjb250ZW50IGluIGl0cyBuYW1lLiAqL1xuICByZWFkb25seSBmb2xkZXI6IHN0cmluZztcbiAgLyoqIFRoZSBmaWxlcyB0aGF0IHRoZSBwbGF0Zm9ybSBzdGFydHMgd2l0aCwgd2l0aCB0aGVpciBzaXplcyBpbiBieXRlcy4gKi9cbiAgcmVhZG9ubHkgZmlyc3Q6IHJlYWRvbmx5IChyZWFkb25seSBbbmFtZTogc3RyaW5nLCBzaXplOiBudW1iZXJdKVtdO1xufVxuXG5jb25zdCBkaXN0ID0gZmlsZVVSTFRvUGF0aChuZXcgVVJMKFwiLi4vLi4vcGFja2FnZXMvYnJvd3Nlci9kaXN0XCIsIGltcG9ydC5tZXRhLnVybCkpO1xuY29uc3QgbWVkaWFUeXBlczogUmVhZG9ubHk8UmVjb3JkPHN0cmluZywgc3RyaW5nPj4gPSB7XG4gIFwiLmpzXCI6IFwidGV4dC9qYXZhc2NyaXB0XCIsXG4gIFwiLndhc21cIjogXCJhcHBsaWNhdGlvbi93YXNtXCIsXG59O1xuXG4vKipcbiAqIEFkZHMgdGhlIGZpbGVzIG9mIHRoZSBwbGF0Zm9ybSB0byB0aGUgc2l0ZSwgYW5kIHRoZWlyIG5hbWVzIGFuZCBzaXplcyBhcyBgUExBVEZPUk1fRklMRVNgIHRvIGl0cyBzY3JpcHRzLiBUaGUgZmlsZXNcbiAqIHN0YXkgYXMgdGhleSBhcmU6IHRoZXkgZmluZCBlYWNoIG90aGVyIGJ5IHRoZWlyIG5hbWVzLlxuICovXG5leHBvcnQgZnVuY3Rpb24gcGxhdGZvcm1GaWxlcyhiYXNlOiBzdHJpbmcpOiBQbHVnaW4ge1xuICBjb25zdCBmaWxlcyA9IHJlYWRGaWxlcygpO1xuICBjb25zdCBkaWdlc3QgPSBjcmVhdGVIYXNoKFwic2hhMjU2XCIpO1xuICBmb3IgKGNvbnN0IFtuYW1lLCBjb250ZW50XSBvZiBmaWxlcykgZGlnZXN0LnVwZGF0ZShuYW1lKS51cGRhdGUoY29udGVudCk7XG4gIGNvbnN0IGZvbGRlciA9IGBhc3NldHMvcGxhdGZvcm0uJHtkaWdlc3QuZGlnZXN0KFwiYmFzZTY0dXJsXCIpLnNsaWNlKDAsIDgpfS9gO1xuICBjb25zdCBkZXNjcmliZWQ6IFBsYXRmb3JtRmlsZXMgPSB7IGZvbGRlciwgZmlyc3Q6IGZpcnN0RmlsZXMoZmlsZXMpIH07XG4gIGxldCBpc0ZvckJyb3dzZXJzID0gZmFsc2U7XG4gIHJldHVybiB7XG4gICAgbmFtZTogXCJwbGF0Zm9ybS1maWxlc1wiLFxuICAgIGNvbmZpZzogKCkgPT4gKHsgZGVmaW5lOiB7IFBMQVRGT1JNX0ZJTEVTOiBKU09OLnN0cmluZ2lmeShkZXNjcmliZWQpIH0gfSksXG4gICAgY29uZmlnUmVzb2x2ZWQ6ICh7IGJ1aWxkIH0pID0+IHtcbiAgICAgIGlzRm9yQnJvd3NlcnMgPSBidWlsZC5zc3IgPT09IGZhbHNlO1xuICAgIH0sXG4gICAgZ2VuZXJhdGVCdW5kbGUoKSB7XG4gICAgICBpZiAoIWlzRm9yQnJvd3NlcnMpIHJldHVybjtcbiAgICAgIGZvciAoY29uc3QgW25hbWUsIHNvdXJjZV0gb2YgZmlsZXMpIHtcbiAgICAgICAgdGhpcy5lbWl0RmlsZSh7IHR5cGU6IFwiYXNzZXRcIiwgZmlsZU5hbWU6IGZvbGRlciArIG5hbWUsIHNvdXJjZSB9KTtcbiAgICAgIH1cbiAgICB9LFxuICAgIGNvbmZpZ3VyZVNlcnZlcih7IG1pZGRsZXdhcmVzIH0pIHtcbiAgICAgIG1pZGRsZXdhcmVzLnVzZSgocmVxdWVzdCwgcmVzcG9uc2UsIG5leHQpID0+IHtcbiAgICAgICAgY29uc3QgeyBwYXRobmFtZSB9ID0gbmV3IFVSTChyZXF1ZXN0LnVybCA/PyBcIi9cIiwgXCJodHRwOi8vbG9jYWxob3N0XCIpO1xuICAgICAgICBjb25zdCBuYW1lID0gYmFzZW5hbWUocGF0aG5hbWUpO1xuICAgICAgICBjb25zdCBjb250ZW50ID0gcGF0aG5hbWUgPT09IGJhc2UgKyBmb2xkZXIgKyBuYW1lID8gZmlsZXMuZ2V0KG5hbWUpIDogdW5kZWZpbmVkO1xuICAgICAgICBpZiAoY29udGVudCA9PT0gdW5kZWZpbmVkKSByZXR1cm4gbmV4dCgpO1xuICAgICAgICByZXNwb25zZS5zZXRIZWFkZXIoXCJjb250ZW50LXR5cGVcIiwgbWVkaWFUeXBlc1tleHRuYW1lKG5hbWUpXSA/PyBcImFwcGxpY2F0aW9uL29jdGV0LXN0cmVhbVwiKTtcbiAgICAgICAgcmVzcG9uc2UuZW5kKGNvbnRlbnQpO1xuICAgICAgfSk7XG4gICAgfSxcbiAgfTtcbn1cblxuLyoqIFRocm93cyBpZiB0aGUgcGFja2FnZSBpcyBub3QgYnVpbHQuICovXG5mdW5jdGlvbiByZWFkRmlsZXMoKTogUmVhZG9ubHlNYXA8c3RyaW5nLCBVaW50OEFycmF5PiB7XG4gIHRyeSB7XG4gICAgLy8gQSBidWlsZCB0aGF0IHdhcyBpbnRlcnJ1cHRlZCBsZWF2ZXMgYSBmb2xkZXIgb2YgZGVjbGFyYXRpb25zLlxuICAgIGNvbnN0IG5hbWVzID0gcmVhZGRpclN5bmMoZGlzdCwgeyB3aXRoRmlsZVR5cGVzOiB0cnVlIH0pXG4gICAgICAuZmlsdGVyKChlbnRyeSkgPT4gZW50cnkuaXNGaWxlKCkgJiYgIS9eaW5kZXhcXC58XFwuZFxcLnRzJC8udGVzdChlbnRyeS5uYW1lKSlcbiAgICAgIC5tYXAoKHsgbmFtZSB9KSA9PiBuYW1lKTtcbiAgICByZXR1cm4gbmV3IE1hcChuYW1lcy50b1NvcnRlZCgpLm1hcCgobmFtZSkgPT4gW25hbWUsIHJlYWRGaWxlU3luYyhqb2luKGRpc3QsIG5hbWUpKV0pKTtcbiAgfSBjYXRjaCAoZXJyb3IpIHtcbiAgICB0aHJvdyBuZXcgRXJyb3IoXCJ0aGUgcGxhdGZvcm0gaXMgbm90IGJ1aWx0OiBucHggdHVyYm8gcnVuIGJ1bmRsZVwiLCB7IGNhdXNlOiBlcnJvciB9KTtcbiAgfVxufVxuXG4vKiogVGhlIHR3byBlbnRyaWVzIHdpdGggYWxsIHRoYXQgdGhleSBpbXBvcnQsIGFuZCB0aGUgZmlsZXMgb3RoZXIgdGhhbiBzY3JpcHRzLiBUaGUgZG9jdW1lbnQgaXMgbG9hZGVkIG9uIHJlcXVlc3QuICovXG5mdW5jdGlvbiBmaXJzdEZpbGVzKGZpbGVzOiBSZWFkb25seU1hcDxzdHJpbmcsIFVpbnQ4QXJyYXk+KTogUGxhdGZvcm1GaWxlc1tcImZpcnN0XCJdIHtcbiAgY29uc3QgZmlyc3QgPSBuZXcgU2V0KFsuLi5maWxlcy5rZXlzKCldLmZpbHRlcigobmFtZSkgPT4gIS9cXC4oPzpqc3x0eHQpJHxeb3BlbmFwaVxcLi8udGVzdChuYW1lKSkpO1xuICBjb25zdCBhZGQgPSAobmFtZTogc3RyaW5nKTogdm9pZCA9PiB7XG4gICAgaWYgKGZpcnN0LmhhcyhuYW1lKSkgcmV0dXJuO1xuICAgIGZpcnN0LmFkZChuYW1lKTtcbiAgICBjb25zdCBjb2RlID0gQnVmZmVyLmZyb20oZmlsZXMuZ2V0KG5hbWUpID8/IFtdKS50b1N0cmluZygpO1xuICAgIGZvciAoY29uc3QgWywgaW1wb3J0ZWQgPSBcIlwiXSBvZiBjb2RlLm1hdGNoQWxsKC8oPzpcXGJmcm9tfFxcYmltcG9ydClcXHMqW1wiJ11cXC5cXC8oW1xcdy4tXSspW1wiJ10vZykpIHtcbiAgICAgIGlmIChmaWxlcy5oYXMoaW1wb3J0ZWQpKSBhZGQoaW1wb3J0ZWQpO1xuICAgIH1cbiAgfTtcbiAgYWRkKFwic3RhbmRhbG9uZS5qc1wiKTtcbiAgYWRkKFwid29ya2VyLmpzXCIpO1xuICByZXR1cm4gWy4uLmZpcnN0XS5tYXAoKG5hbWUpID0+IFtuYW1lLCBmaWxlcy5nZXQobmFtZSk/Lmxlbmd0aCA/PyAwXSBhcyBjb25zdCk7XG59XG4iLCAiY29uc3QgX192aXRlX2luamVjdGVkX29yaWdpbmFsX2Rpcm5hbWUgPSBcIi90bXAvd3BhZ2VzL2RvY3MvLnZpdGVwcmVzc1wiO2NvbnN0IF9fdml0ZV9pbmplY3RlZF9vcmlnaW5hbF9maWxlbmFtZSA9IFwiL3RtcC93cGFnZXMvZG9jcy8udml0ZXByZXNzL3JlbmRlci1vbmNlLnRzXCI7Y29uc3QgX192aXRlX2luamVjdGVkX29yaWdpbmFsX2ltcG9ydF9tZXRhX3VybCA9IFwiZmlsZTovLy90bXAvd3BhZ2VzL2RvY3MvLnZpdGVwcmVzcy9yZW5kZXItb25jZS50c1wiO2ltcG9ydCB0eXBlIHsgRGVmYXVsdFRoZW1lLCBNYXJrZG93blJlbmRlcmVyIH0gZnJvbSBcInZpdGVwcmVzc1wiO1xuXG5jb25zdCBoaWdobGlnaHRlZCA9IG5ldyBNYXA8c3RyaW5nLCBzdHJpbmc+KCk7XG5cbi8qKlxuICogSGlnaGxpZ2h0cyBlYWNoIGRpc3RpbmN0IGJsb2NrIG9uY2UuIFRoZSBzaXRlIGlzIGJ1aWx0IGZvciBicm93c2VycyBhbmQgZm9yIHRoZSBzZXJ2ZXIsIGVhY2ggdGltZSB3aXRoIGFcbiAqIHNlYXJjaCBpbmRleDogd2l0aG91dCB0aGlzLCBtb3N0IG9mIHRoZSBidWlsZCdzIHRpbWUgd291bGQgZ28gaW50byBoaWdobGlnaHRpbmcgdGhlIHNhbWUgYmxvY2tzIGFnYWluLlxuICovXG5leHBvcnQgZnVuY3Rpb24gaGlnaGxpZ2h0T25jZShtYXJrZG93bjogTWFya2Rvd25SZW5kZXJlcik6IHZvaWQge1xuICBjb25zdCB7IGhpZ2hsaWdodCB9ID0gbWFya2Rvd24ub3B0aW9ucztcbiAgaWYgKGhpZ2hsaWdodCA9PT0gdW5kZWZpbmVkIHx8IGhpZ2hsaWdodCA9PT0gbnVsbCkgcmV0dXJuO1xuICBtYXJrZG93bi5vcHRpb25zLmhpZ2hsaWdodCA9IChjb2RlLCBsYW5ndWFnZSwgYXR0cmlidXRlcykgPT4ge1xuICAgIGNvbnN0IGtleSA9IEpTT04uc3RyaW5naWZ5KFtsYW5ndWFnZSwgYXR0cmlidXRlcywgY29kZV0pO1xuICAgIGxldCBodG1sID0gaGlnaGxpZ2h0ZWQuZ2V0KGtleSk7XG4gICAgaWYgKGh0bWwgPT09IHVuZGVmaW5lZCkge1xuICAgICAgaHRtbCA9IGhpZ2hsaWdodChjb2RlLCBsYW5ndWFnZSwgYXR0cmlidXRlcyk7XG4gICAgICBoaWdobGlnaHRlZC5zZXQoa2V5LCBodG1sKTtcbiAgICB9XG4gICAgcmV0dXJuIGh0bWw7XG4gIH07XG59XG5cbnR5cGUgUmVuZGVyID0gTm9uTnVsbGFibGU8RGVmYXVsdFRoZW1lLkxvY2FsU2VhcmNoT3B0aW9uc1tcIl9yZW5kZXJcIl0+O1xuXG4vKiogUmVuZGVycyBhIHBhZ2UgZm9yIHRoZSBzZWFyY2ggaW5kZXggb25jZSBmb3IgYm90aCBidWlsZHMsIHVubGVzcyBpdHMgc291cmNlIGNoYW5nZXMuICovXG5leHBvcnQgZnVuY3Rpb24gcmVuZGVyT25jZShyZW5kZXI6IFJlbmRlcik6IFJlbmRlciB7XG4gIGNvbnN0IHBhZ2VzID0gbmV3IE1hcDxzdHJpbmcsIHsgcmVhZG9ubHkgc291cmNlOiBzdHJpbmc7IHJlYWRvbmx5IGh0bWw6IFJldHVyblR5cGU8UmVuZGVyPiB9PigpO1xuICByZXR1cm4gKHNvdXJjZSwgZW52LCBtYXJrZG93bikgPT4ge1xuICAgIGNvbnN0IHJlbmRlcmVkID0gcGFnZXMuZ2V0KGVudi5wYXRoKTtcbiAgICBpZiAocmVuZGVyZWQ/LnNvdXJjZSA9PT0gc291cmNlKSByZXR1cm4gcmVuZGVyZWQuaHRtbDtcbiAgICBjb25zdCBodG1sID0gcmVuZGVyKHNvdXJjZSwgZW52LCBtYXJrZG93bik7XG4gICAgcGFnZXMuc2V0KGVudi5wYXRoLCB7IHNvdXJjZSwgaHRtbCB9KTtcbiAgICByZXR1cm4gaHRtbDtcbiAgfTtcbn1cbiIsICJjb25zdCBfX3ZpdGVfaW5qZWN0ZWRfb3JpZ2luYWxfZGlybmFtZSA9IFwiL3RtcC93cGFnZXMvZG9jcy8udml0ZXByZXNzXCI7Y29uc3QgX192aXRlX2luamVjdGVkX29yaWdpbmFsX2ZpbGVuYW1lID0gXCIvdG1wL3dwYWdlcy9kb2NzLy52aXRlcHJlc3Mvc2NyaXB0cy1hZnRlci1wYWludC50c1wiO2NvbnN0IF9fdml0ZV9pbmplY3RlZF9vcmlnaW5hbF9pbXBvcnRfbWV0YV91cmwgPSBcImZpbGU6Ly8vdG1wL3dwYWdlcy9kb2NzLy52aXRlcHJlc3Mvc2NyaXB0cy1hZnRlci1wYWludC50c1wiO2NvbnN0IHByZWxvYWQgPSAvXFxzKjxsaW5rIHJlbD1cIm1vZHVsZXByZWxvYWRcIiBocmVmPVwiKFteXCJdKilcIj4vZztcbmNvbnN0IHNjcmlwdCA9IC9cXHMqPHNjcmlwdCB0eXBlPVwibW9kdWxlXCIgc3JjPVwiKFteXCJdKilcIj48XFwvc2NyaXB0Pi9nO1xuXG4vKipcbiAqIExvYWRzIHRoZSBzY3JpcHRzIG9mIGEgcGFnZSBhZnRlciBpdHMgZmlyc3QgcGFpbnQuIFVudGlsIHRoZW4gdGhleSB3b3VsZCBzaGFyZSB0aGUgY29ubmVjdGlvbiB3aXRoIHRoZSBzdHlsZXMsIGZvclxuICogd2hpY2ggdGhlIHBhaW50IHdhaXRzLiBBIGhpZGRlbiBwYWdlIGlzIG5vdCBwYWludGVkLCBzbyBpdHMgc2NyaXB0cyBsb2FkIGF0IG9uY2UuXG4gKi9cbmV4cG9ydCBmdW5jdGlvbiBzY3JpcHRzQWZ0ZXJQYWludChodG1sOiBzdHJpbmcpOiBzdHJpbmcge1xuICBjb25zdCBzb3VyY2VzT2YgPSAodGFnOiBSZWdFeHApOiBzdHJpbmcgPT5cbiAgICBKU09OLnN0cmluZ2lmeShbLi4uaHRtbC5tYXRjaEFsbCh0YWcpXS5tYXAoKFssIHNvdXJjZV0pID0+IHNvdXJjZSkpO1xuICBjb25zdCBsb2FkZXIgPSBgPHNjcmlwdD4oKCkgPT4ge1xuICBjb25zdCBhZGQgPSAodGFnLCBtZW1iZXJzKSA9PiBkb2N1bWVudC5oZWFkLmFwcGVuZChPYmplY3QuYXNzaWduKGRvY3VtZW50LmNyZWF0ZUVsZW1lbnQodGFnKSwgbWVtYmVycykpO1xuICBjb25zdCBsb2FkID0gKCkgPT4ge1xuICAgIGZvciAoY29uc3QgaHJlZiBvZiAke3NvdXJjZXNPZihwcmVsb2FkKX0pIGFkZChcImxpbmtcIiwgeyByZWw6IFwibW9kdWxlcHJlbG9hZFwiLCBocmVmIH0pO1xuICAgIGZvciAoY29uc3Qgc3JjIG9mICR7c291cmNlc09mKHNjcmlwdCl9KSBhZGQoXCJzY3JpcHRcIiwgeyB0eXBlOiBcIm1vZHVsZVwiLCBhc3luYzogZmFsc2UsIHNyYyB9KTtcbiAgfTtcbiAgaWYgKGRvY3VtZW50LmhpZGRlbiB8fCAhUGVyZm9ybWFuY2VPYnNlcnZlci5zdXBwb3J0ZWRFbnRyeVR5cGVzLmluY2x1ZGVzKFwicGFpbnRcIikpIGxvYWQoKTtcbiAgZWxzZSB7XG4gICAgbmV3IFBlcmZvcm1hbmNlT2JzZXJ2ZXIoKF8sIG9ic2VydmVyKSA9PiB7XG4gICAgICBvYnNlcnZlci5kaXNjb25uZWN0KCk7XG4gICAgICBsb2FkKCk7XG4gICAgfSkub2JzZXJ2ZSh7IHR5cGU6IFwicGFpbnRcIiwgYnVmZmVyZWQ6IHRydWUgfSk7XG4gIH1cbn0pKCk7PC9zY3JpcHQ+YDtcbiAgcmV0dXJuIGh0bWxcbiAgICAucmVwbGFjZUFsbChwcmVsb2FkLCBcIlwiKVxuICAgIC5yZXBsYWNlQWxsKHNjcmlwdCwgXCJcIilcbiAgICAucmVwbGFjZShcIjwvaGVhZD5cIiwgKCkgPT4gYCR7bG9hZGVyfVxcbiAgPC9oZWFkPmApO1xufVxuIiwgImNvbnN0IF9fdml0ZV9pbmplY3RlZF9vcmlnaW5hbF9kaXJuYW1lID0gXCIvdG1wL3dwYWdlcy9kb2NzLy52aXRlcHJlc3NcIjtjb25zdCBfX3ZpdGVfaW5qZWN0ZWRfb3JpZ2luYWxfZmlsZW5hbWUgPSBcIi90bXAvd3BhZ2VzL2RvY3MvLnZpdGVwcmVzcy9zaXRlLWFkZHJlc3MudHNcIjtjb25zdCBfX3ZpdGVfaW5qZWN0ZWRfb3JpZ2luYWxfaW1wb3J0X21ldGFfdXJsID0gXCJmaWxlOi8vL3RtcC93cGFnZXMvZG9jcy8udml0ZXByZXNzL3NpdGUtYWRkcmVzcy50c1wiOy8qKlxuICogV2hlcmUgdGhlIHNpdGUgd2lsbCBiZSBwdWJsaXNoZWQ6IGBET0NTX1VSTGAsIHN1Y2ggYXMgYGh0dHBzOi8vZXhhbXBsZS5jb20vcGxhdGZvcm0vYC4gV2l0aG91dCBpdCwgdGhlIHNpdGUgaXMgZm9yXG4gKiBgc2VjcGxhdCBzZXJ2ZWAsIHdoaWNoIHNlcnZlcyBpdCB1bmRlciBgL2RvY3MvYCBvZiBhbnkgaG9zdC5cbiAqL1xuY29uc3QgcHVibGlzaGVkID0gcHJvY2Vzcy5lbnZbXCJET0NTX1VSTFwiXTtcblxuLyoqIFRocm93cyBmb3IgYSBVUkwgdGhhdCBubyBzaXRlIGNhbiBoYXZlLiAqL1xuZXhwb3J0IGZ1bmN0aW9uIHNpdGVBZGRyZXNzKHVybDogc3RyaW5nIHwgdW5kZWZpbmVkKToge1xuICAvKiogQWJzb2x1dGUgVVJMIHdpdGggYSBzbGFzaCBhdCBpdHMgZW5kOyB1bmRlZmluZWQgaWYgdGhlIGhvc3QgaXMgdW5rbm93bi4gKi9cbiAgcmVhZG9ubHkgdXJsPzogc3RyaW5nO1xuICAvKiogUGF0aCB3aXRoIGEgc2xhc2ggYXQgYm90aCBlbmRzLiAqL1xuICByZWFkb25seSBiYXNlOiBzdHJpbmc7XG59IHtcbiAgaWYgKHVybCA9PT0gdW5kZWZpbmVkIHx8IHVybCA9PT0gXCJcIikgcmV0dXJuIHsgYmFzZTogd3JpdHRlbkJhc2UgfTtcbiAgY29uc3QgcGFyc2VkID0gVVJMLmNhblBhcnNlKHVybCkgPyBuZXcgVVJMKHVybCkgOiB1bmRlZmluZWQ7XG4gIGlmIChcbiAgICBwYXJzZWQgPT09IHVuZGVmaW5lZCB8fFxuICAgICEvXmh0dHBzPzokLy50ZXN0KHBhcnNlZC5wcm90b2NvbCkgfHxcbiAgICBwYXJzZWQuc2VhcmNoICsgcGFyc2VkLmhhc2ggIT09IFwiXCJcbiAgKSB7XG4gICAgdGhyb3cgbmV3IEVycm9yKFxuICAgICAgYERPQ1NfVVJMIGlzICR7dXJsfS4gRXhwZWN0ZWQgYW4gaHR0cCBvciBodHRwcyBVUkwsIHN1Y2ggYXMgaHR0cHM6Ly9leGFtcGxlLmNvbS9wbGF0Zm9ybS9gLFxuICAgICk7XG4gIH1cbiAgY29uc3QgYmFzZSA9IHBhcnNlZC5wYXRobmFtZS5yZXBsYWNlKC9cXC8qJC8sIFwiL1wiKTtcbiAgcmV0dXJuIHsgdXJsOiBgJHtwYXJzZWQub3JpZ2lufSR7YmFzZX1gLCBiYXNlIH07XG59XG5cbi8qKiBUaGUgYmFzZSBvZiBsaW5rcyB0aGF0IGFyZSB3cml0dGVuIGluIGZ1bGwgaW4gdGhlIHBhZ2VzLiAqL1xuZXhwb3J0IGNvbnN0IHdyaXR0ZW5CYXNlID0gXCIvZG9jcy9cIjtcblxuZXhwb3J0IGNvbnN0IHsgdXJsOiBzaXRlVXJsLCBiYXNlIH0gPSBzaXRlQWRkcmVzcyhwdWJsaXNoZWQpO1xuXG4vKiogSFRNTCB3aXRoIHRoZSBsaW5rcyBvZiB0aGUgcHVibGlzaGVkIHNpdGUuICovXG5leHBvcnQgY29uc3QgaHRtbEZvckJhc2UgPSAoaHRtbDogc3RyaW5nLCB0byA9IGJhc2UpOiBzdHJpbmcgPT5cbiAgdG8gPT09IHdyaXR0ZW5CYXNlID8gaHRtbCA6IGh0bWwucmVwbGFjZUFsbCgvKD88PSg/OmhyZWZ8c3JjKT1cIilcXC9kb2NzXFwvL2csIHRvKTtcblxuLyoqIE1hcmtkb3duIG9yIGEgbGlzdCBvZiBwYWdlcywgd2l0aCB0aGUgYWRkcmVzc2VzIG9mIHRoZSBwdWJsaXNoZWQgc2l0ZS4gKi9cbmV4cG9ydCBjb25zdCB0ZXh0Rm9yU2l0ZSA9ICh0ZXh0OiBzdHJpbmcsIHRvID0gc2l0ZVVybCA/PyBiYXNlKTogc3RyaW5nID0+XG4gIHRvID09PSB3cml0dGVuQmFzZSA/IHRleHQgOiB0ZXh0LnJlcGxhY2VBbGwoXCJdKC9kb2NzL1wiLCBgXSgke3RvfWApO1xuIl0sCiAgIm1hcHBpbmdzIjogIjtBQUF5UCxTQUFTLFlBQVksVUFBVSxnQkFBQUEsZUFBYyxxQkFBcUI7QUFDM1QsU0FBUyxRQUFBQyxhQUFZO0FBQ3JCLFNBQVMsaUJBQUFDLHNCQUFxQjtBQUM5QixTQUFTLG9CQUF1Qzs7O0FDSDJNLE9BQU8sWUFBaUM7QUFHblMsSUFBTSxVQUFVO0FBR1QsSUFBTSxrQkFBcUM7QUFBQSxFQUNoRDtBQUFBLEVBQ0E7QUFBQSxFQUNBO0FBQUEsRUFDQTtBQUFBLEVBQ0E7QUFBQSxFQUNBO0FBQUEsRUFDQTtBQUFBLEVBQ0E7QUFDRjtBQVFPLFNBQVMsa0JBQWtCLE1BQWMsUUFBMkIsQ0FBQyxHQUFZO0FBQ3RGLFNBQU8sUUFBUTtBQUFBLElBQ2IsWUFBWTtBQUFBLE1BQ1Ysa0JBQWtCO0FBQUEsTUFDbEIsT0FBTztBQUFBLFFBQ0wsTUFBTSxJQUFJLGdCQUFnQixLQUFLLE1BQU0sQ0FBQztBQUFBLFFBQ3RDLGtCQUFrQjtBQUFBLFFBQ2xCLGlCQUFpQjtBQUFBLE1BQ25CO0FBQUEsTUFDQSxRQUFRO0FBQUEsUUFDTjtBQUFBLFFBQ0EsVUFBVSxDQUFDLGlCQUNULENBQUMsR0FBRyxhQUFhLE9BQU8sU0FBUyxFQUFFLElBQUksTUFBTSxFQUFFLFNBQVMsR0FBRyxHQUFHLEtBQUssRUFBRSxLQUFLLElBQUk7QUFBQSxNQUNsRjtBQUFBLElBQ0Y7QUFBQSxFQUNGLENBQUM7QUFDSDtBQUVBLElBQU0sWUFBWSxDQUFDLEVBQUUsS0FBSyxNQUN4QixNQUFNLFdBQVcscUJBQXFCLE1BQU07QUFFOUMsSUFBTSxPQUFPO0FBQUEsRUFBSyxJQUFJLE9BQU8sRUFBRSxDQUFDO0FBQUE7QUFBQTtBQUVoQyxTQUFTLE9BQU8sRUFBRSxNQUFNLFNBQVMsU0FBUyxPQUFPLGFBQWEsV0FBVyxHQUF1QjtBQUM5RixRQUFNLFFBQVEsQ0FBQyxhQUFhLFVBQVUsRUFBRSxPQUFPLENBQUMsU0FBUyxTQUFTLFFBQVEsU0FBUyxNQUFTO0FBQzVGLFFBQU0sVUFBVSxHQUFHLElBQUksSUFBSSxPQUFPLGNBQWMsS0FBSztBQUNyRCxTQUFPLEdBQUcsQ0FBQyxTQUFTLEdBQUcsTUFBTSxJQUFJLENBQUMsU0FBUyxLQUFLLEtBQUssQ0FBQyxDQUFDLEVBQUUsS0FBSyxNQUFNLENBQUM7QUFBQTtBQUN2RTs7O0FDbkNBLElBQU0sa0JBQWtCO0FBR2pCLElBQU0sYUFBYSxDQUFDLFNBQTBCLEtBQUssU0FBUztBQUc1RCxJQUFNLFlBQVksQ0FBQyxTQUN4QixLQUFLLFdBQVcsbUNBQW1DLE9BQU87QUFHckQsSUFBTSxnQkFBZ0IsQ0FBQyxZQUM1QixRQUFRO0FBQUEsRUFBUTtBQUFBLEVBQWlDLENBQUMsT0FBTyxZQUFvQixTQUMzRSxXQUFXLElBQUksSUFBSSxxQkFBcUIsVUFBVSxJQUFJLFVBQVUsSUFBSSxDQUFDLFlBQVk7QUFDbkY7OztBQ3hCRixJQUFNLE9BQU8sQ0FBQyxNQUFjLFdBQW1CLEVBQUUsTUFBTSxNQUFNO0FBR3RELElBQU0sTUFBZ0I7QUFBQSxFQUMzQixNQUFNO0FBQUEsRUFDTixXQUFXO0FBQUEsRUFDWCxZQUFZLENBQUM7QUFBQSxFQUNiLFVBQVU7QUFBQSxJQUNSLEtBQUsscUJBQXFCLE9BQU8sNENBQTRDO0FBQUEsSUFDN0UsS0FBSywrQkFBK0IsT0FBTyw0QkFBNEI7QUFBQSxJQUN2RSxLQUFLLHlCQUF5QixPQUFPLGdDQUFnQztBQUFBLElBQ3JFLEtBQUssd0JBQXdCLE9BQU8sd0JBQXdCO0FBQUEsSUFDNUQsS0FBSyx3QkFBd0IsT0FBTyxnQkFBZ0I7QUFBQSxFQUN0RDtBQUNGOzs7QUNsQnFRLFNBQVMsaUJBQWlCO0FBQy9SLFNBQVMscUJBQXFCO0FBRGlJLElBQU0sMkNBQTJDO0FBR2hOLElBQU0sVUFBVSxjQUFjLElBQUksSUFBSSxTQUFTLHdDQUFlLENBQUM7QUFNeEQsU0FBUyxjQUEyQztBQUN6RCxRQUFNLFFBQVE7QUFBQSxJQUNaO0FBQUEsSUFDQTtBQUFBLElBQ0E7QUFBQSxJQUNBO0FBQUEsSUFDQTtBQUFBLElBQ0E7QUFBQSxJQUNBO0FBQUEsRUFDRjtBQUNBLFFBQU0sRUFBRSxRQUFRLE9BQU8sSUFBSSxVQUFVLE9BQU8sT0FBTztBQUFBLElBQ2pELEtBQUs7QUFBQSxJQUNMLFVBQVU7QUFBQSxJQUNWLFdBQVcsS0FBSyxPQUFRO0FBQUEsRUFDMUIsQ0FBQztBQUNELFNBQU8sV0FBVyxJQUFJLFVBQVUsTUFBTSxJQUFJLG9CQUFJLElBQUk7QUFDcEQ7QUFHTyxTQUFTLFVBQVUsS0FBMEM7QUFDbEUsUUFBTUMsV0FBVSxvQkFBSSxJQUFvQjtBQUN4QyxNQUFJLE9BQU87QUFDWCxhQUFXQyxTQUFRLElBQUksTUFBTSxJQUFJLEdBQUc7QUFDbEMsUUFBSSxRQUFRLEtBQUtBLEtBQUksRUFBRyxRQUFPLE9BQU9BLEtBQUk7QUFBQSxhQUNqQ0EsVUFBUyxNQUFNLENBQUNELFNBQVEsSUFBSUMsS0FBSSxFQUFHLENBQUFELFNBQVEsSUFBSUMsT0FBTSxJQUFJO0FBQUEsRUFDcEU7QUFDQSxTQUFPRDtBQUNUOzs7QUNqQ0EsSUFBTSxVQUFVO0FBR1QsSUFBTSxhQUFhO0FBQUEsRUFDeEIsTUFBTTtBQUFBLEVBQ04sT0FBTztBQUFBLEVBQ1AsUUFBUTtBQUFBLEVBQ1IsS0FBSztBQUNQO0FBR08sU0FBUyxlQUFlLFVBQTBCO0FBQ3ZELFFBQU0sWUFBWSxTQUNmLFFBQVEsc0JBQXNCLEVBQUUsRUFDaEMsV0FBVyx1QkFBdUIsRUFBRSxFQUNwQyxNQUFNLFFBQVEsRUFDZCxJQUFJLENBQUMsVUFBVSxNQUFNLEtBQUssQ0FBQyxFQUMzQixLQUFLLENBQUMsVUFBVSxVQUFVLE1BQU0sQ0FBQyx5QkFBeUIsS0FBSyxLQUFLLENBQUM7QUFDeEUsUUFBTSxRQUFRLGFBQWEsSUFDeEIsV0FBVyx3Q0FBd0MsSUFBSSxFQUN2RCxXQUFXLG9CQUFvQixFQUFFLEVBQ2pDLFdBQVcsUUFBUSxHQUFHO0FBQ3pCLE1BQUksS0FBSyxVQUFVLFFBQVMsUUFBTztBQUNuQyxTQUFPLEdBQUcsS0FBSyxNQUFNLEdBQUcsS0FBSyxZQUFZLEtBQUssT0FBTyxDQUFDLENBQUM7QUFDekQ7QUFHQSxJQUFNLFdBQVcsQ0FBQyxpQkFDaEIsYUFBYSxRQUFRLFNBQVMsT0FBTyxFQUFFLFFBQVEsc0JBQXNCLElBQUk7QUFHcEUsU0FBUyxTQUNkLEVBQUUsY0FBYyxPQUFBRSxRQUFPLGFBQWEsWUFBWSxHQUNoRCxNQUNjO0FBQ2QsTUFBSSxZQUFZLFFBQVEsTUFBTSxTQUFTLGlCQUFpQixVQUFVO0FBQ2hFLFdBQU8sQ0FBQyxDQUFDLFFBQVEsRUFBRSxNQUFNLFVBQVUsU0FBUyxVQUFVLENBQUMsQ0FBQztBQUFBLEVBQzFEO0FBQ0EsUUFBTSxXQUFXLENBQUMsTUFBYyxZQUFnQztBQUFBLElBQzlEO0FBQUEsSUFDQSxFQUFFLFVBQVUsTUFBTSxJQUFJLElBQUksUUFBUTtBQUFBLEVBQ3BDO0FBQ0EsUUFBTSxZQUFZLGFBQWEsTUFBTSxHQUFHLEVBQUUsR0FBRyxFQUFFLEtBQUssSUFBSSxRQUFRLE1BQU0sVUFBVTtBQUNoRixTQUFPO0FBQUEsSUFDTCxTQUFTLFFBQVEsaUJBQWlCLGFBQWEsWUFBWSxTQUFTO0FBQUEsSUFDcEUsU0FBUyxhQUFhLEtBQUssS0FBSztBQUFBLElBQ2hDLFNBQVMsU0FBU0EsTUFBSztBQUFBLElBQ3ZCLFNBQVMsZUFBZSxXQUFXO0FBQUEsSUFDbkMsR0FBSSxZQUFZLGFBQWEsTUFBTSxPQUMvQixDQUFDLENBQUMsUUFBUSxFQUFFLEtBQUssYUFBYSxNQUFNLGlCQUFpQixNQUFNLEtBQUssUUFBUSxHQUFHLENBQUMsQ0FBZSxJQUMzRixDQUFDO0FBQUEsSUFDTCxHQUFJLEtBQUssUUFBUSxTQUNiLENBQUMsSUFDRDtBQUFBLE1BQ0UsU0FBUyxPQUFPLEdBQUcsS0FBSyxHQUFHLEdBQUcsU0FBUyxZQUFZLENBQUMsRUFBRTtBQUFBLE1BQ3RELFNBQVMsU0FBUyxHQUFHLEtBQUssR0FBRyxHQUFHLFdBQVcsSUFBSSxFQUFFO0FBQUEsTUFDakQsU0FBUyxjQUFjLFdBQVc7QUFBQSxNQUNsQyxTQUFTLGVBQWUsT0FBTyxXQUFXLEtBQUssQ0FBQztBQUFBLE1BQ2hELFNBQVMsZ0JBQWdCLE9BQU8sV0FBVyxNQUFNLENBQUM7QUFBQSxNQUNsRCxTQUFTLGFBQWEsV0FBVyxHQUFHO0FBQUEsTUFDcEMsQ0FBQyxRQUFRLEVBQUUsTUFBTSxnQkFBZ0IsU0FBUyxzQkFBc0IsQ0FBQztBQUFBLE1BQ2pFO0FBQUEsUUFDRTtBQUFBLFFBQ0EsRUFBRSxLQUFLLGFBQWEsTUFBTSxHQUFHLEtBQUssR0FBRyxHQUFHLFNBQVMsWUFBWSxDQUFDLEdBQUc7QUFBQSxNQUNuRTtBQUFBLElBQ0Y7QUFBQSxFQUNOO0FBQ0Y7OztBQ3RFeVEsU0FBUyxrQkFBa0I7QUFDcFMsU0FBUyxhQUFhLG9CQUFvQjtBQUMxQyxTQUFTLFVBQVUsU0FBUyxZQUFZO0FBQ3hDLFNBQVMsaUJBQUFDLHNCQUFxQjtBQUhtSSxJQUFNQyw0Q0FBMkM7QUFvQmxOLElBQU0sT0FBT0MsZUFBYyxJQUFJLElBQUksK0JBQStCRCx5Q0FBZSxDQUFDO0FBQ2xGLElBQU0sYUFBK0M7QUFBQSxFQUNuRCxPQUFPO0FBQUEsRUFDUCxTQUFTO0FBQ1g7QUFNTyxTQUFTLGNBQWNFLE9BQXNCO0FBQ2xELFFBQU0sUUFBUSxVQUFVO0FBQ3hCLFFBQU0sU0FBUyxXQUFXLFFBQVE7QUFDbEMsYUFBVyxDQUFDLE1BQU0sT0FBTyxLQUFLLE1BQU8sUUFBTyxPQUFPLElBQUksRUFBRSxPQUFPLE9BQU87QUFDdkUsUUFBTSxTQUFTLG1CQUFtQixPQUFPLE9BQU8sV0FBVyxFQUFFLE1BQU0sR0FBRyxDQUFDLENBQUM7QUFDeEUsUUFBTSxZQUEyQixFQUFFLFFBQVEsT0FBTyxXQUFXLEtBQUssRUFBRTtBQUNwRSxNQUFJLGdCQUFnQjtBQUNwQixTQUFPO0FBQUEsSUFDTCxNQUFNO0FBQUEsSUFDTixRQUFRLE9BQU8sRUFBRSxRQUFRLEVBQUUsZ0JBQWdCLEtBQUssVUFBVSxTQUFTLEVBQUUsRUFBRTtBQUFBLElBQ3ZFLGdCQUFnQixDQUFDLEVBQUUsTUFBTSxNQUFNO0FBQzdCLHNCQUFnQixNQUFNLFFBQVE7QUFBQSxJQUNoQztBQUFBLElBQ0EsaUJBQWlCO0FBQ2YsVUFBSSxDQUFDLGNBQWU7QUFDcEIsaUJBQVcsQ0FBQyxNQUFNLE1BQU0sS0FBSyxPQUFPO0FBQ2xDLGFBQUssU0FBUyxFQUFFLE1BQU0sU0FBUyxVQUFVLFNBQVMsTUFBTSxPQUFPLENBQUM7QUFBQSxNQUNsRTtBQUFBLElBQ0Y7QUFBQSxJQUNBLGdCQUFnQixFQUFFLFlBQVksR0FBRztBQUMvQixrQkFBWSxJQUFJLENBQUMsU0FBUyxVQUFVLFNBQVM7QUFDM0MsY0FBTSxFQUFFLFNBQVMsSUFBSSxJQUFJLElBQUksUUFBUSxPQUFPLEtBQUssa0JBQWtCO0FBQ25FLGNBQU0sT0FBTyxTQUFTLFFBQVE7QUFDOUIsY0FBTSxVQUFVLGFBQWFBLFFBQU8sU0FBUyxPQUFPLE1BQU0sSUFBSSxJQUFJLElBQUk7QUFDdEUsWUFBSSxZQUFZLE9BQVcsUUFBTyxLQUFLO0FBQ3ZDLGlCQUFTLFVBQVUsZ0JBQWdCLFdBQVcsUUFBUSxJQUFJLENBQUMsS0FBSywwQkFBMEI7QUFDMUYsaUJBQVMsSUFBSSxPQUFPO0FBQUEsTUFDdEIsQ0FBQztBQUFBLElBQ0g7QUFBQSxFQUNGO0FBQ0Y7QUFHQSxTQUFTLFlBQTZDO0FBQ3BELE1BQUk7QUFFRixVQUFNLFFBQVEsWUFBWSxNQUFNLEVBQUUsZUFBZSxLQUFLLENBQUMsRUFDcEQsT0FBTyxDQUFDLFVBQVUsTUFBTSxPQUFPLEtBQUssQ0FBQyxvQkFBb0IsS0FBSyxNQUFNLElBQUksQ0FBQyxFQUN6RSxJQUFJLENBQUMsRUFBRSxLQUFLLE1BQU0sSUFBSTtBQUN6QixXQUFPLElBQUksSUFBSSxNQUFNLFNBQVMsRUFBRSxJQUFJLENBQUMsU0FBUyxDQUFDLE1BQU0sYUFBYSxLQUFLLE1BQU0sSUFBSSxDQUFDLENBQUMsQ0FBQyxDQUFDO0FBQUEsRUFDdkYsU0FBUyxPQUFPO0FBQ2QsVUFBTSxJQUFJLE1BQU0sbURBQW1ELEVBQUUsT0FBTyxNQUFNLENBQUM7QUFBQSxFQUNyRjtBQUNGO0FBR0EsU0FBUyxXQUFXLE9BQWdFO0FBQ2xGLFFBQU0sUUFBUSxJQUFJLElBQUksQ0FBQyxHQUFHLE1BQU0sS0FBSyxDQUFDLEVBQUUsT0FBTyxDQUFDLFNBQVMsQ0FBQywyQkFBMkIsS0FBSyxJQUFJLENBQUMsQ0FBQztBQUNoRyxRQUFNLE1BQU0sQ0FBQyxTQUF1QjtBQUNsQyxRQUFJLE1BQU0sSUFBSSxJQUFJLEVBQUc7QUFDckIsVUFBTSxJQUFJLElBQUk7QUFDZCxVQUFNLE9BQU8sT0FBTyxLQUFLLE1BQU0sSUFBSSxJQUFJLEtBQUssQ0FBQyxDQUFDLEVBQUUsU0FBUztBQUN6RCxlQUFXLENBQUMsRUFBRSxXQUFXLEVBQUUsS0FBSyxLQUFLLFNBQVMsOENBQThDLEdBQUc7QUFDN0YsVUFBSSxNQUFNLElBQUksUUFBUSxFQUFHLEtBQUksUUFBUTtBQUFBLElBQ3ZDO0FBQUEsRUFDRjtBQUNBLE1BQUksZUFBZTtBQUNuQixNQUFJLFdBQVc7QUFDZixTQUFPLENBQUMsR0FBRyxLQUFLLEVBQUUsSUFBSSxDQUFDLFNBQVMsQ0FBQyxNQUFNLE1BQU0sSUFBSSxJQUFJLEdBQUcsVUFBVSxDQUFDLENBQVU7QUFDL0U7OztBQ3ZGQSxJQUFNLGNBQWMsb0JBQUksSUFBb0I7QUFNckMsU0FBUyxjQUFjLFVBQWtDO0FBQzlELFFBQU0sRUFBRSxVQUFVLElBQUksU0FBUztBQUMvQixNQUFJLGNBQWMsVUFBYSxjQUFjLEtBQU07QUFDbkQsV0FBUyxRQUFRLFlBQVksQ0FBQyxNQUFNLFVBQVUsZUFBZTtBQUMzRCxVQUFNLE1BQU0sS0FBSyxVQUFVLENBQUMsVUFBVSxZQUFZLElBQUksQ0FBQztBQUN2RCxRQUFJLE9BQU8sWUFBWSxJQUFJLEdBQUc7QUFDOUIsUUFBSSxTQUFTLFFBQVc7QUFDdEIsYUFBTyxVQUFVLE1BQU0sVUFBVSxVQUFVO0FBQzNDLGtCQUFZLElBQUksS0FBSyxJQUFJO0FBQUEsSUFDM0I7QUFDQSxXQUFPO0FBQUEsRUFDVDtBQUNGO0FBS08sU0FBUyxXQUFXLFFBQXdCO0FBQ2pELFFBQU0sUUFBUSxvQkFBSSxJQUE0RTtBQUM5RixTQUFPLENBQUMsUUFBUSxLQUFLLGFBQWE7QUFDaEMsVUFBTSxXQUFXLE1BQU0sSUFBSSxJQUFJLElBQUk7QUFDbkMsUUFBSSxVQUFVLFdBQVcsT0FBUSxRQUFPLFNBQVM7QUFDakQsVUFBTSxPQUFPLE9BQU8sUUFBUSxLQUFLLFFBQVE7QUFDekMsVUFBTSxJQUFJLElBQUksTUFBTSxFQUFFLFFBQVEsS0FBSyxDQUFDO0FBQ3BDLFdBQU87QUFBQSxFQUNUO0FBQ0Y7OztBQ2xDbVIsSUFBTSxVQUFVO0FBQ25TLElBQU0sU0FBUztBQU1SLFNBQVMsa0JBQWtCLE1BQXNCO0FBQ3RELFFBQU0sWUFBWSxDQUFDLFFBQ2pCLEtBQUssVUFBVSxDQUFDLEdBQUcsS0FBSyxTQUFTLEdBQUcsQ0FBQyxFQUFFLElBQUksQ0FBQyxDQUFDLEVBQUUsTUFBTSxNQUFNLE1BQU0sQ0FBQztBQUNwRSxRQUFNLFNBQVM7QUFBQTtBQUFBO0FBQUEseUJBR1EsVUFBVSxPQUFPLENBQUM7QUFBQSx3QkFDbkIsVUFBVSxNQUFNLENBQUM7QUFBQTtBQUFBO0FBQUE7QUFBQTtBQUFBO0FBQUE7QUFBQTtBQUFBO0FBQUE7QUFVdkMsU0FBTyxLQUNKLFdBQVcsU0FBUyxFQUFFLEVBQ3RCLFdBQVcsUUFBUSxFQUFFLEVBQ3JCLFFBQVEsV0FBVyxNQUFNLEdBQUcsTUFBTTtBQUFBLFVBQWE7QUFDcEQ7OztBQ3hCQSxJQUFNLFlBQVksUUFBUSxJQUFJLFVBQVU7QUFHakMsU0FBUyxZQUFZLEtBSzFCO0FBQ0EsTUFBSSxRQUFRLFVBQWEsUUFBUSxHQUFJLFFBQU8sRUFBRSxNQUFNLFlBQVk7QUFDaEUsUUFBTSxTQUFTLElBQUksU0FBUyxHQUFHLElBQUksSUFBSSxJQUFJLEdBQUcsSUFBSTtBQUNsRCxNQUNFLFdBQVcsVUFDWCxDQUFDLFlBQVksS0FBSyxPQUFPLFFBQVEsS0FDakMsT0FBTyxTQUFTLE9BQU8sU0FBUyxJQUNoQztBQUNBLFVBQU0sSUFBSTtBQUFBLE1BQ1IsZUFBZSxHQUFHO0FBQUEsSUFDcEI7QUFBQSxFQUNGO0FBQ0EsUUFBTUMsUUFBTyxPQUFPLFNBQVMsUUFBUSxRQUFRLEdBQUc7QUFDaEQsU0FBTyxFQUFFLEtBQUssR0FBRyxPQUFPLE1BQU0sR0FBR0EsS0FBSSxJQUFJLE1BQUFBLE1BQUs7QUFDaEQ7QUFHTyxJQUFNLGNBQWM7QUFFcEIsSUFBTSxFQUFFLEtBQUssU0FBUyxLQUFLLElBQUksWUFBWSxTQUFTO0FBR3BELElBQU0sY0FBYyxDQUFDLE1BQWMsS0FBSyxTQUM3QyxPQUFPLGNBQWMsT0FBTyxLQUFLLFdBQVcsZ0NBQWdDLEVBQUU7QUFHekUsSUFBTSxjQUFjLENBQUMsTUFBYyxLQUFLLFdBQVcsU0FDeEQsT0FBTyxjQUFjLE9BQU8sS0FBSyxXQUFXLFlBQVksS0FBSyxFQUFFLEVBQUU7OztBVHZDc0YsSUFBTUMsNENBQTJDO0FBYzFNLElBQU0sVUFBVSxLQUFLO0FBQUEsRUFDbkJDLGNBQWEsSUFBSSxJQUFJLDZCQUE2QkQseUNBQWUsR0FBRyxNQUFNO0FBQzVFO0FBK0JBLElBQU0sZ0JBQWdCO0FBT3RCLElBQU0sa0JBQWtCLFdBQVcsQ0FBQyxRQUFRLEtBQUssYUFBYTtBQUM1RCxRQUFNLE9BQU8sU0FBUyxPQUFPLFFBQVEsR0FBRztBQUN4QyxRQUFNLGNBQWUsSUFBSSxlQUFlLENBQUM7QUFDekMsUUFBTSxFQUFFLFdBQVcsUUFBUSxRQUFRLFdBQVcsSUFBSSxPQUFPLFFBQVEsSUFBSTtBQUNyRSxNQUFJLGNBQWMsUUFBVztBQUMzQixVQUFNRSxTQUFRLEtBQUssTUFBTSxHQUFHLEtBQUssUUFBUSxPQUFPLElBQUksUUFBUSxNQUFNO0FBQ2xFLFVBQU0sUUFBUSxNQUFNLEdBQUcsUUFBUSxJQUFJLE9BQU8sYUFBYSxDQUFDO0FBQ3hELFVBQU0sT0FBTyxXQUFXLFVBQVUsS0FBSyxLQUFLLE1BQU1BLE9BQU0sTUFBTTtBQUM5RCxXQUFPLFVBQVVBLFFBQU8sS0FBSyxJQUFJLFFBQVEsWUFBWSxNQUFNLE9BQU87QUFBQSxFQUNwRTtBQUNBLFFBQU0sT0FBTyxLQUFLLE1BQU0sR0FBRyxLQUFLLFFBQVEsaUNBQWlDLENBQUM7QUFFMUUsUUFBTSxNQUFNLEtBQUssV0FBVyw4Q0FBOEMsRUFBRTtBQUM1RSxRQUFNLFFBQVEsQ0FBQyxHQUFHLElBQUksU0FBUyw0Q0FBNEMsQ0FBQyxFQUFFO0FBQUEsSUFDNUUsQ0FBQyxDQUFDLEVBQUUsT0FBTyxFQUFFLE1BQU07QUFBQSxFQUNyQjtBQUNBLFNBQU8sR0FBRyxVQUFVLE1BQU0sR0FBRyxTQUFTLFNBQU0sTUFBTSxFQUFFLENBQUMsTUFBTSxDQUFDLEdBQUcsSUFBSSxJQUFJLEtBQUssQ0FBQyxFQUFFLEtBQUssR0FBRyxDQUFDO0FBQzFGLENBQUM7QUFHRCxJQUFNLFlBQVksQ0FBQyxNQUFjLFVBQy9CLFVBQVUsU0FBWSxPQUFPLEtBQUssUUFBUSx3QkFBd0IsV0FBUSxLQUFLLElBQUk7QUFHckYsSUFBTSxjQUFjLENBQUMsTUFBYyxZQUNqQyxZQUFZLFNBQVksT0FBTyxLQUFLLFdBQVcsMEJBQTBCLEtBQUssT0FBTyxHQUFHO0FBRzFGLFNBQVMsYUFBYSxFQUFFLE9BQU8sR0FBd0I7QUFDckQsYUFBVyxDQUFDLE9BQU8sS0FBSyxLQUFLLE9BQU8sUUFBUSxHQUFHO0FBQzdDLFFBQUksTUFBTSxTQUFTLGFBQWEsT0FBTyxRQUFRLENBQUMsR0FBRyxZQUFZLEdBQUksT0FBTSxNQUFNO0FBQy9FLFFBQUksTUFBTSxTQUFTLGNBQWMsT0FBTyxRQUFRLENBQUMsR0FBRyxZQUFZLEdBQUksT0FBTSxNQUFNO0FBQUEsRUFDbEY7QUFDRjtBQUdBLFNBQVMsV0FBVztBQUFBLEVBQ2xCO0FBQUEsRUFDQTtBQUNGLEdBQXFGO0FBQ25GLE1BQUksSUFBSSxhQUFhLFdBQVcsU0FBUyxnQkFBZ0IsTUFBTSxLQUFNO0FBQ3JFLE1BQUksVUFBb0IsQ0FBQztBQUN6QixNQUFJLFNBQVM7QUFDYixhQUFXLENBQUMsT0FBTyxLQUFLLEtBQUssT0FBTyxRQUFRLEdBQUc7QUFDN0MsUUFBSSxNQUFNLFNBQVMsYUFBYyxXQUFVLENBQUM7QUFDNUMsUUFBSSxNQUFNLFNBQVMsVUFBVyxVQUFTO0FBQ3ZDLFFBQUksTUFBTSxTQUFTLFVBQVcsU0FBUSxLQUFLLE9BQU8sUUFBUSxDQUFDLEdBQUcsV0FBVyxFQUFFO0FBQzNFLFFBQUksTUFBTSxTQUFTLFVBQVc7QUFDOUIsUUFBSSxTQUFTLEtBQUssUUFBUSxTQUFTLEVBQUcsT0FBTSxRQUFRLGNBQWMsUUFBUSxNQUFNLEtBQUssRUFBRTtBQUN2RixjQUFVO0FBQUEsRUFDWjtBQUNGO0FBR0EsU0FBUyxjQUFjLEVBQUUsT0FBTyxHQUF3QjtBQUN0RCxhQUFXLFNBQVMsUUFBUTtBQUMxQixRQUFJLE1BQU0sU0FBUyxnQkFBZ0IsTUFBTSxTQUFTLGVBQWU7QUFDL0QsWUFBTSxVQUFVLFlBQVksTUFBTSxPQUFPO0FBQUEsSUFDM0M7QUFDQSxVQUFNLE9BQU8sTUFBTSxRQUFRLE1BQU07QUFDakMsUUFBSSxNQUFNLFdBQVcsV0FBVyxNQUFNLE1BQU07QUFDMUMsWUFBTSxRQUFRLFFBQVEsT0FBTyxLQUFLLE1BQU0sWUFBWSxNQUFNLENBQUM7QUFBQSxJQUM3RDtBQUNBLGtCQUFjLEVBQUUsUUFBUSxNQUFNLFlBQVksQ0FBQyxFQUFFLENBQUM7QUFBQSxFQUNoRDtBQUNGO0FBRUEsSUFBTSxVQUFVLFlBQVk7QUFDNUIsSUFBTSxTQUFTLENBQUMsU0FBeUJDLGVBQWMsSUFBSSxJQUFJLE1BQU0sSUFBSSxJQUFJSCx5Q0FBZSxDQUFDO0FBQzdGLElBQU0sUUFBUTtBQUdkLElBQU0sVUFBa0I7QUFBQSxFQUN0QixHQUFJLGtCQUFrQkcsZUFBYyxJQUFJLElBQUksZ0NBQWdDSCx5Q0FBZSxDQUFDLEdBQUc7QUFBQSxJQUM3RixZQUFZO0FBQUEsRUFDZCxDQUFDO0FBQUEsRUFDRCxPQUFPLENBQUMsU0FBUyxFQUFFLFdBQVcsTUFBTSxlQUFlO0FBQ3JEO0FBR0EsSUFBTSxlQUF1QjtBQUFBLEVBQzNCLE1BQU07QUFBQSxFQUNOLFNBQVM7QUFBQSxFQUNULE1BQU0sQ0FBQyxPQUNMLDhLQUE4SztBQUFBLElBQzVLO0FBQUEsRUFDRixJQUNJLEtBQ0E7QUFDUjtBQUdBLElBQU0sZUFBdUI7QUFBQSxFQUMzQixNQUFNO0FBQUEsRUFDTixTQUFTO0FBQUEsRUFDVCxVQUFVLE1BQU0sSUFBSTtBQUNsQixRQUFJLENBQUMsR0FBRyxTQUFTLHVCQUF1QixFQUFHLFFBQU87QUFDbEQsVUFBTSxTQUFTLEtBQUssUUFBUSxpQkFBaUIsY0FBYztBQUMzRCxRQUFJLFdBQVcsS0FBTSxPQUFNLElBQUksTUFBTSxHQUFHLEVBQUUscUNBQXFDO0FBQy9FLFdBQU87QUFBQSxFQUNUO0FBQ0Y7QUFFQSxTQUFTLGNBQXNCO0FBQzdCLFFBQU0sT0FBTyxDQUFDSSxVQUNaSCxjQUFhLElBQUksSUFBSUcsT0FBTSxZQUFZLFFBQVEsMkJBQTJCLENBQUMsR0FBRyxNQUFNLEVBQUUsS0FBSztBQUM3RixRQUFNLEVBQUUsTUFBTSxTQUFTLFNBQUFDLFNBQVEsSUFBSSxLQUFLLE1BQU0sS0FBSyxjQUFjLENBQUM7QUFDbEUsUUFBTSxVQUFVLEdBQUcsSUFBSSxJQUFJLE9BQU8sY0FBY0EsUUFBTztBQUN2RCxTQUFPLEdBQUcsQ0FBQyxTQUFTLEtBQUssU0FBUyxHQUFHLEtBQUsscUJBQXFCLENBQUMsRUFBRSxLQUFLLE1BQU0sQ0FBQztBQUFBO0FBQ2hGO0FBR0EsSUFBTyxpQkFBUSxhQUFhO0FBQUEsRUFDMUI7QUFBQSxFQUNBLGFBQWE7QUFBQSxFQUNiLE1BQU07QUFBQSxFQUNOO0FBQUEsRUFDQSxHQUFJLFlBQVksVUFBYSxFQUFFLFNBQVMsRUFBRSxVQUFVLFFBQVEsRUFBRTtBQUFBLEVBQzlELFdBQVc7QUFBQSxFQUNYLFlBQVksQ0FBQyxhQUFhLG1CQUFtQixZQUFZLGNBQWMscUJBQXFCO0FBQUEsRUFDNUYsVUFBVTtBQUFBLElBQ1IsOEJBQThCO0FBQUEsSUFDOUIsMkJBQTJCO0FBQUEsRUFDN0I7QUFBQSxFQUNBLE1BQU07QUFBQSxJQUNKLENBQUMsUUFBUSxFQUFFLEtBQUssUUFBUSxNQUFNLGlCQUFpQixNQUFNLEdBQUcsSUFBSSxXQUFXLENBQUM7QUFBQSxJQUN4RSxDQUFDLFFBQVEsRUFBRSxLQUFLLG9CQUFvQixNQUFNLEdBQUcsSUFBSSxpQkFBaUIsQ0FBQztBQUFBLEVBQ3JFO0FBQUEsRUFDQSxrQkFBa0IsRUFBRSxhQUFhLFVBQVUsY0FBYyxZQUFZLEdBQUc7QUFDdEUsVUFBTSxFQUFFLFNBQVMsUUFBUSxRQUFRLEdBQUcsSUFBSTtBQUN4QyxVQUFNLGNBQWMsUUFBUSxJQUFJLE1BQU07QUFDdEMsV0FBTztBQUFBLE1BQ0wsR0FBSSxXQUFXLE9BQU8sb0JBQW9CLFlBQVksRUFBRSxDQUFDLEtBQUs7QUFBQSxRQUM1RCxhQUFhLEVBQUUsR0FBRyxhQUFhLGFBQWEsS0FBSztBQUFBLE1BQ25EO0FBQUEsTUFDQSxHQUFJLGdCQUFnQixNQUFNO0FBQUEsUUFDeEIsYUFBYSxlQUFlSixjQUFhLE9BQU8sUUFBUSxHQUFHLE1BQU0sQ0FBQztBQUFBLE1BQ3BFO0FBQUEsTUFDQSxHQUFJLGdCQUFnQixVQUFhLEVBQUUsWUFBWTtBQUFBLElBQ2pEO0FBQUEsRUFDRjtBQUFBLEVBQ0EsZUFBZSxDQUFDLEVBQUUsU0FBUyxNQUN6QixTQUFTLFVBQVU7QUFBQSxJQUNqQjtBQUFBLElBQ0EsR0FBSSxZQUFZLFVBQWEsRUFBRSxLQUFLLFFBQVE7QUFBQSxFQUM5QyxDQUFDO0FBQUEsRUFDSCxjQUFjLE1BQU0sT0FBTyxFQUFFLEtBQUssR0FBRztBQUVuQyxVQUFNLFVBQVUsS0FBSyxRQUFRLGdEQUFnRCxFQUFFO0FBRS9FLFdBQU8sU0FBUyxXQUFXLFVBQVUsa0JBQWtCLE9BQU87QUFBQSxFQUNoRTtBQUFBLEVBQ0EsU0FBUyxFQUFFLE9BQU8sR0FBRztBQUNuQixlQUFXLFFBQVEsU0FBUyxpQkFBaUIsRUFBRSxLQUFLLE9BQU8sQ0FBQyxHQUFHO0FBQzdELFlBQU0sT0FBT0ssTUFBSyxRQUFRLElBQUk7QUFDOUIsWUFBTSxPQUFPTCxjQUFhLE1BQU0sTUFBTTtBQUN0QyxZQUFNLFVBQVUsWUFBWSxJQUFJO0FBQ2hDLFVBQUksWUFBWSxLQUFNLGVBQWMsTUFBTSxPQUFPO0FBQUEsSUFDbkQ7QUFDQSxRQUFJLFlBQVksT0FBVztBQUMzQixVQUFNLFNBQVM7QUFBQTtBQUFBLFdBQXFDLE9BQU87QUFBQTtBQUMzRCxrQkFBY0ssTUFBSyxRQUFRLFlBQVksR0FBRyxNQUFNO0FBQUEsRUFDbEQ7QUFBQSxFQUNBLE1BQU07QUFBQSxJQUNKLFdBQVc7QUFBQSxJQUNYLFNBQVMsQ0FBQyxTQUFTLGNBQWMsY0FBYyxjQUFjLElBQUksQ0FBQztBQUFBLEVBQ3BFO0FBQUEsRUFDQSxVQUFVO0FBQUEsSUFDUixXQUFXLENBQUMsR0FBRztBQUFBLElBQ2YsT0FBTyxFQUFFLE9BQU8sOEJBQThCLE1BQU0sNEJBQTRCO0FBQUEsSUFDaEYsUUFBUSxDQUFDLGFBQWE7QUFDcEIsb0JBQWMsUUFBUTtBQUN0QixZQUFNLEVBQUUsYUFBYSxLQUFLLElBQUksU0FBUyxTQUFTO0FBQ2hELFVBQUksU0FBUyxRQUFXO0FBQ3RCLGlCQUFTLFNBQVMsTUFBTSxjQUFjLElBQUksVUFBVSxjQUFjLEtBQUssR0FBRyxLQUFLLENBQUM7QUFBQSxNQUNsRjtBQUNBLFlBQU0sUUFBUSxDQUFDLGNBQWMsWUFBWSxHQUFJLFNBQVMsY0FBYyxDQUFDLElBQUksQ0FBQyxhQUFhLENBQUU7QUFDekYsaUJBQVdDLFNBQVEsTUFBTyxVQUFTLEtBQUssTUFBTSxLQUFLQSxNQUFLLE1BQU1BLEtBQUk7QUFBQSxJQUNwRTtBQUFBLEVBQ0Y7QUFBQSxFQUNBLGFBQWE7QUFBQSxJQUNYLFdBQVc7QUFBQSxJQUNYLFFBQVE7QUFBQSxNQUNOLFVBQVU7QUFBQSxNQUNWLFNBQVM7QUFBQSxRQUNQLGNBQWM7QUFBQSxRQUNkLFlBQVk7QUFBQSxVQUNWLGVBQWU7QUFBQTtBQUFBLFlBRWIsT0FBTztBQUFBO0FBQUEsWUFFUCxPQUFPLEVBQUUsT0FBTyxHQUFHLE1BQU0sR0FBRyxRQUFRLElBQUk7QUFBQSxVQUMxQztBQUFBLFFBQ0Y7QUFBQSxRQUNBLFNBQVM7QUFBQSxNQUNYO0FBQUEsSUFDRjtBQUFBLElBQ0EsU0FBUyxDQUFDLEdBQUcsQ0FBQztBQUFBLElBQ2QsS0FBSztBQUFBLE1BQ0gsRUFBRSxNQUFNLFVBQVUsTUFBTSx1QkFBdUIsYUFBYSxZQUFZO0FBQUEsTUFDeEUsRUFBRSxNQUFNLGFBQWEsTUFBTSxlQUFlLGFBQWEsZUFBZTtBQUFBLE1BQ3RFLEVBQUUsTUFBTSxlQUFlLE1BQU0sZUFBZSxRQUFRLFFBQVE7QUFBQSxJQUM5RDtBQUFBLElBQ0EsYUFBYSxFQUFFLE1BQU0sZ0JBQWdCLGVBQWUsRUFBRSxXQUFXLE9BQU8sRUFBRTtBQUFBLElBQzFFO0FBQUEsSUFDQSxXQUFXLEVBQUUsTUFBTSxpQkFBaUIsTUFBTSxZQUFZO0FBQUEsRUFDeEQ7QUFDRixDQUFDOyIsCiAgIm5hbWVzIjogWyJyZWFkRmlsZVN5bmMiLCAiam9pbiIsICJmaWxlVVJMVG9QYXRoIiwgImNoYW5nZXMiLCAibGluZSIsICJ0aXRsZSIsICJmaWxlVVJMVG9QYXRoIiwgIl9fdml0ZV9pbmplY3RlZF9vcmlnaW5hbF9pbXBvcnRfbWV0YV91cmwiLCAiZmlsZVVSTFRvUGF0aCIsICJiYXNlIiwgImJhc2UiLCAiX192aXRlX2luamVjdGVkX29yaWdpbmFsX2ltcG9ydF9tZXRhX3VybCIsICJyZWFkRmlsZVN5bmMiLCAidGl0bGUiLCAiZmlsZVVSTFRvUGF0aCIsICJuYW1lIiwgImxpY2Vuc2UiLCAiam9pbiIsICJydWxlIl0KfQo=
