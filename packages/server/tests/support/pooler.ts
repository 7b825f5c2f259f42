import { createServer, type AddressInfo, type Socket } from "node:net";
import { Client } from "pg";

/**
 * A pooler in transaction mode, as PgBouncer has it: each transaction of a client gets any free connection to
 * PostgreSQL. It speaks only what the driver of this project sends.
 */
export interface Pooler {
  /** The database behind the pooler. */
  readonly url: string;
  /** Number of transactions whose connection was not that of the client's previous transaction. */
  readonly switches: number;
  close(): Promise<void>;
}

export interface PoolerOptions {
  /** Number of connections to PostgreSQL. Default 3. */
  readonly size?: number;
  /** Whether each client has its own prepared statements, as with `max_prepared_statements`. Default true. */
  readonly keepsStatements?: boolean;
  /** A broken pooler: ends the transaction after each statement of a pipeline. Default false. */
  readonly splits?: boolean;
}

const codes = { startup: 196_608, tls: 80_877_103 };

interface Frame {
  readonly type: string;
  readonly body: Buffer;
}

function frame(type: string, body: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, "latin1");
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const int32 = (...numbers: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(numbers.length * 4);
  numbers.forEach((number, at) => bytes.writeInt32BE(number, at * 4));
  return bytes;
};

const zeroTerminated = (text: string): Buffer => Buffer.from(`${text}\0`);

/** Calls `onFrame` for each complete message of the stream. */
function readFrames(onFrame: (frame: Frame) => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    let at = 0;
    while (rest.length - at >= 5) {
      const end = at + 1 + rest.readInt32BE(at + 1);
      if (rest.length < end) break;
      onFrame({ type: String.fromCharCode(rest[at] ?? 0), body: rest.subarray(at + 5, end) });
      at = end;
    }
    rest = Buffer.from(rest.subarray(at));
  };
}

/** Sends all frames of one turn together, because a packet takes more processor time than its content. */
function write(stream: Socket, bytes: Buffer): void {
  if (stream.writableCorked === 0) {
    stream.cork();
    process.nextTick(() => stream.uncork());
  }
  stream.write(bytes);
}

/** Answers of PostgreSQL to "parse" and "sync" messages that the pooler waits for, in order. */
interface Expected {
  readonly to: "parse" | "sync";
  readonly statement?: string;
  /** Whether the client sees the answer. */
  readonly isShown: boolean;
}

/** A connection to PostgreSQL. */
class Backend {
  readonly stream: Socket;
  readonly statements = new Set<string>();
  readonly expected: Expected[] = [];
  user: PooledClient | null = null;

  constructor(stream: Socket) {
    this.stream = stream;
    stream.removeAllListeners("data");
    stream.on(
      "data",
      readFrames((each) => this.#answer(each)),
    );
  }

  send(type: string, body?: Buffer): void {
    write(this.stream, frame(type, body));
  }

  /** Sends a "parse" message; `isShown`: the client waits for its answer. */
  parse(statement: string, body: Buffer, isShown: boolean): void {
    if (statement !== "") this.statements.add(statement);
    this.expected.push({ to: "parse", statement, isShown });
    this.send("P", body);
  }

  #answer({ type, body }: Frame): void {
    if (type === "1" || type === "Z") {
      const answered = this.expected.shift();
      if (answered?.isShown === false) return;
    }
    if (type === "E") this.#forget();
    if (type === "Z") this.user?.ready(frame(type, body), String.fromCharCode(body[0] ?? 0));
    else if (this.user !== null) write(this.user.socket, frame(type, body));
  }

  /** After an error, PostgreSQL skips everything up to the next "sync". */
  #forget(): void {
    const synced = this.expected.findIndex(({ to }) => to === "sync");
    for (const { statement = "" } of this.expected.splice(0, Math.max(0, synced))) {
      this.statements.delete(statement);
    }
  }
}

class PooledClient {
  readonly socket: Socket;
  readonly #pool: Backends;
  readonly #options: PoolerOptions;
  readonly #number: number;
  readonly #statements = new Map<string, Buffer>();
  readonly #waiting: Frame[] = [];
  #backend: Backend | null = null;
  #previous: Backend | null = null;
  #asked = false;
  #unsynced = 0;
  #outstanding = 0;

  constructor(socket: Socket, number: number, pool: Backends, options: PoolerOptions) {
    this.socket = socket;
    this.#number = number;
    this.#pool = pool;
    this.#options = options;
  }

  receive(each: Frame): void {
    if (each.type === "X") {
      this.socket.end();
      return;
    }
    this.#waiting.push(each);
    if (this.#backend !== null) this.#forward(this.#backend);
    else if (!this.#asked) {
      this.#asked = true;
      this.#pool.take((backend) => {
        this.#asked = false;
        this.#backend = backend;
        backend.user = this;
        if (this.#previous !== backend) this.#pool.switches += 1;
        this.#previous = backend;
        this.#forward(backend);
      });
    }
  }

  /** `status`: `I` outside a transaction. */
  ready(answer: Buffer, status: string): void {
    this.#outstanding -= 1;
    write(this.socket, answer);
    if (status !== "I" || this.#outstanding > 0 || this.#unsynced > 0) return;
    const backend = this.#backend;
    this.#backend = null;
    if (backend !== null) this.#pool.give(backend);
  }

  /** A client that leaves in the middle of a transaction takes its connection along. */
  leave(): void {
    if (this.#backend !== null) this.#backend.user = null;
    this.#backend?.stream.destroy();
    this.#backend = null;
  }

  #forward(backend: Backend): void {
    for (const each of this.#waiting.splice(0)) this.#forwardOne(backend, each);
  }

  #forwardOne(backend: Backend, { type, body }: Frame): void {
    this.#unsynced += 1;
    if (type === "P") this.#parse(backend, body);
    else if (type === "B") this.#bind(backend, body);
    else backend.send(type, body);
    if (type === "E" && this.#options.splits === true) {
      backend.expected.push({ to: "sync", isShown: false });
      backend.send("S");
    }
    if (type !== "S" && type !== "Q") return;
    backend.expected.push({ to: "sync", isShown: true });
    this.#outstanding += 1;
    this.#unsynced = 0;
  }

  #parse(backend: Backend, body: Buffer): void {
    const end = body.indexOf(0);
    const name = body.toString("utf8", 0, end);
    if (name === "" || this.#options.keepsStatements === false) {
      backend.parse("", body, true);
      return;
    }
    const renamed = this.#renamed(name);
    const sent = Buffer.concat([zeroTerminated(renamed), body.subarray(end + 1)]);
    this.#statements.set(renamed, sent);
    backend.parse(renamed, sent, true);
  }

  #bind(backend: Backend, body: Buffer): void {
    const portalEnd = body.indexOf(0);
    const end = body.indexOf(0, portalEnd + 1);
    const name = body.toString("utf8", portalEnd + 1, end);
    const renamed = this.#renamed(name);
    const parsed = this.#statements.get(renamed);
    if (name === "" || parsed === undefined) {
      backend.send("B", body);
      return;
    }
    if (!backend.statements.has(renamed)) backend.parse(renamed, parsed, false);
    const portal = body.subarray(0, portalEnd + 1);
    backend.send("B", Buffer.concat([portal, zeroTerminated(renamed), body.subarray(end + 1)]));
  }

  #renamed(name: string): string {
    return `client ${this.#number} ${name}`;
  }
}

class Backends {
  switches = 0;
  readonly #free: Backend[];
  readonly #waiting: ((backend: Backend) => void)[] = [];

  constructor(backends: readonly Backend[]) {
    this.#free = [...backends];
  }

  take(use: (backend: Backend) => void): void {
    // In turn, as with PgBouncer's `server_round_robin`: a client rarely gets the same connection twice.
    const backend = this.#free.shift();
    if (backend === undefined) this.#waiting.push(use);
    else use(backend);
  }

  give(backend: Backend): void {
    backend.user = null;
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(backend);
    else next(backend);
  }
}

const greeting = (number: number): Buffer =>
  Buffer.concat([
    frame("R", int32(0)),
    frame("S", Buffer.concat([zeroTerminated("client_encoding"), zeroTerminated("UTF8")])),
    frame("K", int32(1_000_000 + number, number)),
    frame("Z", Buffer.from("I")),
  ]);

export async function startPooler(url: string, options: PoolerOptions = {}): Promise<Pooler> {
  const backends = await Promise.all(
    Array.from({ length: options.size ?? 3 }, () => backendOf(url)),
  );
  const pool = new Backends(backends.map(({ backend }) => backend));
  const sockets = new Set<Socket>();
  let clients = 0;
  const server = createServer((socket) => {
    clients += 1;
    const number = clients;
    const client = new PooledClient(socket, number, pool, options);
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("error", () => undefined);
    socket.on("close", () => {
      sockets.delete(socket);
      client.leave();
    });
    const read = readFrames((each) => client.receive(each));
    const start = (bytes: Buffer): void => {
      const code = bytes.readInt32BE(4);
      if (code === codes.tls) {
        socket.write("N");
      } else if (code === codes.startup) {
        socket.off("data", start);
        socket.on("data", read);
        socket.write(greeting(number));
      } else {
        socket.destroy();
      }
    };
    socket.on("data", start);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const pooled = new URL(url);
  pooled.port = String((server.address() as AddressInfo).port);
  return {
    url: pooled.href,
    get switches() {
      return pool.switches;
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
      for (const { backend } of backends) backend.stream.destroy();
    },
  };
}

/** The driver signs in; then the pooler uses its socket. */
async function backendOf(url: string): Promise<{ readonly backend: Backend }> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  return { backend: new Backend(stream) };
}
