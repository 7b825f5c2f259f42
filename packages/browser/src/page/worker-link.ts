import type { FromWorker, Results, ToWorker, Wait } from "../worker/protocol.ts";
import type { Members } from "../worker/members.ts";

/** The message is absent if the file could not be loaded. */
interface WorkerFailure {
  readonly message?: string;
  preventDefault(): void;
}

/** What a worker of a browser has. */
export interface WorkerPort {
  addEventListener(type: "message", listener: (event: { readonly data: FromWorker }) => void): void;
  addEventListener(type: "error", listener: (event: WorkerFailure) => void): void;
  postMessage(message: ToWorker, transfer?: readonly ArrayBuffer[]): void;
  terminate(): void;
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

type Question = {
  [Kind in keyof Results]: Extract<ToWorker, Record<Kind, unknown>>;
}[keyof Results];
type Unnumbered = Question extends infer Each
  ? Each extends Question
    ? Omit<Each, "number">
    : never
  : never;

/** Sends messages to a worker, and receives the replies. */
export class WorkerLink {
  readonly #worker: WorkerPort;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;
  #ended: Error | null = null;

  /** `failure`: the error of all calls if the worker fails, from what the browser says about it. */
  constructor(worker: WorkerPort, failure: (reason: string) => Error) {
    this.#worker = worker;
    worker.addEventListener("message", ({ data }) => {
      const waiting = this.#waiting.get(data.number);
      this.#waiting.delete(data.number);
      if ("error" in data) waiting?.reject(data.error);
      else waiting?.resolve(data.result);
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.end(failure(event.message ?? ""));
    });
  }

  /** Ends the worker. Calls that wait, and later ones, reject with the error. */
  end(error: Error): void {
    if (this.#ended !== null) return;
    this.#ended = error;
    this.#worker.terminate();
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  call<Name extends keyof Members>(
    call: Name,
    ...parameters: Parameters<Members[Name]>
  ): Promise<Awaited<ReturnType<Members[Name]>>> {
    return this.#ask({ call, parameters }) as Promise<Awaited<ReturnType<Members[Name]>>>;
  }

  start(start: Extract<ToWorker, { start: unknown }>["start"]): Promise<Results["start"]> {
    return this.#ask({ start }) as Promise<Results["start"]>;
  }

  async send(request: Request): Promise<Results["fetch"]> {
    const { method, url, headers, signal } = request;
    const hasBody = method !== "GET" && method !== "HEAD";
    const content = hasBody ? await untilAborted(request.arrayBuffer(), signal) : null;
    const body = content?.byteLength === 0 ? null : content;
    const sent = { method, url, headers: [...headers], body };
    const transfer = body === null ? [] : [body];
    return this.#askUntilAborted<"fetch">({ fetch: sent }, signal, transfer);
  }

  /** Rejects with the reason of the signal, and ends the wait in the worker. */
  wait(wait: Wait, signal: AbortSignal | undefined): Promise<Results["wait"]> {
    return this.#askUntilAborted<"wait">({ wait }, signal);
  }

  async #askUntilAborted<Kind extends keyof Results>(
    message: Unnumbered,
    signal: AbortSignal | undefined,
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<Results[Kind]> {
    signal?.throwIfAborted();
    let number = 0;
    const reply = this.#ask(message, transfer, (given) => (number = given));
    const abort = (): void => this.#worker.postMessage({ abort: number });
    return (await untilAborted(reply, signal, abort)) as Results[Kind];
  }

  #ask(
    message: Unnumbered,
    transfer: readonly ArrayBuffer[] = [],
    numbered: (number: number) => void = () => undefined,
  ): Promise<unknown> {
    if (this.#ended !== null) return Promise.reject(this.#ended);
    this.#last += 1;
    const number = this.#last;
    numbered(number);
    return new Promise((resolve, reject) => {
      this.#worker.postMessage({ ...message, number } as ToWorker, transfer);
      this.#waiting.set(number, { resolve, reject });
    });
  }
}

/** Rejects with the reason of the signal as soon as it is aborted, after a call of `left`. */
async function untilAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
  left: () => void = () => undefined,
): Promise<Result> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => {
    left();
    aborted.reject(signal?.reason);
  };
  signal?.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal?.removeEventListener("abort", abort);
    work.catch(() => undefined);
  }
}
