/** RFC 6266: an ASCII name for every client, and the full name for clients that support UTF-8. */
export function attachment(name: string): string {
  const known = name.toWellFormed().slice(0, 128);
  const plain = known.replaceAll(/[^\x20-\x7e]|["\\%/]/g, "_");
  if (plain === known) return `attachment; filename="${plain}"`;
  const encoded = encodeURIComponent(known.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
