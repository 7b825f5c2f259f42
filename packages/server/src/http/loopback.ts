const names = /^(localhost|([a-z0-9-]+\.)+localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/i;

/** Whether a name or an address, without a port, is this machine's own. */
export const isLoopback = (host: string): boolean => names.test(host);

/** Whether the value of a `Host` header is this machine's own, with or without a port. */
export const isLoopbackHost = (header: string | undefined): boolean =>
  header !== undefined && isLoopback(header.replace(/:\d*$/, ""));

/** Whether the value of an `Origin` header is a page of this machine. */
export function isLoopbackOrigin(header: string): boolean {
  if (!URL.canParse(header)) return false;
  const { protocol, hostname, origin } = new URL(header);
  return /^https?:$/.test(protocol) && origin === header && isLoopback(hostname);
}
