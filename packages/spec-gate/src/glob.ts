/** Whether a text matches a pattern in which `*` stands for any characters. Takes linear time. */
export function matchesGlob(pattern: string, text: string): boolean {
  const [start = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return pattern === text;
  const end = rest.pop() ?? "";
  if (!text.startsWith(start) || !text.endsWith(end)) return false;
  const last = text.length - end.length;
  let at = start.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= last;
}
