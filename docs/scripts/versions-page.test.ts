import { readFileSync } from "node:fs";
import { companionDocument, document } from "@security-platform/spec";
import { expect, test } from "vitest";
import { versionsPage } from "./versions-page.ts";

const packages = new URL("../../packages/", import.meta.url);
const manifest = (name: string) =>
  JSON.parse(readFileSync(new URL(`${name}/package.json`, packages), "utf8")) as {
    readonly version: string;
    readonly engines: { readonly node: string };
    readonly dependencies?: Readonly<Record<string, string>>;
  };

test("shows the versions of the documents and of each package, and the Node.js that it needs", () => {
  const page = versionsPage(document(), companionDocument());
  expect(page).toContain(`| The document, \`openapi.json\` | ${document().info.version} |`);
  expect(page).toContain(`\`companion.json\` | ${companionDocument().info.version} |`);
  const { version, engines } = manifest("cli");
  expect(page).toContain(`| \`secplat\` | ${version} |`);
  expect(page).toContain(`| \`secplat\` | \`${engines.node.replaceAll("|", String.raw`\|`)}\` |`);
});

test("is right that packages depend on each other by the exact version", () => {
  for (const name of ["client", "server", "contract-tests", "spec"]) {
    const { version, dependencies = {} } = manifest(name);
    const own = Object.entries(dependencies).filter(([each]) =>
      each.startsWith("@security-platform/"),
    );
    expect(own.length).toBeGreaterThan(0);
    expect(new Set(own.map(([, range]) => range))).toEqual(new Set([version]));
  }
});
