import type { Tracing } from "./tracing.ts";

/** Where the packages of OpenTelemetry find each other, whatever copies of `@opentelemetry/api` a process has. */
const shared = Symbol.for("opentelemetry.js.api.1");

/**
 * The traces of a process in which an SDK of OpenTelemetry is registered; undefined without one. Then nothing of
 * OpenTelemetry is loaded, and no request does anything for it.
 */
export async function activeTracing(): Promise<Tracing | undefined> {
  const { trace } = (globalThis as { [shared]?: { readonly trace?: object } })[shared] ?? {};
  if (trace === undefined) return undefined;
  const { tracing } = await import("./tracing.ts");
  return tracing();
}
