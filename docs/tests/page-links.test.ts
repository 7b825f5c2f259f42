/** @module-tag nightly */
import { expect, test } from "vitest";
import { openPage } from "./support/browser.ts";
import { shareBrowser, shareStaticHost } from "./support/fixtures.ts";
import { sitePages } from "./support/site.ts";

const site = shareStaticHost();
const { openWatched } = shareBrowser();

const addresses = sitePages()
  .map(({ address }) => address.replace(/index\.html$/, ""))
  .filter((address) => address !== "/docs/404.html");

for (const [share, tags] of [
  ["every tenth", []],
  ["each", ["nightly"]],
] as const) {
  test(
    `${share} page that is reached by a link has the same content as one that is opened`,
    { tags: [...tags] },
    async () => {
      const { page, errors } = await openWatched();
      await openPage(page, `${site().url}/docs/`);
      expect(addresses.length).toBeGreaterThan(600);
      const followed =
        share === "each" ? addresses : addresses.filter((_, index) => index % 10 === 0);
      const different = await page.evaluate(
        `(${followLinks.toString()})(${JSON.stringify(followed)})`,
      );
      expect(different).toEqual([]);
      expect(errors).toEqual([]);
    },
  );
}

test("a script of an earlier deployment is replaced by that of the page", async () => {
  const { page } = await openWatched();
  await openPage(page, `${site().url}/docs/guides/paging.html`);
  const hash = (await page.evaluate(`__VP_HASH_MAP__["guides_filters.md"]`)) as string;
  await page.evaluate(`__VP_HASH_MAP__["guides_filters.md"] = "earlier0"`);
  await page.route("**/assets/guides_filters.md.earlier0.lean.js", async (route) => {
    const response = await fetch(route.request().url().replace("earlier0", hash));
    const body = (await response.text()).replaceAll('"title":"Filters', '"title":"Earlier');
    await route.fulfill({ body, contentType: "text/javascript" });
  });
  await page.locator(".VPSidebar").getByRole("link", { name: "Filters", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Filters" }).waitFor();
  expect(await page.title()).toMatch(/^Filters/);
});

test("a page with an outline is left without errors", async () => {
  const { page, errors } = await openWatched();
  await page.clock.install();
  await openPage(page, `${site().url}/docs/reference/ioc/`);
  for (let times = 0; times < 5; times += 1) {
    await page.getByRole("link", { name: "Guides", exact: true }).first().click();
    await page.locator(".VPDocAsideOutline.has-outline").waitFor();
    // The outline follows the second of two events with a delay.
    await page.evaluate("for (const _ of [1, 2]) dispatchEvent(new Event('scroll'))");
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "IOC" }).waitFor();
    await page.clock.runFor(200);
  }
  expect(errors).toEqual([]);
});

/** Runs in the page. Returns the pages whose content differs. */
async function followLinks(paths: readonly string[]): Promise<readonly string[]> {
  /** Without the comments that Vue writes, and without the components, which change when they are mounted. */
  const contentOf = (root: ParentNode): string => {
    const content = root.querySelector(".vp-doc > div")?.cloneNode(true) as Element;
    for (const component of content.querySelectorAll(".console")) component.replaceChildren();
    return content.outerHTML.replaceAll(/<!--.*?-->/g, "");
  };
  const different: string[] = [];
  for (const path of paths) {
    const html = await (await fetch(path)).text();
    const built = new DOMParser().parseFromString(html, "text/html");
    const link = Object.assign(document.createElement("a"), { href: path });
    document.querySelector("#app")?.append(link);
    link.click();
    link.remove();
    for (let tries = 0; tries < 600 && document.title !== built.title; tries += 1) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    const [expected, found] = [contentOf(built), contentOf(document)];
    if (expected === found) continue;
    let at = 0;
    while (expected[at] === found[at]) at += 1;
    const around = (text: string): string => text.slice(Math.max(0, at - 80), at + 120);
    different.push(`${path}: ${around(found)}; expected ${around(expected)}`);
  }
  return different;
}
