import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);
const page = readFileSync(new URL("docs/guides/security.md", root), "utf8");
const source = "https://github.com/security-platform-api/security-platform-api/blob/main/";

test("each test that the page on security names exists, with its title", () => {
  const links = [...page.matchAll(/\[([^\]]+)\]\((https:[^)]+\.ts)\)/g)];
  expect(links.length).toBeGreaterThan(50);
  const wrong = links.flatMap(([, title = "", url = ""]) => {
    const file = new URL(url.slice(source.length), root);
    const isRight =
      url.startsWith(source) && existsSync(file) && readFileSync(file, "utf8").includes(title);
    return isRight ? [] : [`${title}: ${url}`];
  });
  expect(wrong).toEqual([]);
});

test("the page on security has each risk of the OWASP API Security Top 10", () => {
  const numbers = [...page.matchAll(/^\| API(\d+) /gm)].map(([, number]) => Number(number));
  expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});
