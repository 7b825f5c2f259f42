/** RFC 6266: an ASCII name for every client, and the full name for clients that support UTF-8. */
export function attachment(name: string): string {
  const shortName = name.toWellFormed().slice(0, 128);
  const plain = shortName.replaceAll(/[^\x20-\x7e]|["\\%/]/g, "_");
  if (plain === shortName) return `attachment; filename="${plain}"`;
  const encoded = encodeURIComponent(shortName.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
