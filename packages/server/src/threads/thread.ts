import { Worker } from "node:worker_threads";
import type { ReplyMessage, RequestMessage } from "./answer-calls.ts";
import { ThreadStartError } from "./thread-start-error.ts";

const source = ".ts";

/** A module in the folder of the module `beside`, from sources, a build or the bundle of the command. */
export const moduleBeside = (beside: string, name: string): URL =>
  new URL(`./${name}${beside.endsWith(source) ? source : ".js"}`, beside);

interface Waiting<Reply> {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: Error) => void;
}

interface Running<Reply> {
  readonly worker: Worker;
  readonly waiting: Map<number, Waiting<Reply>>;
  isEnding: boolean;
}

/**
 * Work for a processor away from the main thread, which handles other requests meanwhile. The first call
 * starts `module`, which calls `answerCalls`. Calls are answered in their order. The thread does not keep
 * the process running.
 */
export class Thread<Request, Reply> {
  readonly #module: URL;
  readonly #stays: boolean;
  readonly #idleMilliseconds: number;
  #idle: NodeJS.Timeout | undefined;
  #running: Running<Reply> | undefined;
  #calls = 0;

  /**
   * A thread that does not stay ends when no call has waited for `idleMilliseconds` (default: at once), and
   * frees its memory.
   */
  constructor(
    module: URL,
    {
      stays,
      idleMilliseconds = 0,
    }: { readonly stays: boolean; readonly idleMilliseconds?: number },
  ) {
    this.#module = module;
    this.#stays = stays;
    this.#idleMilliseconds = idleMilliseconds;
  }

  /**
   * Rejects with the error of the call, or when the thread ends. Throws `ThreadStartError`. The memory of
   * `moved` goes to the thread without a copy, and is empty here afterwards.
   */
  call(request: Request, moved: readonly ArrayBuffer[] = []): Promise<Reply> {
    clearTimeout(this.#idle);
    const { worker, waiting } = (this.#running ??= this.#start());
    const call = (this.#calls += 1);
    return new Promise((resolve, reject) => {
      waiting.set(call, { resolve, reject });
      worker.ref();
      worker.postMessage({ call, request } satisfies RequestMessage<Request>, moved);
    });
  }

  /** Ends the thread. Calls that wait are rejected; a later call starts it again. */
  async end(): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    clearTimeout(this.#idle);
    // Otherwise the process may end before the thread, and nothing after this would run.
    running.isEnding = true;
    running.worker.ref();
    await running.worker.terminate();
  }

  #start(): Running<Reply> {
    // The packages that the sources import are also sources.
    const isSource = this.#module.href.endsWith(source);
    const execArgv = isSource ? ["--conditions=@security-platform/source"] : [];
    const worker = new Worker(this.#module, { execArgv });
    const waiting: Running<Reply>["waiting"] = new Map();
    const running: Running<Reply> = { worker, waiting, isEnding: false };
    const forget = (): void => {
      if (this.#running === running) this.#running = undefined;
    };
    let cause: Error | undefined;
    let hasStarted = false;
    worker.on("message", (answered: ReplyMessage<Reply>) => {
      hasStarted = true;
      const { resolve, reject } = waiting.get(answered.call) ?? {};
      waiting.delete(answered.call);
      if ("reply" in answered) resolve?.(answered.reply);
      else reject?.(answered.error);
      // A reply may still arrive while the thread ends.
      if (waiting.size > 0 || running.isEnding) return;
      worker.unref();
      if (this.#stays) return;
      const end = (): void => {
        forget();
        void worker.terminate();
      };
      if (this.#idleMilliseconds === 0) end();
      else this.#idle = setTimeout(end, this.#idleMilliseconds).unref();
    });
    worker.on("error", (error: Error) => (cause = error));
    worker.on("exit", (code) => {
      forget();
      const ended = cause ?? new Error(`the thread ended with ${code}`);
      const error = hasStarted
        ? ended
        : new ThreadStartError("a thread could not start", { cause: ended });
      for (const { reject } of waiting.values()) reject(error);
    });
    return running;
  }
}
