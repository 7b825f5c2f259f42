import type { createLogger } from "@security-platform/server/internal";

/** What the sender needs of a span of the SDK. */
export interface EndedSpan {
  spanContext(): { readonly traceFlags: number };
  readonly resource?: { readonly waitForAsyncAttributes?: () => Promise<void> };
}

/** An exporter of the SDK. */
export interface SpanExporter {
  export(
    spans: readonly EndedSpan[],
    done: (result: { readonly code: number; readonly error?: Error }) => void,
  ): void;
  shutdown(): Promise<void>;
}

interface SenderOptions {
  readonly exporter: SpanExporter;
  readonly logger: Pick<ReturnType<typeof createLogger>, "warn" | "info">;
  /** Calls `work` so that it makes no spans. */
  readonly untraced: (work: () => void) => void;
  /** The largest number of spans that wait; later ones are lost. Default: 2048. */
  readonly maxQueueSize?: number | undefined;
  /** Default: 512. */
  readonly maxBatchSize?: number | undefined;
  /** How long the first span of a batch waits for others. Default: 5000. */
  readonly delayMilliseconds?: number | undefined;
  /** How long a batch may take. Default: 30000. */
  readonly timeoutMilliseconds?: number | undefined;
  /** How long `shutdown` may take. Default: 1500. */
  readonly stopMilliseconds?: number | undefined;
  /** For tests. Default: of the process. */
  readonly now?: () => number;
}

const sampled = 1;
const success = 0;
const millisecondsBetweenLines = 60_000;

/**
 * A processor of spans for the SDK that holds a limited number of them, logs how many are lost, and stops in a limited
 * time. The SDK's own logs nothing, and waits at the stop until its exporter has made all its attempts.
 */
export class SpanSender {
  readonly #options: SenderOptions;
  readonly #maxQueueSize: number;
  readonly #maxBatchSize: number;
  readonly #now: () => number;
  #waiting: EndedSpan[] = [];
  readonly #sending = new Set<Promise<void>>();
  /** The number of spans that the exporter holds. */
  #inFlight = 0;
  #timer: NodeJS.Timeout | undefined;
  #lost = 0;
  #lostAtLastLine = 0;
  #lastLineAt = -Infinity;
  #lastReason = "";
  /** Why the exporter failed most recently. */
  #problem: string | undefined;
  #stopped: Promise<void> | undefined;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#maxQueueSize = options.maxQueueSize ?? 2_048;
    this.#maxBatchSize = Math.min(options.maxBatchSize ?? 512, this.#maxQueueSize);
    this.#now = options.now ?? (() => performance.now());
  }

  /** Whether the exporter still holds spans, although the sender has stopped. */
  get isHeld(): boolean {
    return this.#inFlight > 0;
  }

  onStart(): void {}

  onEnd(span: EndedSpan): void {
    if (this.#stopped !== undefined || (span.spanContext().traceFlags & sampled) === 0) return;
    if (this.#waiting.length >= this.#maxQueueSize) {
      this.#lose(1, this.#problem ?? "too many spans wait for the collector");
      return;
    }
    this.#waiting.push(span);
    if (this.#inFlight === 0) this.#schedule();
  }

  async forceFlush(): Promise<void> {
    await this.#sendAll();
  }

  shutdown(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  /** The exporter may make its attempts for longer than a stop may take. */
  async #stop(): Promise<void> {
    const { stopMilliseconds = 1_500, exporter } = this.#options;
    const isDone = await inTime(this.#sendAll(), stopMilliseconds);
    if (isDone) await inTime(exporter.shutdown(), stopMilliseconds);
    else this.#lost += this.#inFlight;
    this.#report(this.#problem ?? "the collector did not have them when the server stopped");
  }

  #schedule(): void {
    if (this.#waiting.length >= this.#maxBatchSize) {
      this.#sendBatch();
      return;
    }
    const { delayMilliseconds = 5_000 } = this.#options;
    this.#timer ??= setTimeout(() => this.#sendBatch(), delayMilliseconds).unref();
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) this.#sendBatch();
    await Promise.all(this.#sending);
  }

  #sendBatch(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const sending = this.#send(this.#waiting.splice(0, this.#maxBatchSize));
    this.#sending.add(sending);
    void sending.finally(() => this.#sending.delete(sending));
  }

  async #send(batch: readonly EndedSpan[]): Promise<void> {
    this.#inFlight += batch.length;
    this.#problem = await this.#export(batch).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : "the exporter failed"),
    );
    this.#inFlight -= batch.length;
    if (this.#problem === undefined) this.#recover();
    else this.#lose(batch.length, this.#problem);
    if (this.#stopped === undefined && this.#waiting.length > 0) this.#schedule();
  }

  async #export(batch: readonly EndedSpan[]): Promise<void> {
    // The resource of all spans is that of the process.
    await batch[0]?.resource?.waitForAsyncAttributes?.();
    const { exporter, untraced, timeoutMilliseconds = 30_000 } = this.#options;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error("the collector did not answer")),
        timeoutMilliseconds,
      ).unref();
      untraced(() =>
        exporter.export(batch, ({ code, error }) => {
          clearTimeout(timer);
          if (code === success) resolve();
          else reject(error ?? new Error("the exporter failed"));
        }),
      );
    });
  }

  #lose(count: number, reason: string): void {
    this.#lost += count;
    if (this.#stopped !== undefined) return;
    const isDue = this.#now() - this.#lastLineAt >= millisecondsBetweenLines;
    if (isDue || reason !== this.#lastReason) this.#report(reason);
  }

  #report(reason: string): void {
    const spans = this.#lost - this.#lostAtLastLine;
    if (spans === 0) return;
    this.#lostAtLastLine = this.#lost;
    this.#lastLineAt = this.#now();
    this.#lastReason = reason;
    this.#options.logger.warn({ spans, reason }, "spans of traces are lost");
  }

  #recover(): void {
    if (this.#lost === 0 || this.#stopped !== undefined) return;
    this.#options.logger.info({ spans_lost: this.#lost }, "traces are sent again");
    this.#lost = this.#lostAtLastLine = 0;
    this.#lastReason = "";
  }
}

/** Whether `work` ends in time; a failure is an end. */
async function inTime(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), milliseconds);
  const ended = work.then(
    () => true,
    () => true,
  );
  return Promise.race([ended, late]).finally(() => clearTimeout(timer));
}
