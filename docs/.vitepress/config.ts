import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type DefaultTheme } from "vitepress";
import { thirdPartyNotices } from "../../scripts/third-party-notices.ts";
import { codeThemes, colorsAsClasses, withoutTimeLimit } from "../scripts/code-colors.ts";
import { breakableCode } from "../scripts/reference/html.ts";
import { changedFiles } from "./changed-files.ts";
import { fql } from "./fql.ts";
import { lastChanges } from "./last-changes.ts";
import { firstParagraph, pageHead } from "./page-head.ts";
import { pagesOnce } from "./pages-once.ts";
import { platformFiles, type Plugin } from "./platform-files.ts";
import { highlightOnce, renderOnce } from "./render-once.ts";
import { scriptsAfterPaint } from "./scripts-after-paint.ts";
import { base, htmlForBase, siteUrl, textForSite, writtenBase } from "./site-address.ts";

const sidebar = JSON.parse(
  readFileSync(new URL("../generated/sidebar.json", import.meta.url), "utf8"),
) as DefaultTheme.SidebarMulti;

interface MarkdownToken {
  readonly type: string;
  readonly children: MarkdownToken[] | null;
  content: string;
  tag: string;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

interface FrontMatter {
  readonly operation?: string;
  readonly method?: string;
  /** File in the project that the page describes. */
  readonly source?: string;
  /** Pages that list others are found by their title alone. */
  readonly search?: "title";
  /** Words that readers may search for, although the page does not contain them, or is found by its title alone. */
  readonly keywords?: string;
  /** What readers search for instead of the title. Search results show it beside the title. */
  readonly terms?: string;
  /** The program whose commands are the headings of the page. */
  readonly program?: string;
}

interface MarkdownState {
  readonly tokens: MarkdownToken[];
}

/** How often the keywords of a guide count, against operations that contain the word once. */
const keywordWeight = 5;

/**
 * What the search index holds of a page: of an operation its title, its id and names; of a guide everything, and its
 * keywords. VitePress evaluates functions in the options of the index, which the content security policy
 * forbids, so the weight of words is in the text.
 */
const renderForSearch = renderOnce((source, env, markdown) => {
  const html = markdown.render(source, env);
  const frontMatter = (env.frontmatter ?? {}) as FrontMatter;
  const { operation, method, search, keywords = "", terms, program } = frontMatter;
  if (operation === undefined) {
    const title = html.slice(0, html.indexOf("</h1>") + "</h1>".length);
    const words = `<p>${`${keywords} `.repeat(keywordWeight)}</p>`;
    const rest = search === "title" ? "" : html.slice(title.length);
    return withTerms(title, terms) + words + withProgram(rest, program);
  }
  const head = html.slice(0, html.indexOf('<div class="operation-samples">'));
  // All operations return the same headers.
  const own = html.replaceAll(/<details class="headers">[^]*?<\/details>/g, "");
  const names = [...own.matchAll(/<code class="member-name">([^<]*)<\/code>/g)].map(
    ([, name = ""]) => name,
  );
  return `${withTerms(head, `${operation} · ${method}`)}<p>${[...new Set(names)].join(" ")}</p>`;
});

/** The text whose first heading also has these terms. */
const withTerms = (html: string, terms: string | undefined): string =>
  terms === undefined ? html : html.replace(/(<h1[^>]*>.*?)( <a )/, `$1 · ${terms}$2`);

/** The text whose headings are complete commands. */
const withProgram = (html: string, program: string | undefined): string =>
  program === undefined ? html : html.replaceAll(/(<h[2-6][^>]*><code>)/g, `$1${program} `);

/** Header cells without text become plain cells, which screen readers do not announce as headers. */
function emptyHeaders({ tokens }: MarkdownState): void {
  for (const [index, token] of tokens.entries()) {
    if (token.type === "th_open" && tokens[index + 1]?.content === "") token.tag = "td";
    if (token.type === "th_close" && tokens[index - 1]?.content === "") token.tag = "td";
  }
}

/** On pages with the class `labelled-table`, each cell knows its header, which a narrow page shows above it. */
function cellLabels({
  tokens,
  env,
}: MarkdownState & { readonly env: { frontmatter?: { pageClass?: string } } }): void {
  if (env.frontmatter?.pageClass?.includes("labelled-table") !== true) return;
  let headers: string[] = [];
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

/** The pages of operations by id. */
const operationPages: ReadonlyMap<string, string> = new Map(
  Object.values(sidebar)
    .flatMap((part) => (Array.isArray(part) ? part : part.items))
    .flatMap(({ items = [] }) => items)
    .flatMap(({ link = "" }) => {
      const [, id] = /^\/reference\/[\w-]+\/([\w.-]+)$/.exec(link) ?? [];
      return id === undefined ? [] : [[id, `${base}${link.slice(1)}.html`] as const];
    }),
);

/** Operations that a text names by their ids become links to their pages. */
function linkOperations({ tokens }: MarkdownState): void {
  for (const [index, { type, children }] of tokens.entries()) {
    if (type !== "inline" || tokens[index - 1]?.type === "heading_open") continue;
    let isInLink = false;
    for (const token of children ?? []) {
      if (token.type === "link_open") isInLink = true;
      if (token.type === "link_close") isInLink = false;
      const page = operationPages.get(token.content);
      if (token.type === "code_inline" && !isInLink && page !== undefined) {
        token.attrSet(pageAttribute, page);
      }
    }
  }
}

/** Says where inline code leads; no page has it. */
const pageAttribute = "data-page";

/** Inline code, with the places where it may be broken, as a link if it names an operation. */
function linkedCode(element: string): string {
  const page = / data-page="([^"]*)"/.exec(element);
  const code = breakableCode(element.replace(page?.[0] ?? "", ""));
  return page === null ? code : `<a href="${page[1]}">${code}</a>`;
}

/** Links that are written in full, because VitePress does not complete them, get the base of the site. */
function completeLinks({ tokens }: MarkdownState): void {
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

const changes = lastChanges();
const fileAt = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const title = "Security Platform API";

/** The licences of the packages that the pages load. */
const notices: Plugin = {
  ...(thirdPartyNotices(
    fileURLToPath(new URL("dist/THIRD-PARTY-NOTICES.txt", import.meta.url)),
  ) as Plugin),
  apply: (_config, { isSsrBuild }) => isSsrBuild !== true,
};

/** Guides end with the operations that they are about. */
const operationsOfGuides = JSON.parse(
  readFileSync(new URL("../generated/operations-of-guides.json", import.meta.url), "utf8"),
) as Readonly<Record<string, string>>;

const guideOperations: Plugin = {
  name: "guide-operations",
  enforce: "pre",
  transform(source, id) {
    const name = /\/docs\/guides\/([\w-]+)\.md$/.exec(id)?.[1] ?? "";
    const section = operationsOfGuides[name];
    return section === undefined ? null : `${source.trimEnd()}\n\n${section}`;
  },
};

/** Styles of parts of the theme that no page has. The first paint waits for all styles. */
const unusedStyles: Plugin = {
  name: "unused-styles",
  enforce: "pre",
  load: (id) =>
    /\/@docsearch\/css\/|\/theme-default\/(?:components\/VP(?:Team|Hero|Feature|HomeSponsor|Sponsor|Button|CarbonAds)\w*\.vue\?.*type=style|styles\/components\/vp-sponsor\.css)/.test(
      id,
    )
      ? ""
      : null,
};

/** The page for unknown paths also says so without its scripts. */
const withoutScripts = (html: string): string =>
  html.replace(
    "<body>",
    `<body>
    <noscript><main class="not-found vp-doc"><h1>This page does not exist</h1>
    <p>The URL may be misspelt, or the page may have moved. Try one of these:</p>
    <ul>${[
      ["Home page", ""],
      ["Quick start", "guides/quick-start.html"],
      ["All commands", "guides/commands.html"],
      ["Errors", "guides/errors.html"],
      ["Reference of all operations", "reference/"],
      ["Schemas", "reference/schemas/"],
    ]
      .map(([text, path]) => `<li><a href="${base}${path}">${text}</a></li>`)
      .join("")}</ul></main></noscript>`,
  );

const changedTheme = changedFiles("changed-theme", {
  "theme-default/components/VPLocalSearchBox.vue": [
    // The search waits for 200 ms after each key, although it takes 10 ms itself.
    ["debounce: 200", "debounce: 40"],
    // It marks the letters of a word also inside other words.
    [".map((term) => `(${escapeRegExp(term)})`)", ".map((term) => escapeRegExp(term))"],
    [
      ".join('|'),\n    'gi'",
      String.raw`.join('|').replace(/^[^]*$/, "(?<![\\p{L}\\p{N}])($&)(?![\\p{L}\\p{N}])"), 'giu'`,
    ],
    // It shows nothing while it loads its index.
    [
      `<li
            v-if="filterText && !results.length && enableNoResults"`,
      `<li v-if="filterText && !searchIndex" class="no-results" role="status">Loading the index of the pages …</li>
          <li
            v-if="filterText && !results.length && enableNoResults"`,
    ],
  ],
  // The outline of a page that was left would mark a link 100 ms later.
  "theme-default/composables/outline.js": [
    [
      "function activateLink(hash) {",
      "function activateLink(hash) {\n        if (!marker.value) return;",
    ],
  ],
});

/** The server serves the built site at /docs, without resources from other hosts. */
export default defineConfig({
  title,
  description: "How to run it, how to call it, and all its operations.",
  lang: "en",
  base,
  ...(siteUrl !== undefined && { sitemap: { hostname: siteUrl } }),
  metaChunk: true,
  srcExclude: ["README.md", "architecture/**", "tests/**", "scripts/**", "generated/public/**"],
  rewrites: {
    "generated/reference/:path*": "reference/:path*",
    "generated/guides/:path*": "guides/:path*",
  },
  head: [
    ["link", { rel: "icon", type: "image/svg+xml", href: `${base}logo.svg` }],
    ["link", { rel: "apple-touch-icon", href: `${base}touch-icon.png` }],
  ],
  transformPageData({ description, filePath, relativePath, frontmatter }) {
    const { source = `docs/${filePath}` } = frontmatter as FrontMatter;
    const lastUpdated = changes.get(source);
    return {
      ...(existsSync(fileAt(`generated/public/${relativePath}`)) && {
        frontmatter: { ...frontmatter, hasMarkdown: true },
      }),
      ...(description === "" && {
        description: firstParagraph(readFileSync(fileAt(filePath), "utf8")),
      }),
      ...(lastUpdated !== undefined && { lastUpdated }),
    };
  },
  transformHead: ({ pageData }) =>
    pageHead(pageData, {
      title,
      ...(siteUrl !== undefined && { url: siteUrl }),
    }),
  transformHtml(html, _file, { page }) {
    // The theme links a file with the icons of its options, which is empty here.
    const ownHtml = html
      .replace(/<link [^>]*href="[^"]*\/vp-icons\.css"[^>]*>/, "")
      // Browsers may refuse storage, with an error.
      .replace(
        /localStorage\.getItem\("vitepress-theme-appearance"\)/,
        (read) => `(()=>{try{return ${read}}catch{}})()`,
      );
    // The page for unknown paths is painted by its scripts.
    return page === "404.md" ? withoutScripts(ownHtml) : scriptsAfterPaint(ownHtml);
  },
  buildEnd({ outDir }) {
    for (const file of globSync("**/*.{md,txt}", { cwd: outDir })) {
      const path = join(outDir, file);
      const text = readFileSync(path, "utf8");
      const changed = textForSite(text);
      if (changed !== text) writeFileSync(path, changed);
    }
    if (siteUrl === undefined) return;
    const robots = `User-agent: *\nAllow: /\nSitemap: ${siteUrl}sitemap.xml\n`;
    writeFileSync(join(outDir, "robots.txt"), robots);
  },
  vite: {
    publicDir: "generated/public",
    plugins: [notices, guideOperations, unusedStyles, changedTheme, pagesOnce, platformFiles(base)],
  },
  markdown: {
    languages: [fql],
    theme: codeThemes,
    codeTransformers: [colorsAsClasses],
    shikiSetup: withoutTimeLimit,
    config: (markdown) => {
      highlightOnce(markdown);
      const { code_inline: code } = markdown.renderer.rules;
      if (code !== undefined) {
        markdown.renderer.rules.code_inline = (...token) => linkedCode(code(...token));
      }
      const rules = [
        emptyHeaders,
        cellLabels,
        linkOperations,
        ...(base === writtenBase ? [] : [completeLinks]),
      ];
      for (const rule of rules) markdown.core.ruler.push(rule.name, rule);
    },
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
            boost: { title: 4, text: 2, titles: 0.2 },
          },
        },
        _render: renderForSearch,
      },
    },
    outline: [2, 3],
    nav: [
      { text: "Guides", link: "/guides/quick-start", activeMatch: "^/guides/" },
      { text: "Reference", link: "/reference/", activeMatch: "^/reference/" },
    ],
    lastUpdated: { text: "Last changed", formatOptions: { dateStyle: "long" } },
    sidebar,
    docFooter: { prev: "Previous page", next: "Next page" },
  },
});
