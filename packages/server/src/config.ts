/**
 * Maximum size of the request line and headers. The longest filter that the document allows fits,
 * with nine bytes for each percent-encoded character, and 24 KiB besides.
 */
export const headerBytes = 96 * 1024;

/** All settings of a server; `secplat serve --help` shows the same list. */
export interface ServerConfig {
  readonly host: string;
  readonly port: number;
  /** `sqlite:<path>` or `postgres://…`. */
  readonly databaseUrl: string;
  /**
   * Base URL of the server for callers, `https://host` without a trailing slash, used in URLs of
   * answers. Absent: the host of each request.
   */
  readonly publicUrl?: string;
  /**
   * Addresses and networks (CIDR) of the proxies whose `X-Forwarded-For`, `X-Forwarded-Proto` and
   * `X-Forwarded-Host` are believed. Default: none.
   */
  readonly trustedProxies?: readonly string[];
  /** Origins whose pages may call the server from a browser; `*`: all; `loopback`: this machine's. Default: none. */
  readonly corsOrigins?: readonly string[];
  /** Serve https. Absent: http. */
  readonly tls?: TlsConfig;
  /** Accept the requests of existing clients, and answer them as those clients expect. */
  readonly compat: boolean;
  /** Serve the operations of the companion document, too. Default: true. */
  readonly companion?: boolean;
  /** Folder of the built documentation site, served under `/docs`; null: none. */
  readonly docsFolder: string | null;
  /** Adds the development control plane under `/_control`; the host must then be a loopback address. */
  readonly development: boolean;
  /** Run background work in this process; every process on a database may. */
  readonly backgroundWork: boolean;
  /** How to send mails; null: they stay in the outbox. */
  readonly mail: MailConfig | null;
  readonly outgoing: OutgoingConfig;
  /** Folder with a folder for each host that files can be fetched from. Absent: none. */
  readonly rtrRoot?: string;
  /** scrypt's N for passwords that are set from now on. Absent: 32,768. */
  readonly passwordCost?: number;
  readonly limits: ServerLimits;
}

/** PEM texts. */
export interface TlsConfig {
  /** The server's certificate, followed by its chain. */
  readonly cert: string;
  readonly key: string;
}

export interface MailConfig {
  /** `smtp://user:password@host:port`, or `smtps://` for TLS from the first byte. */
  readonly url: string;
  /** The sender: an address, or `Name <address>`. */
  readonly from: string;
}

/** Requests that the server sends to URLs of tenants. */
export interface OutgoingConfig {
  /** Networks such as `10.0.0.0/8` that are not public and may be reached nevertheless. */
  readonly allowedNetworks: readonly string[];
  /** Where PagerDuty takes events. */
  readonly pagerDutyUrl: string;
}

export const defaultOutgoing: OutgoingConfig = {
  allowedNetworks: [],
  pagerDutyUrl: "https://events.pagerduty.com/v2/enqueue",
};

export interface ServerLimits {
  /** Requests a minute per tenant; 0 switches the limit off, here and below. */
  readonly requestsPerMinute: number;
  /** Requests a minute per address at the token operations. */
  readonly tokenRequestsPerMinute: number;
  /** Failed authentications a minute per address. */
  readonly failedAuthenticationsPerMinute: number;
  /** Bytes of a JSON or form body. */
  readonly bodyBytes: number;
  /** Bytes of an uploaded file. */
  readonly uploadBytes: number;
  /** Milliseconds in which a request must have arrived in full. */
  readonly requestMilliseconds: number;
  /** Milliseconds a kept-alive connection may stay idle. */
  readonly idleMilliseconds: number;
  readonly connections: number;
  /** Milliseconds of event-loop delay beyond which the server answers 503. */
  readonly overloadMilliseconds: number;
  /** Seconds an access token lives. */
  readonly tokenSeconds: number;
}

export const defaultLimits: ServerLimits = {
  requestsPerMinute: 6_000,
  tokenRequestsPerMinute: 300,
  failedAuthenticationsPerMinute: 15,
  bodyBytes: 10 * 1024 * 1024,
  uploadBytes: 100 * 1024 * 1024,
  requestMilliseconds: 30_000,
  idleMilliseconds: 65_000,
  connections: 10_000,
  overloadMilliseconds: 2_000,
  tokenSeconds: 1_799,
};
