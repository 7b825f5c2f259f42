/** The size of a program that uses the client, as a bundler for browsers makes it. */
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { operations } from "@security-platform/spec";
import { build } from "rolldown";
import { describe, expect, test } from "vitest";

const source = (name: string): string =>
  JSON.stringify(fileURLToPath(new URL(`../src/${name}.ts`, import.meta.url)));

const imports = (name: string, module: string): string =>
  `import { ${name} } from ${source(module)};`;

/** The modules that a program with this text loads at its start, minified. */
async function bundle(text: string): Promise<string> {
  const name = "\0program";
  const { output } = await build({
    input: "program",
    write: false,
    plugins: [
      {
        name: "program",
        resolveId: (id) => (id === "program" ? name : undefined),
        load: (id) => (id === name ? text : undefined),
      },
    ],
    platform: "browser",
    resolve: { conditionNames: ["@security-platform/source", "browser", "import"] },
    transform: { target: "es2023" },
    output: { minify: true },
    preserveEntrySignatures: "allow-extension",
    logLevel: "silent",
  });
  const chunks = new Map(
    output.flatMap((file) => (file.type === "chunk" ? [[file.fileName, file] as const] : [])),
  );
  const loaded = new Set([...chunks.values()].filter(({ isEntry }) => isEntry));
  // The iteration also visits chunks that are added meanwhile.
  for (const chunk of loaded) {
    for (const each of chunk.imports.flatMap((file) => chunks.get(file) ?? [])) loaded.add(each);
  }
  return [...loaded].map(({ code }) => code).join("");
}

/** Kilobytes of a program that exports this name of a module, and the connection to call it. */
async function size(name: string, module: string): Promise<number> {
  const code = await bundle(
    `${imports("connect", "core")} ${imports(name, module)}
     export const start = (options) => ${name}(connect(options));`,
  );
  return gzipSync(code, { level: 9 }).length / 1024;
}

const collections = [...new Set(operations().map(({ collection }) => collection))].toSorted();
const camelCase = (text: string): string =>
  text.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

describe("the size of a program, minified and compressed", () => {
  test.each([
    ["createIndicators", 7],
    ["getIndicators", 7],
    ["listIndicators", 7],
  ])("with %s is at most %s KB", async (name, maximum) => {
    expect(await size(name, "generated/ioc")).toBeLessThanOrEqual(maximum);
  });

  test("contains no other operation", async () => {
    const code = await bundle(
      `${imports("connect", "core")} ${imports("getIndicators", "generated/ioc")}
       export const start = (options) => getIndicators(connect(options));`,
    );
    expect(code).toContain("indicator.get.v1");
    expect(code.match(/\/v\d+\b/g)).toHaveLength(1);
  });

  test.each(collections)("is at most 2 KB more with all of %s", async (collection) => {
    const one = await size("listIndicators", "generated/ioc");
    const all = await size(camelCase(collection), `generated/${collection}`);
    expect(all).toBeLessThanOrEqual(one + 2);
  });

  test("is at most 16 KB with every operation", async () => {
    const code = await bundle(`export { createClient, filters } from ${source("index")};`);
    expect(gzipSync(code, { level: 9 }).length / 1024).toBeLessThanOrEqual(16);
  });
});
