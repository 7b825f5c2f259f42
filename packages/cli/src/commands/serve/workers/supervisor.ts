import cluster, { type Worker } from "node:cluster";
import type { Channel, createLogger, LimitKeeper } from "@security-platform/server/internal";
import { CommandError } from "../../../terminal/exit-codes.ts";
import { assignmentVariables } from "./assignment.ts";
import { Backoff } from "./backoff.ts";
import { Handovers } from "./handovers.ts";
import type { PrimaryMessage, WorkerMessage } from "./messages.ts";
import { WorkerMetrics, type WorkerReports } from "./worker-metrics.ts";

export interface SupervisorParts {
  readonly count: number;
  readonly port: number;
  readonly keeper: LimitKeeper;
  readonly logger: Pick<ReturnType<typeof createLogger>, "info" | "warn">;
}

/** Manages the workers of a server: starts them, replaces those that end, and stops all of them. */
export class Supervisor {
  /** What the workers measure of themselves. */
  readonly metrics: WorkerMetrics;
  readonly #parts: SupervisorParts;
  readonly #workers = new Set<Worker>();
  readonly #restarts = new Set<NodeJS.Timeout>();
  readonly #handovers = new Handovers();
  #stopping = false;
  /** Called after the last worker has ended. */
  #onIdle: () => void = () => undefined;
  #failed = false;

  constructor(parts: SupervisorParts) {
    this.#parts = parts;
    this.metrics = new WorkerMetrics(parts.count);
    // Connections are distributed round-robin, on Windows too.
    cluster.schedulingPolicy = cluster.SCHED_RR;
    // A second Ctrl-C ends this process and its workers at once.
    process.once("exit", () => {
      for (const worker of this.#workers) worker.process.kill("SIGKILL");
    });
  }

  /**
   * Resolves with the server's URL when all workers are ready; rejects if one of them cannot start.
   */
  async start(): Promise<string> {
    const numbers = Array.from({ length: this.#parts.count }, (_none, index) => index + 1);
    try {
      const urls = await Promise.all(numbers.map((number) => this.#startFirst(number)));
      return urls[0] ?? "";
    } catch (error) {
      await this.#stopAll();
      throw error;
    }
  }

  /** Makes every worker read the files of the certificate again. */
  reload(): void {
    for (const worker of this.#workers) send(worker, { kind: "reload" });
  }

  /** Stops the workers after their requests. Rejects if a worker fails to stop. */
  async stop(): Promise<void> {
    await this.#stopAll();
    if (this.#failed) throw new CommandError("a worker did not stop correctly");
  }

  async #stopAll(): Promise<void> {
    this.#stopping = true;
    for (const timer of this.#restarts) clearTimeout(timer);
    for (const worker of this.#workers) send(worker, { kind: "stop" });
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
      if (this.#workers.size === 0) resolve();
    });
  }

  #startFirst(number: number): Promise<string> {
    return new Promise((resolve, reject) => {
      const backoff = new Backoff();
      let served = false;
      const run = (): void => {
        this.#run(number, {
          ready: (url) => {
            served = true;
            resolve(url);
          },
          ended: (cause, milliseconds) => {
            if (!served) {
              reject(new CommandError(`worker ${number} could not start`));
              return;
            }
            const delay = backoff.next(milliseconds);
            const details = { worker: number, ...cause, restart_milliseconds: delay };
            this.#parts.logger.warn(details, "a worker ended and will be replaced");
            const timer = setTimeout(() => {
              this.#restarts.delete(timer);
              run();
            }, delay);
            this.#restarts.add(timer);
          },
        });
      };
      run();
    });
  }

  #run(
    number: number,
    on: {
      ready(url: string): void;
      /** Not called while the server stops. */
      ended(cause: object, ranMilliseconds: number): void;
    },
  ): void {
    const { count, port, keeper } = this.#parts;
    const worker = cluster.fork(assignmentVariables({ number, count, port }));
    const started = performance.now();
    this.#workers.add(worker);
    this.#handovers.watch(worker);
    keeper.attach(channelTo(worker));
    let reports: WorkerReports | null = null;
    worker.on("message", (message: WorkerMessage) => {
      if (message.kind === "metrics") reports?.answer(message.values);
      if (message.kind !== "ready") return;
      reports = this.metrics.add(() => send(worker, { kind: "metrics" }));
      const details = { worker: number, process_id: worker.process.pid };
      this.#parts.logger.info(details, "a worker is ready");
      on.ready(message.url);
    });
    worker.once("exit", (code, signal) => {
      this.#workers.delete(worker);
      if (reports !== null) this.metrics.end(reports);
      if (this.#stopping) {
        if (code !== 0) this.#failed = true;
        if (this.#workers.size === 0) this.#onIdle();
        return;
      }
      const cause = signal === null ? { exit_code: code } : { signal };
      on.ended({ process_id: worker.process.pid, ...cause }, performance.now() - started);
    });
    // A stop was requested while the worker was starting.
    if (this.#stopping) send(worker, { kind: "stop" });
  }
}

function channelTo(worker: Worker): Channel {
  return {
    send: (content) => send(worker, { kind: "limits", content }),
    onMessage: (listener) =>
      worker.on("message", (message: WorkerMessage) => {
        if (message.kind === "limits") listener(message.content);
      }),
    onClose: (listener) => worker.once("disconnect", listener),
  };
}

/** A worker that has ended needs no message; its end is handled elsewhere. */
function send(worker: Worker, message: PrimaryMessage): void {
  if (worker.isConnected()) worker.send(message, undefined, () => undefined);
}
