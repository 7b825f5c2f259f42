import { firstLine, npm, start, stranger, type Place } from "./commands.ts";

export interface Served extends AsyncDisposable {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly token: string;
  /** From the command to the first response, the download of the package included. */
  readonly seconds: number;
}

/** `npx secplat serve` in an empty folder, up to its first response. */
export async function serve(place: Place, node?: string): Promise<Served> {
  const began = performance.now();
  const who = stranger(place, node);
  const words = ["exec", "--yes", "--", "secplat", "serve", "--json", "--port", "0"];
  const child = start(npm(...words), who);
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
