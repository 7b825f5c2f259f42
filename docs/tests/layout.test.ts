import { expect, test } from "vitest";
import { operationLink } from "../scripts/reference/places.ts";
import { openPage } from "./support/browser.ts";
import { shareBrowser, shareStaticHost } from "./support/fixtures.ts";

/** Widths of windows in pixels: phones, tablets, laptops and large screens. */
const widths = [
  360, 390, 768, 959, 960, 1024, 1279, 1280, 1366, 1439, 1440, 1470, 1512, 1536, 1599, 1600, 1920,
  2560,
];

/** Pages of each kind, the longest names among them. */
const pages = [
  "/",
  "/guides/quick-start",
  "/guides/filters",
  "/guides/commands",
  "/guides/errors",
  "/reference/",
  "/reference/container/",
  operationLink("indicator.create.v1"),
  operationLink("queries.notification-groups.get.v2"),
  "/reference/schemas/Indicator",
  "/reference/changelog",
  "/reference/scopes",
];

const site = shareStaticHost();
const { openWatched } = shareBrowser();

for (const colorScheme of ["light", "dark"] as const) {
  test.each(pages)(`%s has room at every width, ${colorScheme}`, async (path) => {
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
