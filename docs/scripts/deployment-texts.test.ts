import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { blocksOf } from "./samples/blocks.ts";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
const blocks = blocksOf(read("../guides/production.md"));
const shown = (title: string): string =>
  blocks.find((block) => block.title === title)?.text ?? `there is no block ${title}`;
const deploy = (name: string): string => read(`../../packages/cli/deploy/${name}`);

test("the guide to production shows the files of the repository", () => {
  expect(parse(shown("compose.yaml"))).toEqual(parse(deploy("compose.yaml")));
  expect(shown("secplat.service").trim()).toBe(deploy("secplat.service").trim());
});

test("its values are those of the chart", () => {
  const known = parse(deploy("chart/values.yaml")) as Record<string, unknown>;
  const values = parse(shown("values.yaml")) as Record<string, unknown>;
  for (const [name, value] of Object.entries(values)) {
    expect(Object.keys(known)).toContain(name);
    if (typeof value !== "object" || value === null || Array.isArray(value)) continue;
    expect(Object.keys(known[name] ?? {})).toEqual(expect.arrayContaining(Object.keys(value)));
  }
});

test("the names of secrets are those of the chart", () => {
  const { database, encryption, files } = parse(deploy("chart/values.yaml")) as Record<
    "database" | "encryption" | "files",
    { readonly secretName: string; readonly secretKey?: string }
  >;
  const script = shown("install.sh");
  for (const { secretName } of [database, encryption, files]) expect(script).toContain(secretName);
  expect(script).toContain(`--from-file ${encryption.secretKey}`);
  expect(script).toContain(`--from-literal ${database.secretKey}=`);
});
