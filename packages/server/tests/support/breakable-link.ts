import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A TCP connection to a database that tests can freeze, as a dead network or a stopped process does. */
export interface BreakableLink {
  readonly url: string;
  /** From now on, nothing is forwarded, and nothing is closed. New connections are accepted. */
  freeze(): void;
  thaw(): void;
  /**
   * Forwards this many more bytes of all connections together, and then closes every connection, wherever a message
   * is. New connections are accepted.
   */
  cutAfter(bytes: number, direction: Direction): void;
  /** Whether the last cut has happened. */
  readonly isCut: boolean;
}

export type Direction = "to the database" | "from the database";

export async function breakableLink(url: string): Promise<BreakableLink> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let frozen = false;
  /** Null: no cut is planned. */
  let cut: { left: number; readonly direction: Direction } | null = null;
  const closeAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [from, to, direction] of [
      [near, far, "to the database"],
      [far, near, "from the database"],
    ] as const) {
      sockets.add(from);
      if (frozen) from.pause();
      from.on("data", (bytes) => {
        if (cut?.direction !== direction) {
          to.write(bytes);
        } else if (bytes.length < cut.left) {
          cut.left -= bytes.length;
          to.write(bytes);
        } else {
          // The last bytes must arrive.
          to.end(bytes.subarray(0, cut.left), closeAll);
          cut = null;
        }
      });
      from.on("error", () => undefined);
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
      if (frozen) from.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    closeAll();
  });
  const link = new URL(url);
  link.port = String((server.address() as AddressInfo).port);
  return {
    url: link.href,
    freeze: () => {
      frozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw: () => {
      frozen = false;
      for (const socket of sockets) socket.resume();
    },
    cutAfter: (left, direction) => {
      cut = { left, direction };
    },
    get isCut() {
      return cut === null;
    },
  };
}
