const longest = 80;

/** A value in a message, as shortened JSON. Reads only the shown part of the value. */
export function shown(value: unknown): string {
  const text = startOf(value, longest + 1) ?? String(value);
  return text.length > longest ? `${text.slice(0, longest - 3)}…` : text;
}

/** The JSON text of a value, or at least the first `length` characters of it. */
function startOf(value: unknown, length: number): string | undefined {
  if (typeof value === "string") return JSON.stringify(value.slice(0, length));
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  let text = open ?? "";
  for (const name in value) {
    if (!Object.hasOwn(value, name)) continue;
    if (text.length >= length) return text;
    const label = Array.isArray(value) ? "" : `${startOf(name, length) ?? ""}:`;
    const member = startOf((value as Record<string, unknown>)[name], length - text.length);
    text += `${text === open ? "" : ","}${label}${member ?? "null"}`;
  }
  return text + (close ?? "");
}
