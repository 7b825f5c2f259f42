import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { digestOf } from "../../../../testing/image.ts";

export interface OciRegistryOptions {
  /** The required authentication. Default: none. */
  readonly signIn?: "basic" | "bearer";
  readonly username?: string;
  password?: string;
  /** Tags by repository. */
  readonly images?: Readonly<Record<string, readonly string[]>>;
  /** Repositories per page of the catalogue. Default: 100. */
  readonly pageSize?: number;
  /** Images by repository and tag, as OCI layouts. Several manifests are the platforms of one image. */
  readonly content?: Readonly<Record<string, Readonly<Record<string, Layout>>>>;
  /** Another host that has the layers, such as an object store. Default: the registry itself. */
  readonly layerHost?: string;
  /** Number of requests that a token is good for. Default: any number. */
  readonly tokenUses?: number;
  /** Whether responses to manifests do not name their digest. */
  readonly withoutDigests?: boolean;
}

/** The files of an OCI layout, by path. */
export type Layout = ReadonlyMap<string, Buffer>;

export interface OciRegistry {
  readonly url: string;
  /** Method, path and query of each request. */
  readonly requests: string[];
  /** Whether each request had an `Authorization` header. */
  readonly authorizations: (string | undefined)[];
  /** The accepted credentials; a test may change them. */
  readonly options: OciRegistryOptions;
  /** Statuses of the next responses, before any other check. */
  readonly statuses: number[];
  /** Awaited before each response. */
  onRequest: () => Promise<unknown> | undefined;
  close(): void;
}

/** A small registry of the OCI distribution API, with its own token service. */
export async function startOciRegistry(options: OciRegistryOptions = {}): Promise<OciRegistry> {
  const requests: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const statuses: number[] = [];
  const uses = new Map<string, number>();
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    requests.push(`${request.method} ${request.url}`);
    authorizations.push(request.headers.authorization);
    await registry.onRequest();
    const status = statuses.shift();
    if (status === undefined) answer(request, response, options, uses);
    else response.writeHead(status, { location: "http://127.0.0.1:1/" }).end();
  };
  const server = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const registry: OciRegistry = {
    url: `http://127.0.0.1:${port}`,
    requests,
    authorizations,
    options,
    statuses,
    onRequest: () => undefined,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return registry;
}

/** A token names what it gives access to. */
const tokenFor = (scope: string): string => `token-for-${Buffer.from(scope).toString("hex")}`;

function answer(
  { url: target = "", headers, method }: IncomingMessage,
  response: ServerResponse,
  options: OciRegistryOptions,
  uses: Map<string, number>,
): void {
  const { signIn, username, password, pageSize = 100, content = {}, tokenUses } = options;
  const images = { ...options.images, ...tagsOf(content) };
  const host = `http://${headers.host}`;
  const url = new URL(target, host);
  const json = (status: number, body: object, more: Record<string, string> = {}): void => {
    response.writeHead(status, { "content-type": "application/json", ...more });
    response.end(JSON.stringify(body));
  };
  const basic = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  if (url.pathname === "/token") {
    const token = tokenFor(url.searchParams.get("scope") ?? "");
    uses.delete(token);
    if (headers.authorization === basic) json(200, { token, expires_in: 300 });
    else json(401, { errors: [] });
    return;
  }
  const path = decodeURIComponent(url.pathname);
  const { name, kind, reference } =
    /^\/v2\/(?<name>.+)\/(?<kind>tags|manifests|blobs)\/(?<reference>[^/]+)$/.exec(path)?.groups ??
    {};
  const scope = name === undefined ? "registry:catalog:*" : `repository:${name}:pull`;
  const token = tokenFor(scope);
  const expected = { basic, bearer: `Bearer ${token}` }[signIn ?? "basic"];
  const used = uses.get(token) ?? 0;
  uses.set(token, used + 1);
  const isWornOut = signIn === "bearer" && used >= (tokenUses ?? Infinity);
  if (signIn !== undefined && (headers.authorization !== expected || isWornOut)) {
    const challenge =
      signIn === "basic"
        ? `Basic realm="registry"`
        : `Bearer realm="${host}/token",service="registry, of tests",scope="${scope}"`;
    json(401, { errors: [{ code: "UNAUTHORIZED" }] }, { "www-authenticate": challenge });
    return;
  }
  if (url.pathname === "/v2/") return json(200, {});
  const names = Object.keys(images);
  if (url.pathname === "/v2/_catalog") {
    const start = names.indexOf(url.searchParams.get("last") ?? "") + 1;
    const repositories = names.slice(start, start + pageSize);
    const last = repositories.at(-1) ?? "";
    const more = start + pageSize < names.length;
    const link = `</v2/_catalog?n=${pageSize}&last=${encodeURIComponent(last)}>; rel="next"`;
    return json(200, { repositories }, more ? { link } : {});
  }
  const tags = images[name ?? ""];
  if (name === undefined || tags === undefined || reference === undefined) return json(404, {});
  if (kind === "tags") return json(200, { name, tags });
  if (kind === "blobs") {
    const blob = blobOf(content[name], reference);
    if (blob === undefined) return json(404, {});
    if (options.layerHost === undefined) response.writeHead(200).end(blob);
    else response.writeHead(307, { location: `${options.layerHost}/${name}/${reference}` }).end();
    return;
  }
  const manifest = manifestOf(content[name], reference);
  if (manifest === undefined) return json(404, {});
  response.writeHead(200, {
    "content-type": (JSON.parse(manifest.toString()) as { mediaType: string }).mediaType,
    "content-length": manifest.length,
    ...(options.withoutDigests === true ? {} : { "docker-content-digest": digestOf(manifest) }),
  });
  response.end(method === "HEAD" ? undefined : manifest);
}

const tagsOf = (content: NonNullable<OciRegistryOptions["content"]>): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(content).map(([name, layouts]) => [name, Object.keys(layouts)]),
  );

type Layouts = Readonly<Record<string, Layout>> | undefined;

/** A blob of a repository, by its digest. */
export function blobOf(layouts: Layouts, digest: string): Buffer | undefined {
  const path = `blobs/${digest.replace(":", "/")}`;
  for (const layout of Object.values(layouts ?? {})) {
    const content = layout.get(path);
    if (content !== undefined) return content;
  }
  return undefined;
}

function manifestOf(layouts: Layouts, reference: string): Buffer | undefined {
  const tops = Object.entries(layouts ?? {}).map(([tag, layout]) => ({ tag, top: topOf(layout) }));
  return (
    tops.find(({ tag, top }) => tag === reference || digestOf(top) === reference)?.top ??
    blobOf(layouts, reference)
  );
}

/** What a tag refers to: the only manifest of a layout, or the index of its platforms. */
export function topOf(layout: Layout): Buffer {
  const { manifests } = JSON.parse(String(layout.get("index.json"))) as {
    readonly manifests: readonly { readonly digest: string }[];
  };
  const [only, second] = manifests;
  if (second === undefined) return blobOf({ layout }, only?.digest ?? "") ?? Buffer.alloc(0);
  const mediaType = "application/vnd.oci.image.index.v1+json";
  return Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType, manifests }));
}
