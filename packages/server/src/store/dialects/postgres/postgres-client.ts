import { Client, type ClientConfig } from "pg";
import { StoreUnavailableError } from "../../types/errors.ts";
import { driverUrl } from "./postgres-url.ts";

export interface BoundConfig extends ClientConfig {
  /** Whether the driver binds the authentication to the encrypted connection if the server offers it. */
  readonly enableChannelBinding?: boolean | undefined;
  /** Whether a connection without such an authentication is refused. */
  readonly requireChannelBinding?: boolean;
}

/** The part of the driver's connection that the check of channel binding needs. */
interface WireConnection {
  on(event: string, listener: (message: { readonly mechanisms?: readonly string[] }) => void): void;
  emit(event: "error", error: Error): void;
  readonly stream: { destroy(): void };
}

/** What a URL says of connections, for `PostgresClient`. The driver itself does not read `channel_binding`. */
export function connectionConfig(url: string): BoundConfig {
  const connectionString = driverUrl(url);
  const [, binding] = /[?&]channel_binding=(\w+)/.exec(connectionString) ?? [];
  const requireChannelBinding = binding === "require";
  const enableChannelBinding = requireChannelBinding || binding === "prefer";
  return { connectionString, enableChannelBinding, requireChannelBinding };
}

const boundMechanism = "SCRAM-SHA-256-PLUS";

/** A client of the driver that can require channel binding, as `channel_binding=require` does for `psql`. */
export class PostgresClient extends Client {
  constructor(config: BoundConfig = {}) {
    super(config);
    if (config.requireChannelBinding === true) requireBinding(wireOf(this));
  }
}

const wireOf = (client: Client): WireConnection =>
  (client as unknown as { readonly connection: WireConnection }).connection;

/** Ends a connection before it sends a password that is not bound to it. The driver's own listeners follow these. */
function requireBinding(connection: WireConnection): void {
  let isBound = false;
  const refuse = (): void => {
    connection.stream.destroy();
    connection.emit("error", new StoreUnavailableError(notOffered));
  };
  connection.on("authenticationSASL", ({ mechanisms = [] }) => {
    isBound = mechanisms.includes(boundMechanism);
    if (!isBound) refuse();
  });
  connection.on("authenticationCleartextPassword", refuse);
  connection.on("authenticationMD5Password", refuse);
  connection.on("authenticationOk", () => {
    if (!isBound) refuse();
  });
}

const notOffered =
  "PostgreSQL: it does not offer the channel binding that channel_binding=require of the URL requires; enable TLS with " +
  "sslmode and the authentication scram-sha-256, or set channel_binding=prefer";
