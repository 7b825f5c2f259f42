import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { operationLink } from "../scripts/reference/places.ts";
import { openPage } from "./support/browser.ts";
import { shareBrowser, shareStaticHost } from "./support/fixtures.ts";

/** Widths of windows in pixels: phones, tablets, laptops and large screens. */
const widths = [
  360, 390, 768, 959, 960, 1024, 1279, 1280, 1366, 1439, 1440, 1470, 1512, 1536, 1599, 1600, 1920,
  2560,
];

/** Pages of each kind, the longest names among them: those that need the most room, and the others. */
const widePages = ["/", operationLink("queries.notification-groups.get.v2")];
const otherPages = [
  "/guides/commands",
  "/reference/scopes",
  "/guides/quick-start",
  "/guides/filters",
  "/guides/errors",
  "/reference/",
  "/reference/container/",
  operationLink("indicator.create.v1"),
  "/reference/schemas/Indicator",
  "/reference/changelog",
];

const site = shareStaticHost();
const { browser, openWatched } = shareBrowser();

for (const [pages, colorScheme, tags] of [
  [widePages, "light", []],
  [otherPages, "light", ["nightly"]],
  [[...widePages, ...otherPages], "dark", ["nightly"]],
] as const) {
  const options = { tags: [...tags] };
  test.each(pages)(`%s has room at every width, ${colorScheme}`, options, async (path) => {
    const { page } = await openWatched();
    await page.emulateMedia({ colorScheme });
    await openPage(page, `${site().url}/docs${path}${path.endsWith("/") ? "" : ".html"}`);
    expect(await page.title()).not.toContain("404");
    const found: string[] = [];
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      const faults = (await page.evaluate(layoutFaults)) as readonly string[];
      found.push(...faults.map((fault) => `${width} px: ${fault}`));
    }
    expect(found).toEqual([]);
  });
}

/** Windows of a phone, a tablet, laptops and a large screen. */
const windows = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1280, height: 720 },
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
];

test.each(windows)(
  "the home page can send a call before it is scrolled, at $width × $height",
  async ({ width, height }) => {
    const { page } = await openWatched();
    await page.setViewportSize({ width, height });
    await openPage(page, `${site().url}/docs/`);
    const boxOf = async (selector: string) => {
      const box = await page.locator(`.home-hero ${selector}`).boundingBox();
      if (box === null) throw new Error(`the hero has no ${selector}`);
      return box;
    };
    const send = await boxOf(".live-call-send");
    expect(send.y + send.height).toBeLessThan(height);
    const call = await boxOf(".live-call");
    const playground = await boxOf(".home-live > div:last-child");
    const isBeside = playground.x >= call.x + call.width;
    expect(isBeside).toBe(width >= 768);
  },
);

/** The pages of long operations: bodies, filters, tables, several examples. */
const operationPages = [
  "indicator.create.v1",
  "indicator.search.v1",
  "entities.cases.put.v2",
  "createPreventionPolicies",
  "GetReportByScanID",
  "queries.notification-groups.get.v2",
].map((id) => `/docs${operationLink(id)}.html`);

describe.each(operationPages.slice(0, 1))("%s", testOperationPage);
describe.each(operationPages.slice(1))("%s", { tags: ["nightly"] }, testOperationPage);

function testOperationPage(path: string): void {
  const open = async (width: number, height = 900): Promise<Page> => {
    const { page } = await openWatched();
    await page.setViewportSize({ width, height });
    await openPage(page, site().url + path);
    return page;
  };
  const topOf = async (page: Page, selector: string): Promise<number> =>
    (await page.locator(selector).first().boundingBox())?.y ?? Number.NaN;

  test("a phone shows the samples before the members", async () => {
    const page = await open(390);
    const tops = await Promise.all([
      topOf(page, ".operation-intro > p"),
      topOf(page, "#request"),
      topOf(page, "#response-sample"),
      topOf(page, ".operation-text .member"),
    ]);
    expect(tops).toEqual(tops.toSorted((left, right) => left - right));
    // Within three screens of a phone.
    expect(tops[2]).toBeLessThan(2_700);
  });

  test.each([
    [1_280, 720],
    [1_440, 900],
    [1_920, 1_080],
  ])(
    "%d × %d shows the response beside the text, without boxes in boxes",
    async (width, height) => {
      const page = await open(width, height);
      await page.evaluate("scrollTo(0, 1200)");
      const sample = page.locator("#response-sample + * pre").first();
      const box = await sample.boundingBox();
      expect(box?.height).toBeGreaterThan(80);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
      expect(await page.evaluate(scrollersInScrollers)).toEqual([]);
      await page.locator(".page-parts").getByText("On this page").waitFor();
    },
  );

  test("every member has an anchor of its own, and its link shows a folded one", async () => {
    const page = await open(1_440);
    const members = await page.locator(".member").evaluateAll((all) =>
      all.map((member) => ({
        id: member.id,
        link: decodeURIComponent(
          member.querySelector(":scope > .member-head > .anchor-link")?.getAttribute("href") ?? "",
        ),
      })),
    );
    expect(members.filter(({ id, link }) => id === "" || link !== `#${id}`)).toEqual([]);
    const ids = await page.locator("[id]").evaluateAll((all) => all.map(({ id }) => id));
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    const deepest = members.map(({ id }) => id).toSorted((a, b) => depthOf(b) - depthOf(a))[0];
    await openPage(page, `${site().url}${path}#${encodeURIComponent(deepest ?? "")}`);
    await page.locator(`[id="${deepest}"]`).waitFor();
  });

  test("a print cuts nothing", async () => {
    const page = await open(800);
    await page.emulateMedia({ media: "print" });
    expect(await page.evaluate(cutInPrint)).toEqual([]);
  });
}

const depthOf = (anchor: string): number => anchor.split(".").length;

test.each(["/guides/errors", "/guides/running"])("%s prints whole tables", async (path) => {
  const { page } = await openWatched();
  await openPage(page, `${site().url}/docs${path}.html`);
  await page.setViewportSize({ width: 800, height: 900 });
  await page.emulateMedia({ media: "print" });
  expect(await page.evaluate(cutInPrint)).toEqual([]);
});

/** Pages that list everything of a kind, and their maximum height in pixels. */
test.each([
  ["/reference/errata", 4_000],
  ["/reference/limits", 4_000],
  ["/guides/commands", 9_000],
  ["/guides/import-kinds", 9_000],
  ["/guides/identity-graphql", 5_000],
  ["/guides/control-plane", 12_000],
])("%s is short until a reader unfolds it", async (path, height) => {
  const { page } = await openWatched();
  await page.setViewportSize({ width: 1_440, height: 900 });
  await openPage(page, `${site().url}/docs${path}.html`);
  expect(await page.evaluate("document.documentElement.scrollHeight")).toBeLessThan(height);
});

test("an address of a folded part unfolds it", async () => {
  const { page } = await openWatched();
  await openPage(page, `${site().url}/docs/guides/commands.html#clients-create`);
  await page.getByText("Usage: secplat clients create").first().waitFor();
  await page.goto(`${site().url}/docs/guides/commands.html#%`);
});

test("a table that is cut shows that it goes on", async () => {
  const { page } = await openWatched();
  await openPage(page, `${site().url}/docs/guides/from-other-clients.html`);
  await page.setViewportSize({ width: 390, height: 844 });
  const cut = page.locator("main table").first();
  expect(
    await cut.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
  ).toBeGreaterThan(0);
  const pixelAt = async (place: "left" | "right"): Promise<string> => {
    const { x = 0, width = 0 } = (await cut.boundingBox()) ?? {};
    const { y = 0 } = (await cut.locator("tr").nth(4).boundingBox()) ?? {};
    const clip = { x: place === "left" ? x : x + width - 2, y: y + 3, width: 2, height: 2 };
    return (await page.screenshot({ clip })).toString("base64");
  };
  const [left, right] = [await pixelAt("left"), await pixelAt("right")];
  expect(right).not.toBe(left);
  await cut.evaluate((table) => table.scrollTo(table.scrollWidth, 0));
  // The shadow follows with the next frame.
  await expect.poll(() => pixelAt("right")).toBe(left);
  await expect.poll(() => pixelAt("left")).not.toBe(left);
});

test("on a touch screen, buttons and links that a mouse finds are visible", async () => {
  const context = await browser().newContext({
    hasTouch: true,
    isMobile: true,
    viewport: { width: 390, height: 844 },
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await openPage(page, `${site().url}${operationPages[0]}`);
  for (const part of ["button.copy", ".member-head > .anchor-link"]) {
    const opacities = await page
      .locator(`.operation-columns ${part}`)
      .evaluateAll((all) => all.map((element) => getComputedStyle(element).opacity));
    expect(new Set(opacities)).toEqual(new Set(["1"]));
  }
});

/** Runs in the page. Returns the boxes that scroll up and down within another one. */
const scrollersInScrollers = `(() => {
  const scrolls = (element) => element.scrollHeight > element.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(element).overflowY);
  return [...document.querySelectorAll("main *")].filter(scrolls).filter((element) => {
    for (let outer = element.parentElement; outer !== null && outer !== document.body; outer = outer.parentElement) {
      if (scrolls(outer)) return true;
    }
    return false;
  }).map((element) => element.className || element.tagName);
})()`;

/** Runs in the page. Returns what is wider or higher than its box, and the folded parts whose content is not laid out. */
const cutInPrint = `(() => {
  const named = (element) => element.tagName + " " + element.textContent.trim().slice(0, 40);
  const cut = [...document.querySelectorAll("main :is(pre, table, div)")].filter((element) => {
    const { overflowX, overflowY } = getComputedStyle(element);
    return (overflowX !== "visible" && element.scrollWidth > element.clientWidth + 1) ||
      (overflowY !== "visible" && element.scrollHeight > element.clientHeight + 1);
  });
  const wide = [...document.querySelectorAll("main :is(pre, table, p, td)")].filter((element) =>
    element.getBoundingClientRect().right > document.documentElement.clientWidth + 1);
  const folded = [...document.querySelectorAll("main details > :not(summary)")].filter((element) =>
    element.getBoundingClientRect().height === 0 && element.textContent.trim() !== "");
  return [...cut, ...wide, ...folded].map(named);
})()`;

/**
 * Runs in the page. Returns what is wider than the window, cut, without width, or lies over something else. Boxes that
 * scroll, and texts for screen readers, are left out.
 */
const layoutFaults = `(async () => {
  await document.fonts.ready;
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  for (const animation of document.getAnimations()) animation.finish();
  const faults = [];
  const boxOf = (element) => element.getBoundingClientRect();
  const named = (element) => (element.innerText || element.getAttribute("aria-label") || element.tagName).trim().slice(0, 40);
  const shown = (selector) => [...document.querySelectorAll(selector)].filter((element) => {
    const { width, height } = boxOf(element);
    return element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && width + height > 2;
  });
  const { clientWidth, scrollWidth } = document.documentElement;
  if (scrollWidth > clientWidth) faults.push("the page is " + scrollWidth + " px wide");
  const bar = shown(".VPNavBarTitle a, .VPNavBarSearch, .VPNavBarMenu > *, .VPNavBarAppearance, .VPNavBarSocialLinks, .VPNavBarExtra, .VPNavBarHamburger");
  for (const [at, element] of bar.entries()) {
    const box = boxOf(element);
    if (box.width < 8) faults.push("no width: " + named(element));
    if (box.left < 0 || box.right > clientWidth) faults.push("outside the window: " + named(element));
    if (element.scrollWidth > element.clientWidth + 1) faults.push("cut: " + named(element));
    for (const other of bar.slice(at + 1)) {
      if (element.contains(other)) continue;
      const right = boxOf(other);
      if (box.left < right.right - 1 && right.left < box.right - 1) {
        faults.push(named(element) + " lies over " + named(other));
      }
    }
  }
  for (const element of shown(".VPSidebar a .text, .VPSidebar .VPSidebarItem > .item p")) {
    const sidebar = boxOf(element.closest(".VPSidebar"));
    if (sidebar.right <= 0) continue;
    if (element.scrollWidth > element.clientWidth + 1 || boxOf(element).right > sidebar.right) {
      faults.push("cut in the sidebar: " + named(element));
    }
  }
  const [content] = shown(".VPDoc .content-container, .VPDoc main");
  for (const beside of shown(".VPSidebar, .VPDoc .aside-container")) {
    const box = boxOf(beside);
    if (content === undefined || getComputedStyle(beside).position === "static" || box.right <= 0) continue;
    const doc = boxOf(content);
    if (box.left < doc.right - 1 && doc.left < box.right - 1) faults.push("the page lies under " + beside.className);
  }
  for (const element of shown("main h1, main h2, main h3, main p, main li, main summary, main th")) {
    if (element.closest("table, pre, .VPLocalSearchBox, [style*=overflow]")) continue;
    if (boxOf(element).right > clientWidth + 1) faults.push("outside the window: " + named(element));
  }
  return faults;
})()`;
