import type { Hooks, RequestEvent } from "./hooks.ts";

/** Hooks that write one line for each request, before the given ones. */
export function withDebugLines(hooks: Hooks, write: (line: string) => void): Hooks {
  const line = ({ operationId, method, path, attempt }: RequestEvent, rest: string): void =>
    write(`secplat ${method} ${path} (${operationId}) attempt ${attempt}: ${rest}`);
  // Each hook is forwarded, because a spread has no methods of a class.
  return {
    onRequest: (event) => hooks.onRequest?.(event),
    onResponse: (event) => {
      line(
        event,
        `${event.status} in ${event.milliseconds} ms, trace id ${event.traceId ?? "none"}`,
      );
      hooks.onResponse?.(event);
    },
    onRetry: (event) => {
      const reason = event.status ?? "no complete response";
      line(event, `${reason}, retry in ${Math.round(event.waitMilliseconds)} ms`);
      hooks.onRetry?.(event);
    },
    onEnd: (event) => hooks.onEnd?.(event),
    onError: (event) => {
      line(event, `failed after ${event.milliseconds} ms: ${event.error.name}`);
      hooks.onError?.(event);
    },
  } satisfies Required<Hooks>;
}
