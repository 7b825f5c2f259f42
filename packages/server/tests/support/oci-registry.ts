import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface OciRegistryOptions {
  /** The required authentication. Default: none. */
  readonly signIn?: "basic" | "bearer";
  readonly username?: string;
  password?: string;
  /** Tags by repository. */
  readonly images?: Readonly<Record<string, readonly string[]>>;
  /** Repositories per page of the catalogue. Default: 100. */
  readonly pageSize?: number;
}

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
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    requests.push(`${request.method} ${request.url}`);
    authorizations.push(request.headers.authorization);
    await registry.onRequest();
    const status = statuses.shift();
    if (status === undefined) answer(request, response, options);
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

const token = "a-token-of-the-registry";

function answer(
  { url: target = "", headers }: IncomingMessage,
  response: ServerResponse,
  { signIn, username, password, images = {}, pageSize = 100 }: OciRegistryOptions,
): void {
  const host = `http://${headers.host}`;
  const url = new URL(target, host);
  const json = (status: number, body: object, more: Record<string, string> = {}): void => {
    response.writeHead(status, { "content-type": "application/json", ...more });
    response.end(JSON.stringify(body));
  };
  const basic = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  if (url.pathname === "/token") {
    if (headers.authorization === basic) json(200, { token, expires_in: 300 });
    else json(401, { errors: [] });
    return;
  }
  const expected = { basic, bearer: `Bearer ${token}` }[signIn ?? "basic"];
  if (signIn !== undefined && headers.authorization !== expected) {
    const challenge =
      signIn === "basic"
        ? `Basic realm="registry"`
        : `Bearer realm="${host}/token",service="registry, of tests",scope="registry:catalog:*"`;
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
  const repository = /^\/v2\/(?<name>.+)\/tags\/list$/.exec(decodeURIComponent(url.pathname))
    ?.groups?.["name"];
  const tags = images[repository ?? ""];
  json(tags === undefined ? 404 : 200, { name: repository, tags });
}
