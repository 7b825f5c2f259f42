import cluster from "node:cluster";
import type { Channel, ProcessMetrics } from "@security-platform/server/internal";
import type { PrimaryMessage, WorkerMessage } from "./messages.ts";

/** A worker's connection to the primary process. */
export interface PrimaryChannel {
  readonly limits: Channel;
  ready(url: string): void;
  /** Calls `listener` when the primary process has received a SIGHUP. */
  onReload(listener: () => void): void;
  /** Answers the primary process when it asks for metrics. */
  onMetrics(read: () => Promise<ProcessMetrics>): void;
  /** Sends the last counts of this worker. It answers no further question about metrics. */
  lastMetrics(values: ProcessMetrics): void;
  /** Closes the channel, which would keep this process alive. */
  leave(): void;
}

export function primaryChannel(): PrimaryChannel {
  const send = (message: WorkerMessage): void => {
    // If the primary process has already ended, `disconnect` reports it.
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
  };
  let measures = true;
  const answer = (values: ProcessMetrics | null): void => {
    if (measures) send({ kind: "metrics", values });
  };
  return {
    limits: {
      send: (content) => send({ kind: "limits", content }),
      onMessage: (listener) =>
        process.on("message", (message: PrimaryMessage) => {
          if (message.kind === "limits") listener(message.content);
        }),
      onClose: (listener) => process.once("disconnect", listener),
    },
    ready: (url) => send({ kind: "ready", url }),
    onReload: (listener) =>
      process.on("message", (message: PrimaryMessage) => {
        if (message.kind === "reload") listener();
      }),
    onMetrics: (read) =>
      process.on("message", (message: PrimaryMessage) => {
        if (message.kind === "metrics") read().then(answer, () => answer(null));
      }),
    lastMetrics: (values) => {
      answer(values);
      measures = false;
    },
    // `process.disconnect` would end the process at once, with exit code 0.
    leave: () => cluster.worker?.disconnect(),
  };
}

/**
 * Resolves when the primary process requests it or has ended, or at a SIGTERM of this worker.
 * Ctrl-C and SIGHUP may reach every process of the group, and only the primary process handles them.
 */
export function workerStop(): Promise<void> {
  return new Promise((resolve) => {
    process.on("SIGINT", () => undefined);
    process.on("SIGHUP", () => undefined);
    process.on("SIGTERM", () => resolve());
    process.once("disconnect", () => resolve());
    process.on("message", (message: PrimaryMessage) => {
      if (message.kind === "stop") resolve();
    });
  });
}
