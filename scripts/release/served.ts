import { join } from "node:path";
import { firstLine, npm, run, start, stranger, type Place, type Stranger } from "./commands.ts";

export interface Served extends AsyncDisposable {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly token: string;
  /** From the first command to the first response, the download or the installation of the package included. */
  readonly seconds: number;
}

const words = ["serve", "--json", "--port", "0"];

/** `npx secplat serve` in an empty folder, up to its first response. */
export const serve = (place: Place, node?: string): Promise<Served> =>
  serveBy(
    npm("exec", "--yes", "--", "secplat", ...words),
    stranger(place, node),
    performance.now(),
  );

/** `npm install` of a tarball in an empty folder with an empty cache, and `serve`, up to its first response. */
export async function installAndServe(place: Place, tarball: string): Promise<Served> {
  const began = performance.now();
  const { folder, environment } = stranger(place);
  const who = { folder, environment: { ...environment, npm_config_cache: join(folder, "cache") } };
  await run(npm("install", tarball), who);
  const program = join(folder, "node_modules/secplat/bin/secplat.mjs");
  return serveBy([process.execPath, program, ...words], who, began);
}

async function serveBy(command: readonly string[], who: Stranger, began: number): Promise<Served> {
  const child = start(command, who);
  const ended = new Promise<number | null>((resolve) => {
    child.on("close", resolve);
  });
  const line = await firstLine(child);
  const greeting = JSON.parse(line) as Readonly<Record<string, string>>;
  const { url = "", client_id: clientId = "", client_secret: clientSecret = "" } = greeting;
  const token = greeting["access_token"] ?? "";
  const stop = async (): Promise<void> => {
    // The server itself, because npm does not pass the signal on.
    process.kill(Number(greeting["process_id"]), "SIGTERM");
    await ended;
  };
  try {
    await readIndicators(url, token);
  } catch (error) {
    await stop();
    throw error;
  }
  const seconds = (performance.now() - began) / 1000;
  return { url, clientId, clientSecret, token, seconds, [Symbol.asyncDispose]: stop };
}

async function readIndicators(url: string, token: string): Promise<void> {
  const response = await fetch(`${url}/iocs/combined/indicator/v1?limit=2`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const text = await response.text();
  if (response.status === 200 && (JSON.parse(text) as readonly unknown[]).length === 2) return;
  throw new Error(`the first request got ${response.status} ${text}`);
}

/** Reads pages of the packaged documentation, as browsers and other programs do. */
export async function readPages({ url }: Pick<Served, "url">): Promise<void> {
  for (const path of ["", "guides/quick-start.html", "openapi.json", "llms.txt"]) {
    const bodies = await Promise.all(
      ["br", "gzip", "identity"].map(async (encoding) => {
        const response = await fetch(`${url}/docs/${path}`, {
          headers: { "accept-encoding": encoding },
        });
        const found = response.headers.get("content-encoding") ?? "identity";
        if (response.status !== 200 || found !== encoding) {
          throw new Error(`/docs/${path} has the status ${response.status}, encoded as ${found}`);
        }
        return response.text();
      }),
    );
    if (new Set(bodies).size !== 1 || bodies[0] === "") {
      throw new Error(`/docs/${path} is not the same in all encodings`);
    }
  }
}
