import { connect } from "node:net";

/** A connected client of the driver. */
interface Cancelled {
  readonly host: string;
  readonly port: number;
  readonly processID: number;
  readonly secretKey: number;
}

const packetBytes = 16;
/** The code of a CancelRequest in PostgreSQL's protocol. */
const cancelCode = 80_877_102;
const timeoutMilliseconds = 5_000;

/**
 * Asks PostgreSQL, or a pooler, to end the running statement of a connection. The protocol has no answer, and
 * needs a connection of its own, which is not encrypted or authenticated: the key is the secret.
 */
export function requestCancel({ host, port, processID, secretKey }: Cancelled): void {
  const packet = Buffer.alloc(packetBytes);
  for (const [at, value] of [packetBytes, cancelCode, processID, secretKey].entries()) {
    packet.writeInt32BE(value, at * 4);
  }
  const socket = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  // The time limit of statements ends it if this fails.
  socket.on("error", () => socket.destroy());
  socket.setTimeout(timeoutMilliseconds, () => socket.destroy());
  socket.end(packet);
}
