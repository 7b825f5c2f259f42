import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";

/** Encodings of the compressed files that the build may write next to a file, the better ones first. */
const encodings = [
  { name: "br", suffix: ".br" },
  { name: "gzip", suffix: ".gz" },
] as const;

export interface DocsFile {
  readonly mediaType: string;
  /** The file name contains a digest of the content, so the content never changes. */
  readonly immutable: boolean;
  /** The script of a worker that compiles WebAssembly. */
  readonly compiles: boolean;
  /** Paths by encoding. `identity` always exists. */
  readonly paths: ReadonlyMap<string, string>;
  /** What depends on where readers reach the site: its links, or the servers of a document. Absent: nothing. */
  readonly rewrite: "links" | "servers" | undefined;
  /** A strong validator of the content. */
  readonly tag: string;
}

const mediaTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".jpg": "image/jpeg",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".woff": "font/woff",
  ".woff2": "font/woff2",
  ".xml": "application/xml; charset=utf-8",
  ".yaml": "application/yaml; charset=utf-8",
  ".yml": "application/yaml; charset=utf-8",
};

/** Names in the form of the site generator, `app.B2t0Gk3x.js`, and files in a folder with such a name. */
const hashedName =
  /^assets\/(?:.*\.[A-Za-z0-9_-]{8}(?:\.lean)?\.[a-z0-9]+|[a-z]+\.[A-Za-z0-9_-]{8}\/[^/]+)$/;

/** The documents of the API, which name its servers. */
const document = /^(?:openapi[\w.-]*|companion|postman)\.(?:json|ya?ml)$/;

/** The platform in the page serves nothing of the site. */
const linking = /^(?!assets\/platform\.).*\.(?:html|css|m?js|json|md|txt)$/;

/** The platform in the page, which compiles WebAssembly. */
const compilingWorker = /^assets\/platform\.[A-Za-z0-9_-]{8}\/worker\.js$/;

/**
 * The files of a built site. A request can only reach these files: its path is looked up and never becomes a
 * file path.
 */
export class DocsFiles {
  readonly #files: ReadonlyMap<string, DocsFile>;

  constructor(folder: string) {
    const names = new Set(
      filesBelow(folder).map((path) => relative(folder, path).replaceAll(sep, "/")),
    );
    const served = [...names].filter(
      (name) =>
        !encodings.some(
          ({ suffix }) => name.endsWith(suffix) && names.has(name.slice(0, -suffix.length)),
        ),
    );
    this.#files = new Map(served.map((name) => [name, describe(folder, name, names)]));
  }

  /** The file for a decoded path below the site's root: by its name, or a page without `.html`. */
  find(path: string): DocsFile | undefined {
    if (path === "" || path.endsWith("/")) return this.#files.get(`${path}index.html`);
    return this.#files.get(path) ?? this.#files.get(`${path}.html`);
  }

  /** Whether a path without a trailing slash is a folder with its own page. */
  isFolder(path: string): boolean {
    return this.#files.has(`${path}/index.html`);
  }

  get notFoundPage(): DocsFile | undefined {
    return this.#files.get("404.html");
  }
}

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

function describe(folder: string, name: string, names: ReadonlySet<string>): DocsFile {
  const path = join(folder, name);
  const immutable = hashedName.test(name);
  return {
    mediaType: mediaTypes[extname(name)] ?? "application/octet-stream",
    immutable,
    compiles: compilingWorker.test(name),
    rewrite: document.test(name) ? "servers" : linking.test(name) ? "links" : undefined,
    tag: tagOf(path, immutable),
    paths: new Map([
      ...encodings.flatMap(({ name: encoding, suffix }) =>
        names.has(name + suffix) ? [[encoding, path + suffix] as const] : [],
      ),
      ["identity", path],
    ]),
  };
}

/** The tag depends on the content, so that a rebuilt site keeps the tags of unchanged pages. */
function tagOf(path: string, immutable: boolean): string {
  const content = immutable ? `${path} ${statSync(path).size}` : readFileSync(path);
  return createHash("sha256").update(content).digest("base64url").slice(0, 22);
}
