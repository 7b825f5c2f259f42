import { promisify } from "node:util";
import type { ServedOperation } from "@security-platform/spec";
import { onTestFinished } from "vitest";
import { ownBlobs } from "../../src/blobs/open-blobs.ts";
import {
  defaultLimits,
  defaultOutgoing,
  type ServerConfig,
  type ServerLimits,
} from "../../src/foundation/config.ts";
import { createApp } from "../../src/http/app.ts";
import { connectionsOf } from "../../src/http/connections/connections.ts";
import type { Answer } from "../../src/calls/answer.ts";
import type { Call } from "../../src/calls/call.ts";
import type { Exchange } from "../../src/http/routes/route-parts.ts";
import { LocalLimits } from "../../src/limits/limits.ts";
import { createLogger, type LogLevel } from "../../src/foundation/logger.ts";
import { HttpOutgoing } from "../../src/outgoing/http-outgoing.ts";
import { openStoreAt } from "../../src/host/open-store-at.ts";
import { ManualClock } from "./manual-clock.ts";

/** One operation of a small app. Its path is `/<id>`. */
export interface SmallOperation extends Partial<Omit<ServedOperation, "id">> {
  readonly handle: (call: SmallCall) => Promise<Answer> | Answer;
}

/** A call without types from a document. */
export type SmallCall = Omit<Call, "query" | "headers" | "body" | "files"> & {
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly files: Readonly<Record<string, Call<"entities.files_upload.post.v1">["files"]["file"]>>;
};

export interface SmallApp {
  readonly url: string;
  /** The exchanges that the server reported, oldest first. */
  readonly exchanges: readonly Exchange[];
  /** The number of open connections. */
  connections(): Promise<number>;
  /** Stops it, as after a signal; otherwise it is stopped after the test. */
  close(): Promise<void>;
}

export interface SmallAppOptions {
  readonly limits?: Partial<ServerLimits>;
  readonly log?: (line: string) => void;
  readonly logLevel?: LogLevel;
  readonly config?: Partial<ServerConfig>;
}

/** Serves operations of a test, which need no token, through the same code as all operations. */
export async function startSmallApp(
  operations: Readonly<Record<string, SmallOperation>>,
  {
    limits = {},
    log = () => undefined,
    logLevel = "error",
    config: options = {},
  }: SmallAppOptions = {},
): Promise<SmallApp> {
  const clock = new ManualClock();
  const store = await openStoreAt({ url: "sqlite::memory:", clock, resources: [] });
  const exchanges: Exchange[] = [];
  const config = {
    host: "127.0.0.1",
    port: 0,
    authority: "127.0.0.1:0",
    databaseUrl: "sqlite::memory:",
    compat: false,
    docsFolder: null,
    development: false,
    backgroundWork: false,
    mail: null,
    outgoing: defaultOutgoing,
    ...options,
    limits: { ...defaultLimits, tokenRequestsPerMinute: 0, overloadMilliseconds: 0, ...limits },
  };
  const logger = createLogger(logLevel, { write: log });
  const app = await createApp(
    {
      store,
      clock,
      config,
      logger,
      limits: new LocalLimits(config.limits),
      cursorSecret: "secret",
      blobs: ownBlobs(config.databaseUrl).blobs,
      linkKey: "key",
      outgoing: new HttpOutgoing(defaultOutgoing),
      hostFiles: null,
      storage: null,
    },
    Object.fromEntries(
      Object.entries(operations).map(([id, { handle }]) => [
        id,
        async (call: never) => handle(call as SmallCall),
      ]),
    ),
    {
      connections: connectionsOf(config, logger),
      observe: (exchange) => exchanges.push(exchange),
      operations: Object.entries(operations).map(([id, operation]) => ({
        id: id as ServedOperation["id"],
        document: "platform" as const,
        method: "get" as const,
        path: `/${id}`,
        collection: "test",
        scope: null,
        parameters: [],
        successStatus: 200,
        answer: "records" as const,
        answersAs: ["application/json"],
        ranges: false,
        ...operation,
      })),
    },
  );
  await app.listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(async () => {
    await app.close();
    await store.close();
  });
  const connections = (): Promise<number> =>
    promisify(app.server.getConnections.bind(app.server))();
  return { url: app.listeningOrigin, exchanges, connections, close: () => app.close() };
}
