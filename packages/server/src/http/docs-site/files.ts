import { extname } from "node:path";
import type { Readable } from "node:stream";

/** What a response sends of a file. */
export interface DocsContent {
  /** In bytes. */
  readonly size: number;
  open(): Readable | Buffer;
}

export interface DocsFile {
  readonly mediaType: string;
  /** The file name contains a digest of the content, so the content never changes. */
  readonly immutable: boolean;
  /** The script of a worker that compiles WebAssembly. */
  readonly compiles: boolean;
  /** What depends on where readers reach the site: its links, or the servers of a document. Absent: nothing. */
  readonly rewrite: "links" | "servers" | undefined;
  /** A strong validator of the content. */
  readonly tag: string;
  /** The content by encoding, the better ones first. `identity` always exists. */
  readonly contents: ReadonlyMap<string, () => Promise<DocsContent>>;
}

/** The files of a built site by their names, such as `guides/filters.html`. */
export type DocsFilesByName = ReadonlyMap<string, DocsFile>;

/** The site cannot be read: its package is incomplete, or its content has changed by accident. */
export class DocsUnreadableError extends Error {
  override readonly name = "DocsUnreadableError";
  /** The message is for the log: it contains paths of the machine. */
  readonly missing: boolean;

  constructor(message: string, { missing }: { readonly missing: boolean }) {
    super(message);
    this.missing = missing;
  }
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

/** Pictures, fonts and archives are compressed already. */
const compressed = /\.(?:gz|ico|jpg|png|woff2?)$/;

export const isCompressible = (name: string): boolean => !compressed.test(name);

/** What follows from the name of a file. */
export const describeFile = (
  name: string,
): Pick<DocsFile, "mediaType" | "immutable" | "compiles" | "rewrite"> => ({
  mediaType: mediaTypes[extname(name)] ?? "application/octet-stream",
  immutable: hashedName.test(name),
  compiles: compilingWorker.test(name),
  rewrite: document.test(name) ? "servers" : linking.test(name) ? "links" : undefined,
});

/** The file for a decoded path below the site's root: by its name, or a page without `.html`. */
export function findFile(files: DocsFilesByName, path: string): DocsFile | undefined {
  if (path === "" || path.endsWith("/")) return files.get(`${path}index.html`);
  return files.get(path) ?? files.get(`${path}.html`);
}

/** Whether a path without a trailing slash is a folder with its own page. */
export const isFolder = (files: DocsFilesByName, path: string): boolean =>
  files.has(`${path}/index.html`);

export const notFoundPage = (files: DocsFilesByName): DocsFile | undefined => files.get("404.html");
