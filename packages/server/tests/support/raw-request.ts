import { connect } from "node:net";

export interface RawAnswer {
  /** 0: the server closed the connection without a response. */
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends bytes as they are, and reads until the server closes the connection. */
export function sendRaw(url: string, bytes: string | Uint8Array): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on("data", (part) => parts.push(part));
    socket.on("error", reject);
    socket.on("close", () => resolve(answerOf(Buffer.concat(parts).toString("utf8"))));
  });
}

/** A request with exactly this target, on a new connection. */
export const sendTarget = (
  url: string,
  target: string | Uint8Array,
  { method = "GET", headers = {} }: TargetOptions = {},
): Promise<RawAnswer> => {
  const lines = Object.entries({ host: new URL(url).host, connection: "close", ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return sendRaw(
    url,
    Buffer.concat([
      Buffer.from(`${method} `),
      Buffer.from(target as string),
      Buffer.from(` HTTP/1.1\r\n${lines.join("")}\r\n`),
    ]),
  );
};

interface TargetOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function answerOf(text: string): RawAnswer {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
  return { status, head, body: rest.join("\r\n\r\n") };
}
