import type { Tracing } from "./tracing.ts";

/** Where the packages of OpenTelemetry find each other, whatever copies of `@opentelemetry/api` a process has. */
const shared = Symbol.for("opentelemetry.js.api.1");

/**
 * The traces of a process in which an SDK of OpenTelemetry is registered; undefined without one. Then nothing of
 * OpenTelemetry is loaded, and no request does anything for it.
 */
export async function activeTracing(): Promise<Tracing | undefined> {
  if (registered() === undefined) return undefined;
  const { tracing } = await import("./tracing.ts");
  return tracing();
}

/** Whether an SDK is registered that gets no span of this server, as its `@opentelemetry/api` is older. */
export async function isSdkTooOld(): Promise<boolean> {
  const provider = registered();
  if (provider === undefined) return false;
  const { usedProvider } = await import("./tracing.ts");
  return usedProvider() !== provider;
}

const registered = (): object | undefined =>
  (globalThis as { [shared]?: { readonly trace?: object } })[shared]?.trace;
