import type { PagePlatform, startPlatform } from "@security-platform/browser";
import { reactive, readonly } from "vue";
import { withBase } from "vitepress";
import type { PlatformFiles } from "../../platform-files.ts";

/** The files of the platform, which the build fills in; see `platform-files.ts`. */
declare const PLATFORM_FILES: PlatformFiles;

/** What readers see of the platform in the page. */
export interface PlatformState {
  phase: "absent" | "loading" | "starting" | "ready" | "failed";
  /** Bytes, before compression. */
  loaded: number;
  /** The sentence that says why it failed, and what to do. */
  problem: string;
}

const { folder, first } = PLATFORM_FILES;

/** Bytes of the files that the platform starts with, before compression. */
export const platformSize = first.reduce((sum, [, size]) => sum + size, 0);

const state = reactive<PlatformState>({ phase: "absent", loaded: 0, problem: "" });

export const platformState = readonly(state);

let running: Promise<PagePlatform> | null = null;

/**
 * The platform of this page, which is started by the first call, and which survives changes of the page. Rejects with
 * a sentence for the reader; the next call tries again.
 */
export function platformInPage(): Promise<PagePlatform> {
  running ??= start().catch((error: unknown) => {
    running = null;
    state.phase = "failed";
    state.problem = (error as Error).message;
    throw error;
  });
  return running;
}

/** Discards all changes, so that the platform has only the records of the demo. Starts it if necessary. */
export async function resetPlatform(): Promise<void> {
  const platform = await platformInPage();
  await platform.reset();
}

async function start(): Promise<PagePlatform> {
  requireFeatures();
  state.phase = "loading";
  state.loaded = 0;
  // The worker loads its own files without progress, so they are loaded into the browser's cache first.
  await Promise.all(first.map(([name]) => load(name)));
  state.phase = "starting";
  const module = (await import(/* @vite-ignore */ urlOf("standalone.js"))) as {
    readonly startPlatform: typeof startPlatform;
  };
  const platform = await module.startPlatform({ seed: "demo", clock: "running" });
  state.phase = "ready";
  return platform;
}

const urlOf = (name: string): string => withBase(`/${folder}${name}`);

function requireFeatures(): void {
  const missing = [
    ...("Worker" in globalThis ? [] : ["web workers"]),
    ...("WebAssembly" in globalThis ? [] : ["WebAssembly"]),
  ];
  if (missing.length === 0) return;
  throw new Error(
    `The platform cannot run in this page, because the browser has no ${missing.join(" and no ")}, or blocks it. ` +
      "Allow it for this page, use another browser, or send requests to a server: npx secplat serve",
  );
}

async function load(name: string): Promise<void> {
  const response = await fetch(urlOf(name)).catch(() => null);
  const reader = response?.ok === true ? response.body?.getReader() : undefined;
  if (reader === undefined) {
    const reason = response === null ? "there is no connection" : `status ${response.status}`;
    throw new Error(
      `The platform's file ${name} could not be loaded (${reason}). Reload the page and try again.`,
    );
  }
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    state.loaded += value.length;
  }
}
