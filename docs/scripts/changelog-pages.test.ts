import { document } from "@security-platform/spec";
import { describe, expect, test } from "vitest";
import {
  changesetOf,
  documentChangelog,
  documentChangelogPage,
  packageChangelogPage,
  readChangesets,
  readPackages,
} from "./changelog-pages.ts";

describe("the changes of the document", () => {
  test("have an entry for its version: run scripts/document-changelog.ts", () => {
    const [, newest] = /^## (\S+)/m.exec(documentChangelog()) ?? [];
    expect(newest).toBe(document().info.version);
  });

  test("lead to the pages of operations that exist", () => {
    const operation = {
      id: "indicator.get.v1",
      method: "get",
      path: "/iocs/entities/indicators/v1",
    } as const;
    const page = documentChangelogPage(
      "# Changes\n\n- `GET /iocs/entities/indicators/v1`: a\n- `GET /gone`: b\n",
      [operation],
    );
    expect(page).toContain(
      "[`GET /iocs/entities/indicators/v1`](/reference/ioc/indicator.get.v1): a",
    );
    expect(page).toContain("- `GET /gone`: b");
  });
});

describe("the changes of the packages", () => {
  test("name the packages of a changeset", () => {
    expect(changesetOf('---\n"@a/b": minor\nsecplat: patch\n---\n\nA text.\n')).toEqual({
      packages: ["@a/b", "secplat"],
      text: "A text.",
    });
    expect(() => changesetOf("A text.")).toThrow("no front matter");
  });

  test("have a section for each package, below what the next release brings", () => {
    const page = packageChangelogPage(readPackages(), readChangesets());
    const sections = [...page.matchAll(/^## `?([^`\n]+)/gm)].map(([, name]) => name);
    expect(sections).toEqual([
      ...(readChangesets().length === 0 ? [] : ["Next release"]),
      ...readPackages().map(({ name }) => name),
    ]);
    expect(page).toMatch(/^### 0\.1\.0$/m);
  });
});
