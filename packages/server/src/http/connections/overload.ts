import { monitorEventLoopDelay } from "node:perf_hooks";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { errors } from "../../foundation/errors.ts";

/** Milliseconds between two looks at the event loop. */
const sampleMilliseconds = 1_000;
const resolutionMilliseconds = 10;
const retrySeconds = 1;
/** A single late look shows a pause that is over: a start, a suspended machine. */
const looksUntilOverload = 2;

interface OverloadOptions {
  /** Mean delay of the event loop above which requests are refused; 0: never. */
  readonly milliseconds: number;
  /** Requests that are never refused. */
  readonly isExempt: (request: FastifyRequest) => boolean;
  /** Called for each refused request. */
  readonly onRefusal: () => void;
}

/**
 * Refuses requests with 503 while the event loop stays late. `@fastify/under-pressure` also reads the memory of the
 * process, which opens a file: in a process without a free descriptor this throws in a timer and ends the process.
 */
export function refuseWhenOverloaded(
  app: FastifyInstance,
  { milliseconds, isExempt, onRefusal }: OverloadOptions,
): void {
  if (milliseconds === 0) return;
  const delays = monitorEventLoopDelay({ resolution: resolutionMilliseconds });
  delays.enable();
  let lateLooks = 0;
  const timer = setInterval(() => {
    // Not a number without any sample: the event loop did not turn.
    const delay = delays.mean / 1e6 - resolutionMilliseconds;
    lateLooks = delay <= milliseconds ? 0 : lateLooks + 1;
    delays.reset();
  }, sampleMilliseconds).unref();
  app.addHook("onRequest", (request, _reply, done) => {
    const isRefused = lateLooks >= looksUntilOverload && !isExempt(request);
    if (isRefused) onRefusal();
    done(isRefused ? errors.overloaded(retrySeconds) : undefined);
  });
  app.addHook("onClose", (_app, done) => {
    clearInterval(timer);
    delays.disable();
    done();
  });
}
