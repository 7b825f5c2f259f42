import type { FastifyInstance } from "fastify";
import type { ServerConfig } from "../config.ts";

const loopback = /^(localhost|127(\.\d+){3}|::1)$/;

/** Throws with a plain message when the address cannot be bound. */
export async function listen(
  app: FastifyInstance,
  { host, port, development }: ServerConfig,
): Promise<void> {
  if (development && !loopback.test(host)) {
    throw new Error(`--dev serves loopback addresses only, not ${host}`);
  }
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") {
      throw new Error(
        `port ${port} on ${host} is taken; choose another with --port, or 0 for any`,
        { cause: error },
      );
    }
    if (code === "EACCES")
      throw new Error(`not allowed to listen on port ${port}; choose one above 1023`, {
        cause: error,
      });
    throw error;
  }
}
