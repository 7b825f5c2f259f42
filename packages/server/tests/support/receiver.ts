import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedMessage {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly messages: ReceivedMessage[];
  /** Statuses of the next responses; 200 when the list is empty. */
  readonly statuses: number[];
  close(): void;
}

/** A real HTTP server that receives messages. */
export async function startReceiver(): Promise<Receiver> {
  const messages: ReceivedMessage[] = [];
  const statuses: number[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { url: path = "", headers } = request;
      messages.push({ path, headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(statuses.shift() ?? 200, { location: "http://127.0.0.1:1/" }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    messages,
    statuses,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
