import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { defaultLimits } from "@security-platform/server/internal";
import { operations } from "@security-platform/spec";
import { createProgram } from "../../packages/cli/src/program.ts";
import { noSignals } from "../../packages/cli/src/terminal/keep-signals.ts";
import { describe, expect, test } from "vitest";
import { operationLink } from "../scripts/reference/places.ts";
import { docsFolder, siteFolder } from "./support/places.ts";
import { anchorsIn, linksIn, sitePages } from "./support/site.ts";
import { codeIn, tableRows } from "./support/tables.ts";

const origin = "http://site.test";
const pages = sitePages();
const byAddress = new Map(pages.map((page) => [page.address, page]));

/** The reason why a link of a page is broken, or null. */
function brokenLink(link: string, from: string): string | null {
  const target = new URL(link, `${origin}${from}`);
  if (target.origin !== origin) return null;
  const path = decodeURIComponent(target.pathname).replace(/\/$/, "/index.html");
  if (!path.startsWith("/docs/")) return "points to another site";
  const file = join(siteFolder, path.slice("/docs/".length));
  if (!existsSync(file) || !statSync(file).isFile()) return "the file does not exist";
  const anchor = decodeURIComponent(target.hash.slice(1));
  if (anchor === "") return null;
  const page = byAddress.get(path);
  return page === undefined || anchorsIn(page.html).has(anchor)
    ? null
    : "the heading does not exist";
}

/** HTML tags in Markdown, without those in code. */
function tagsIn(markdown: string): readonly string[] {
  const text = markdown
    .replaceAll(/^(`{3,})[^\n]*\n[^]*?^\1$/gm, "")
    .replaceAll(/(`+)(?!`)[^]*?[^`]\1(?!`)/g, "");
  return text.match(/(?<!\\)<\/?[a-z][\w-]*(?:\s[^<>]*)?\/?>/gi) ?? [];
}

describe("the built site", () => {
  test("has no broken link", () => {
    const broken = pages.flatMap(({ address, html }) =>
      linksIn(html).flatMap((link) => {
        const reason = brokenLink(link, address);
        return reason === null ? [] : [`${address}: ${link}: ${reason}`];
      }),
    );
    expect(broken).toEqual([]);
  });

  test("finds broken links", () => {
    const from = "/docs/guides/filters.html";
    expect(brokenLink("/docs/guides/nothing.html", from)).toBe("the file does not exist");
    expect(brokenLink("./paging.html#nothing", from)).toBe("the heading does not exist");
    expect(brokenLink("/guides/paging.html", from)).toBe("points to another site");
    expect(brokenLink("#sort", from)).toBeNull();
    expect(brokenLink("https://example.com/", from)).toBeNull();
  });

  test("has a text for every picture", () => {
    const silent = pages.flatMap(({ address, html }) =>
      [...html.matchAll(/<img\b[^>]*>/g)]
        .filter(([tag]) => !/\salt="/.test(tag))
        .map(([tag]) => `${address}: ${tag}`),
    );
    expect(silent).toEqual([]);
  });

  test("has each page as Markdown, except the home page", () => {
    const without = pages
      .map(({ address }) => address.replace(/^\/docs\/|\.html$/g, ""))
      .filter((page) => !existsSync(join(siteFolder, `${page}.md`)));
    expect(without.toSorted()).toEqual(["404", "index"]);
  });

  test("lists each page as Markdown, and has all of them in one file", () => {
    const files = globSync("{guides,reference}/**/*.md", { cwd: siteFolder });
    expect(files.length).toBeGreaterThan(500);
    const list = readFileSync(join(siteFolder, "llms.txt"), "utf8");
    const all = readFileSync(join(siteFolder, "llms-full.txt"), "utf8");
    for (const file of files) {
      expect(list).toContain(`(/docs/${file})`);
      // A text of this length as an expected value would be printed.
      const isContained = all.includes(readFileSync(join(siteFolder, file), "utf8"));
      expect([file, isContained]).toEqual([file, true]);
    }
  });

  test("has no HTML in its Markdown, except in code", () => {
    const withTags = globSync("**/*.md", { cwd: siteFolder }).flatMap((file) =>
      tagsIn(readFileSync(join(siteFolder, file), "utf8")).map((tag) => `${file}: ${tag}`),
    );
    expect(withTags).toEqual([]);
    expect(tagsIn("a `<b>` c\n\n```ts\nArray<string>\n```\n\n<https://a.test>\n")).toEqual([]);
    expect(tagsIn('a<br>b <div class="c">d</div>')).toEqual(["<br>", '<div class="c">', "</div>"]);
  });

  test("loads nothing from another host", () => {
    const foreign = pages.flatMap(({ address, html }) =>
      [...html.matchAll(/<(?:script|link|img|iframe|source|video|audio)\b[^>]*>/g)]
        .filter(([tag]) => linksIn(tag).some((link) => /^(?:[a-z]+:)?\/\//.test(link)))
        .map(([tag]) => `${address}: ${tag}`),
    );
    expect(foreign).toEqual([]);
  });

  test.each(operations().map((operation) => ({ id: operation.id, operation })))(
    "has a page for $id, and lists it in the sidebar of its collection",
    ({ operation }) => {
      const address = `/docs${operationLink(operation.id)}.html`;
      const page = byAddress.get(address);
      expect(page?.html).toContain(operation.id);
      for (const { name } of operation.parameters) expect(page?.html).toContain(`>${name}</code>`);
      const collection = byAddress.get(`/docs/reference/${operation.collection}/index.html`);
      expect(linksIn(collection?.html ?? "")).toContain(address);
    },
  );
});

/** Addresses of the pages to which a page links, without anchors. */
const linkedFrom = (address: string): ReadonlySet<string> =>
  new Set(
    linksIn(byAddress.get(address)?.html ?? "").map(
      (link) => new URL(link, `${origin}${address}`).pathname,
    ),
  );

describe("guides and operations", () => {
  const guidePages = pages
    .map(({ address }) => address)
    .filter((each) => each.includes("/guides/"));
  const guidesOf = (address: string): readonly string[] => {
    const html = byAddress.get(address)?.html ?? "";
    const [own = ""] = /<dt>Guides?<\/dt>.*?<\/dd>|<p>Guides: .*?<\/p>/s.exec(html) ?? [];
    return linksIn(own);
  };

  test.each(operations().map(({ id }) => id))("%s and its guides link to each other", (id) => {
    const address = `/docs${operationLink(id)}.html`;
    const guides = guidesOf(address);
    expect(guides.length).toBeGreaterThan(0);
    expect(guidePages).toEqual(expect.arrayContaining([...guides]));
    for (const guide of guides) expect(linkedFrom(guide)).toContain(address);
  });

  test.each([...new Set(operations().map(({ collection }) => collection))])(
    "the collection %s and its guides link to each other",
    (collection) => {
      const address = `/docs/reference/${collection}/index.html`;
      const guides = guidesOf(address);
      expect(guides.length).toBeGreaterThan(0);
      for (const guide of guides)
        expect(linkedFrom(guide)).toContain(`/docs/reference/${collection}/`);
    },
  );

  test("names of operations and headers in descriptions are links", () => {
    const ids = new Set<string>(operations().map(({ id }) => id));
    const plain = pages
      .filter(({ address }) => address.startsWith("/docs/reference/"))
      .flatMap(({ address, html }) =>
        [...html.matchAll(/<(?:p|dd)>(.*?)<\/(?:p|dd)>/gs)].flatMap(([, text = ""]) =>
          [...text.replaceAll(/<a [^>]*>.*?<\/a>/gs, "").matchAll(/<code[^>]*>(.*?)<\/code>/g)]
            .map(([, name = ""]) => name.replaceAll("<wbr>", ""))
            .filter((name) => ids.has(name) && !address.includes(`/${name}.html`))
            .map((name) => `${address}: ${name}`),
        ),
      );
    expect(plain).toEqual([]);
  });
});

describe("the guide to errors", () => {
  test("has an anchor for every status of an operation, and pages link to it", () => {
    const anchors = anchorsIn(byAddress.get("/docs/guides/errors.html")?.html ?? "");
    for (const { id, responses } of operations()) {
      const links = linksIn(byAddress.get(`/docs${operationLink(id)}.html`)?.html ?? "");
      for (const { status, headers } of responses.filter((each) => each.status >= 400)) {
        expect(anchors).toContain(String(status));
        expect(links).toContain(`/docs/guides/errors.html#${status}`);
        if (status === 409 && "Retry-After" in headers)
          expect(anchors).toContain("409-retry-after");
      }
    }
  });

  test("shows the limits of the running server", () => {
    const text = readFileSync(join(docsFolder, "guides/errors.md"), "utf8");
    const row = /^\| \[413\].*$/m.exec(text)?.[0] ?? "";
    const { bodyBytes, uploadBytes, bodyValues } = defaultLimits;
    expect(row).toContain(`${bodyBytes / 2 ** 20} MiB`);
    expect(row).toContain(`${uploadBytes / 2 ** 20} MiB`);
    expect(row).toContain(bodyValues.toLocaleString("en"));
  });
});

describe("the guide to running it", () => {
  const rows = tableRows(readFileSync(join(docsFolder, "guides/running.md"), "utf8"));
  const limits = rows.filter((row) => row["Effect"] !== undefined);

  test("shows the limits of the command line", async () => {
    const output = { write: () => undefined };
    const program = await createProgram({
      stdin: process.stdin,
      stdout: output,
      stderr: output,
      environment: {},
      workingFolder: ".",
      stopRequested: () => Promise.resolve(),
      interruption: () => new AbortController().signal,
      signals: noSignals,
      endSoon: () => undefined,
      onHangUp: () => undefined,
    });
    const serve = program.commands.find((command) => command.name() === "serve");
    const options = (serve?.options ?? []).filter(
      ({ helpGroupHeading }) => helpGroupHeading === "Limits:",
    );
    const real = options.map(({ long, defaultValue }) => [long, String(defaultValue)]);
    const documented = limits.map((row) => [codeIn(row["Option"] ?? "")[0], row["Default"]]);
    expect(documented.toSorted()).toEqual(real.toSorted());
  });
});
