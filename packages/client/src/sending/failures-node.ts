/** What to do about the failures that Node.js, Bun and Deno report. */
const remedies: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED|connection ?refused/i, "check baseUrl, and that the server runs"],
  [/ENOTFOUND|EAI_AGAIN|dns error/i, "check the host name in baseUrl, and the DNS"],
  [/expired|not yet valid/i, "renew the server's certificate, or set the clock of this machine"],
  [/altnames|NotValidForName/i, "use a name in baseUrl that the certificate contains"],
  [
    /self.signed|issuer|unable to (?:get|verify)|unknown .{0,40}certificate/i,
    "set NODE_EXTRA_CA_CERTS to a file with the certificate of the issuer",
  ],
  [
    /wrong version number|packet length|expected HTTP/i,
    "check whether baseUrl needs https:// or http://",
  ],
  [
    /ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|connect timeout/i,
    "check the network, the firewall and the proxy",
  ],
];

/** Why a request failed, and what to do about it if that is known. */
export function describeFailure(thrown: unknown): string {
  const reason = reasonOf(thrown);
  const remedy = remedies.find(([pattern]) => pattern.test(reason))?.[1];
  return remedy === undefined ? reason : `${reason}; ${remedy}`;
}

/** The message of `fetch` is only "fetch failed"; the reasons are in its causes. */
function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  // A host with several addresses has an error for each of them.
  if (thrown instanceof AggregateError) return thrown.errors.map(reasonOf).join(", ");
  return (thrown.cause instanceof Error && reasonOf(thrown.cause)) || thrown.message;
}

const connectionCodes = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  // Bun
  "ConnectionRefused",
]);

/** Failures of TLS before a request is sent. */
const tlsCodes = /^(?:CERT_|DEPTH_ZERO|ERR_SSL|ERR_TLS|SELF_SIGNED|UNABLE_TO)/;

/** Whether no connection was made, so that the server cannot have acted. */
export function neverConnected(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  const { code } = cause as { readonly code?: unknown };
  if (typeof code === "string" && (connectionCodes.has(code) || tlsCodes.test(code))) return true;
  // Deno
  if (/\bconnection refused\b/i.test(cause.message)) return true;
  return neverConnected(cause.cause);
}
