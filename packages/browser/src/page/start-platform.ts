import type { WorkerOptions } from "../worker/protocol.ts";
import { pagePlatform, type PagePlatform } from "./page-platform.ts";
import { WorkerLink, type WorkerPort } from "./worker-link.ts";

export interface StartOptions extends WorkerOptions {
  /** The URL of the worker's file. Default: `worker.js` beside this module. */
  readonly worker?: string | URL | undefined;
}

/** The global `Worker`, which workers have too. Each platform has a worker of its own. */
declare const Worker: new (
  url: string | URL,
  options: { readonly type: "module"; readonly name: string },
) => WorkerPort;

const instead = "; run the server instead: npx secplat serve";

/**
 * Starts a platform in a worker of this page. Several may run at the same time, in this page and in others: they
 * share nothing. Throws a `TypeError` or a `RangeError` for invalid options, and an error that says what to use
 * instead if the browser cannot run it.
 */
export async function startPlatform({
  worker,
  ...options
}: StartOptions = {}): Promise<PagePlatform> {
  if (typeof Worker === "undefined") {
    throw new Error(`there are no web workers here${instead}, or @security-platform/testing`);
  }
  const link = new WorkerLink(createWorker(worker), (reason) => {
    const place = worker === undefined ? "worker.js" : String(worker);
    const text = reason === "" ? "it was blocked or not found, or the browser is too old" : reason;
    return new Error(`the platform's worker ${place} failed: ${text}${instead}`);
  });
  try {
    const started = await link.start(options);
    return pagePlatform(link, started, { isRunning: options.clock === "running" });
  } catch (error) {
    link.end(error as Error);
    throw error;
  }
}

function createWorker(url: string | URL | undefined): WorkerPort {
  const name = "security-platform";
  try {
    // Bundlers recognize this form and include the file.
    if (url === undefined)
      return new Worker(new URL("./worker.js", import.meta.url), { type: "module", name });
    return new Worker(url, { type: "module", name });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`the platform's worker cannot be created: ${reason}${instead}`, {
      cause: error,
    });
  }
}
