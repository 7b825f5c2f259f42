import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

export interface Registry extends AsyncDisposable {
  readonly url: string;
  /** A file with the token that publishes. */
  readonly userConfig: string;
}

/**
 * Starts Verdaccio on this machine. It has the packages of the project only if they are published to
 * it, and gets all others from the registry of npm's configuration.
 */
export async function startRegistry(folder: string, upstream: string): Promise<Registry> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const own = { access: "$all", publish: "$authenticated" };
  const config = join(folder, "verdaccio.yaml");
  // Verdaccio reads YAML, of which JSON is a part.
  const settings = {
    storage: join(folder, "storage"),
    auth: { htpasswd: { file: join(folder, "htpasswd") } },
    uplinks: { npm: { url: upstream, maxage: "60m", timeout: "60s" } },
    packages: {
      "@security-platform/*": own,
      secplat: own,
      "**": { access: "$all", proxy: "npm" },
    },
    web: { enable: false },
    max_body_size: "100mb",
    log: { type: "stdout", format: "pretty", level: "error" },
  };
  writeFileSync(config, JSON.stringify(settings));
  const program = join(import.meta.dirname, "node_modules/verdaccio/bin/verdaccio");
  const child = spawn(
    process.execPath,
    [program, "--config", config, "--listen", `127.0.0.1:${port}`],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  const ended = new Promise<void>((resolve) => {
    child.on("close", () => {
      resolve();
    });
  });
  try {
    await answers(`${url}-/ping`, () => child.exitCode === null);
    const userConfig = join(folder, "npmrc");
    writeFileSync(userConfig, `//127.0.0.1:${port}/:_authToken=${await signUp(url)}\n`);
    return {
      url,
      userConfig,
      [Symbol.asyncDispose]: async () => {
        child.kill();
        await ended;
      },
    };
  } catch (error) {
    child.kill();
    throw error;
  }
}

async function signUp(url: string): Promise<string> {
  const name = "release-check";
  const response = await fetch(`${url}-/user/org.couchdb.user:${name}`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name, password: crypto.randomUUID() }),
  });
  const { token } = (await response.json()) as { readonly token?: string };
  if (token === undefined) throw new Error(`Verdaccio gave no token: ${response.status}`);
  return token;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => {
        resolve(port);
      });
    });
  });
}

/** Waits until a URL responds, for a minute. */
async function answers(url: string, runs: () => boolean): Promise<void> {
  for (let tries = 0; tries < 600 && runs(); tries += 1) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok === true) return;
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  }
  throw new Error(`${url} does not respond`);
}
