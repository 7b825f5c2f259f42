import { createServer, type AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import type { ServerConfig } from "../../foundation/config.ts";
import { isLoopback } from "../loopback.ts";

type Address = Pick<ServerConfig, "host" | "port">;

/** Throws an error with a plain message if the address cannot be bound. */
export async function listen(
  app: FastifyInstance,
  { host, port, development }: ServerConfig,
): Promise<void> {
  if (development && !isLoopback(host)) {
    throw new Error(`--dev serves loopback addresses only, not ${host}`);
  }
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    throw listenError(error, { host, port });
  }
}

/**
 * The port that several processes will share. Chooses a free port for 0. Rejects like `listen`, so that a
 * server fails before its first worker starts.
 */
export function reservePort(address: Address): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (error) => reject(listenError(error, address)));
    probe.listen(address, () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

/** A plain message for an address that cannot be bound. `option`: the one that sets the port. */
export function listenError(error: unknown, { host, port }: Address, option = "--port"): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const options = { cause: error };
  if (code === "EADDRINUSE") {
    const message = `port ${port} on ${host} is in use; choose another with ${option}, or 0 for any`;
    return new Error(message, options);
  }
  if (code === "EACCES") {
    const message = `not allowed to listen on port ${port}; choose one above 1023`;
    return new Error(message, options);
  }
  return error;
}
