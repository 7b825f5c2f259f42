/**
 * A setup file of Vitest with which tests run the server as the command ships it: what they import from the server's
 * sources comes from the bundle of `secplat`. A bundler may change what code does.
 */
import { readdirSync, readFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "rolldown/utils";
import { afterAll } from "vitest";
import { isBundleCurrent } from "./secplat.ts";

const sources = new URL("../packages/server/src/", import.meta.url).href;
const cli = new URL("../packages/cli/", import.meta.url).href;
const dist = new URL("dist/", cli).href;

/** Mark in the URL of a module whose exports come from the bundle. */
const shipped = "?shipped";
/** Mark in the URL of the source itself. */
const source = "?source";

interface Declared {
  /** The file of the bundle. */
  readonly chunk: string;
  /** The name there, which differs from the source's if two modules have the same name. */
  readonly name: string;
}

interface ShippedServer {
  /** The declarations by the URL of the source and the name there. */
  readonly declarations: ReadonlyMap<string, Declared>;
  /** The text of each file of the bundle, which exports all its declarations. */
  readonly texts: ReadonlyMap<string, string>;
}

/** The name under which the bundle exports a declaration to tests; its own exports have short names. */
const exportName = (name: string): string => JSON.stringify(`declared ${name}`);

/** One for all test files of a worker. */
const kept = globalThis as { shippedServer?: ShippedServer };

function readBundle(): ShippedServer {
  if (!isBundleCurrent()) {
    throw new Error("the bundle of secplat is outdated; run first: npx turbo run bundle");
  }
  const folder = fileURLToPath(dist);
  const declarations = new Map<string, Declared>();
  const texts = new Map<string, string>();
  for (const file of readdirSync(folder)) {
    // The command itself starts when it is loaded.
    if (!file.endsWith(".js") || file === "bin.js" || file.endsWith("-thread.js")) continue;
    const chunk = new URL(file, dist).href;
    const text = readFileSync(join(folder, file), "utf8");
    const names = [...declaredIn(text, join(folder, file))];
    for (const { from, name } of names) {
      declarations.set(`${from} ${name.replace(/\$\d+$/, "")}`, { chunk, name });
    }
    const exported = names.map(({ name }) => `${name} as ${exportName(name)}`);
    texts.set(chunk, `${text}\nexport { ${exported.join(", ")} };`);
  }
  // Without them, the tests would run the sources.
  if (declarations.size < fewest) {
    throw new Error(`only ${declarations.size} declarations of the server are found in ${folder}`);
  }
  return { declarations, texts };
}

/** The server has about twice as many declarations. */
const fewest = 2_000;

interface Binding {
  readonly name: string;
  readonly start: number;
}

/** The declarations of a file of the bundle that come from the server's sources: comments name the source of each part. */
function* declaredIn(text: string, path: string): Generator<{ from: string; name: string }> {
  const regions = [...text.matchAll(/^\/\/ (\S+\.[cm]?[jt]s)$/gm)];
  let at = -1;
  for (const { name, start } of bindingsOf(text, path)) {
    while ((regions[at + 1]?.index ?? Infinity) <= start) at += 1;
    const file = regions[at]?.[1];
    if (file === undefined) continue;
    const from = new URL(file, cli).href;
    if (from.startsWith(sources)) yield { from, name };
  }
}

/** The names that a module declares at its top, in the order of the text. */
function bindingsOf(text: string, path: string): readonly Binding[] {
  const { program, errors } = parseSync(basename(path), text, { sourceType: "module" });
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  return program.body.flatMap((statement): readonly Binding[] => {
    const declared = "declaration" in statement ? statement.declaration : statement;
    switch (declared?.type) {
      case "FunctionDeclaration":
      case "ClassDeclaration":
        return declared.id === null ? [] : [declared.id];
      case "VariableDeclaration":
        return declared.declarations.flatMap(({ id }) => (id.type === "Identifier" ? [id] : []));
      default:
        return [];
    }
  });
}

/** A module with the exports of a source: from the bundle, except for what the bundle does not contain. */
function moduleOf(url: string, { declarations }: ShippedServer): string {
  const path = fileURLToPath(url);
  const text = stripTypeScriptTypes(readFileSync(path, "utf8"));
  const declared = new Set(bindingsOf(text, path).map(({ name }) => name));
  const { module } = parseSync(basename(path, ".ts"), text, { lang: "js", sourceType: "module" });
  const rest: string[] = [];
  const lines: string[] = [];
  for (const { exportName: exported, localName } of module.staticExports.flatMap(
    ({ entries }) => entries,
  )) {
    const found = declarations.get(`${url} ${localName.name}`);
    if (exported.name === null) {
      lines.push(`export * from "${url}${source}";`);
    } else if (found === undefined || !declared.has(localName.name ?? "")) {
      rest.push(exported.name);
    } else {
      const name = exportName(found.name);
      lines.push(`export { ${name} as ${exported.name} } from "${found.chunk}";`);
    }
  }
  if (rest.length > 0) lines.push(`export { ${rest.join(", ")} } from "${url}${source}";`);
  return lines.join("\n");
}

const server = (kept.shippedServer ??= readBundle());
const hook = registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const { url } = resolved;
    return url.startsWith(sources) && url.endsWith(".ts") && !url.endsWith(".test.ts")
      ? { ...resolved, url: `${url}${shipped}` }
      : resolved;
  },
  load(url, context, next) {
    if (url.startsWith(sources) && url.endsWith(shipped)) {
      const text = moduleOf(url.slice(0, -shipped.length), server);
      return { format: "module", source: text, shortCircuit: true };
    }
    const text = server.texts.get(url);
    return text === undefined
      ? next(url, context)
      : { format: "module", source: text, shortCircuit: true };
  },
});
// Setup files run before each test file.
afterAll(() => hook.deregister());
