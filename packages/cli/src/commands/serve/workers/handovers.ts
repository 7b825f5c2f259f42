import type { ChildProcess } from "node:child_process";
import type { Worker } from "node:cluster";

/** A connection's handle in the primary process; closing it twice is harmless. */
interface Connection {
  close(): void;
}

type Send = (message: object, connection?: Connection | null, ...rest: unknown[]) => boolean;

/**
 * Ends connections that a worker did not take before it was killed. node:cluster closes its copy of
 * a connection only when the worker confirms it, so without this such a client would wait for ever.
 * There is no event for a handover; therefore this notes the connections that are sent to a
 * worker's process.
 */
export class Handovers {
  /** The worker that got a connection last. If it rejects the connection because it stops, another one gets it. */
  readonly #lastReceiver = new WeakMap<Connection, Worker>();

  watch(worker: Worker): void {
    // node:cluster hands over the next connection of a port after the worker confirmed the one
    // before.
    const latest = new Map<unknown, Connection>();
    const child = worker.process as Omit<ChildProcess, "send"> & { send: Send };
    const send: Send = child.send.bind(child);
    child.send = (message, connection, ...rest) => {
      if (connection !== undefined && connection !== null) {
        latest.set("key" in message ? message.key : undefined, connection);
        this.#lastReceiver.set(connection, worker);
      }
      return send(message, connection, ...rest);
    };
    worker.once("exit", () => {
      for (const connection of latest.values()) {
        if (this.#lastReceiver.get(connection) === worker) connection.close();
      }
    });
  }
}
