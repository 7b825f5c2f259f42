/**
 * Maximum size of the request line and headers. It allows the longest filter of the document with nine bytes
 * per percent-encoded character, and 24 KiB for the rest.
 */
export const headerBytes = 96 * 1024;

/**
 * Maximum size of an URL-encoded form in bytes. Only the token operations take such forms. Their callers have
 * no token yet.
 */
export const tokenFormBytes = 16 * 1024;

/** Settings of a platform, wherever it runs. */
export interface PlatformConfig {
  /**
   * Base URL of the server for callers, such as `https://host` or `https://host/platform` behind a proxy that removes
   * the path. Used for URLs in responses. Absent: the host of each request.
   */
  readonly publicUrl?: string;
  /** Host and port for URLs in responses to requests without a valid `Host`. Default: localhost. */
  readonly authority?: string;
  /**
   * Addresses and networks (CIDR) of trusted proxies. Their `X-Forwarded-For`, `X-Forwarded-Proto`,
   * `X-Forwarded-Host` and `X-Forwarded-Prefix` headers are used. Default: none.
   */
  readonly trustedProxies?: readonly string[];
  /**
   * Origins whose pages may call the server from a browser. `*`: all origins; `loopback`: origins on this
   * machine. Default: none.
   */
  readonly corsOrigins?: readonly string[];
  /** The documentation site under `/docs`; errors link to its guide while it can be read. Absent: none. */
  readonly guides?: Guides;
  /** Accept the requests of existing clients, and answer them as those clients expect. */
  readonly compat: boolean;
  /** Whether the operations of the companion document are served. Default: true. */
  readonly companion?: boolean;
  /**
   * Whether the development control plane is served under `/_control`. A host that listens then uses a loopback
   * address.
   */
  readonly development: boolean;
  readonly outgoing: OutgoingConfig;
  /** scrypt's N for new passwords. Absent: 32,768. */
  readonly passwordCost?: number;
  readonly limits: ServerLimits;
}

/** Whether the guides can be read. Their package may be damaged, and installed again, while the server runs. */
export interface Guides {
  readonly areServed: boolean;
}

/** All settings of a server; `secplat serve --help` shows the same list. */
export interface ServerConfig extends Omit<PlatformConfig, "authority" | "guides"> {
  readonly host: string;
  readonly port: number;
  /** `sqlite:<path>` or `postgres://…`. */
  readonly databaseUrl: string;
  /** Serve https. Absent: http. */
  readonly tls?: TlsConfig;
  /** Folder of the documentation site, as files or as an archive, served under `/docs`; null: none. */
  readonly docsFolder: string | null;
  /**
   * The client of the demo. Pages of the documentation show its credentials to a reader on this machine. Absent: there is
   * no demo, or its data is worth protecting.
   */
  readonly demoClient?: { readonly id: string; readonly secret: string };
  /** Whether background work runs in this process. Several processes on one database may do so. */
  readonly backgroundWork: boolean;
  /** How to send mails; null: they stay in the outbox. */
  readonly mail: MailConfig | null;
  /** Folder with one subfolder for each host that files can be fetched from. Absent: none. */
  readonly rtrRoot?: string;
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

/** Settings for requests to URLs that tenants choose. */
export interface OutgoingConfig {
  /** Networks that are not public but may be reached, such as `10.0.0.0/8`. */
  readonly allowedNetworks: readonly string[];
  /** URL of the PagerDuty events API. */
  readonly pagerDutyUrl: string;
}

export const defaultOutgoing: OutgoingConfig = {
  allowedNetworks: [],
  pagerDutyUrl: "https://events.pagerduty.com/v2/enqueue",
};

export interface ServerLimits {
  /** Requests per minute and tenant. 0 switches the limit off; the same holds for the limits below. */
  readonly requestsPerMinute: number;
  /** Requests per minute and address to the token operations. */
  readonly tokenRequestsPerMinute: number;
  /** Failed authentications per minute and address. */
  readonly failedAuthenticationsPerMinute: number;
  /** Maximum size of a JSON or form body in bytes. */
  readonly bodyBytes: number;
  /** Memory in bytes for all bodies that are being received. 0: an eighth of the process's memory limit. */
  readonly bodyMemoryBytes: number;
  /** Memory in bytes for all responses that callers have not taken. 0: an eighth of the process's memory limit. */
  readonly responseMemoryBytes: number;
  /** Requests in work at a time. Others wait, and tenants take turns. 0: 16 for each processor. */
  readonly requestsInWork: number;
  /** Maximum number of requests of one tenant that wait. */
  readonly requestsWaiting: number;
  /** Maximum time in milliseconds that a request waits for its turn. */
  readonly waitMilliseconds: number;
  /** Maximum number of values in a JSON body. A list or an object is a value too. */
  readonly bodyValues: number;
  /** Maximum size of an uploaded file in bytes. */
  readonly uploadBytes: number;
  /**
   * Maximum size of the database and the files of all tenants in bytes. At the limit, nothing can be added. 0 switches the
   * limit off; the same holds for the next one.
   */
  readonly storageBytes: number;
  /** Maximum size of a tenant's records and files in bytes. */
  readonly tenantStorageBytes: number;
  /** Maximum time in milliseconds to receive a complete request. */
  readonly requestMilliseconds: number;
  /** Maximum time in milliseconds in which a caller takes no byte of a response. */
  readonly writeMilliseconds: number;
  /** Maximum idle time of a keep-alive connection in milliseconds. */
  readonly idleMilliseconds: number;
  readonly connections: number;
  /** Maximum event-loop delay in milliseconds. While it is exceeded, the server responds with 503. */
  readonly overloadMilliseconds: number;
  /** Lifetime of an access token in seconds. */
  readonly tokenSeconds: number;
}

export const defaultLimits: ServerLimits = {
  requestsPerMinute: 6_000,
  tokenRequestsPerMinute: 300,
  failedAuthenticationsPerMinute: 15,
  bodyBytes: 10 * 1024 * 1024,
  bodyMemoryBytes: 0,
  responseMemoryBytes: 0,
  requestsInWork: 0,
  requestsWaiting: 1_000,
  waitMilliseconds: 10_000,
  bodyValues: 200_000,
  uploadBytes: 100 * 1024 * 1024,
  storageBytes: 0,
  tenantStorageBytes: 0,
  requestMilliseconds: 30_000,
  writeMilliseconds: 120_000,
  idleMilliseconds: 65_000,
  connections: 10_000,
  overloadMilliseconds: 2_000,
  tokenSeconds: 1_799,
};

export const defaultConfig: PlatformConfig = {
  compat: false,
  development: false,
  outgoing: defaultOutgoing,
  limits: defaultLimits,
};
