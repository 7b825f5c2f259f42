const names = /^(localhost|([a-z0-9-]+\.)+localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/i;

/** Whether a host name or address (without a port) belongs to this machine. */
export const isLoopback = (host: string): boolean => names.test(host);

/** Whether a `Host` header names this machine, with or without a port. */
export const isLoopbackHost = (header: string | undefined): boolean =>
  header !== undefined && isLoopback(header.replace(/:\d*$/, ""));

/** Whether an `Origin` header names a page of this machine. */
export function isLoopbackOrigin(header: string): boolean {
  if (!URL.canParse(header)) return false;
  const { protocol, hostname, origin } = new URL(header);
  return /^https?:$/.test(protocol) && origin === header && isLoopback(hostname);
}
