/** Maximum length of a result in characters, as assistants have little room. */
export const longestResult = 40_000;

/**
 * The value as JSON of at most `longest` characters. Entries at the end of the list at `member` are left out, and
 * `left_out` counts them; a text without such a list is cut.
 */
export function boundedJson(
  value: Readonly<Record<string, unknown>>,
  member: string,
  longest = longestResult,
): string {
  const whole = JSON.stringify(value);
  if (whole.length <= longest) return whole;
  const list = value[member];
  if (Array.isArray(list)) {
    let count = 0;
    let length = JSON.stringify({
      ...value,
      [member]: [],
      left_out: list.length,
      hint: hints.list,
    }).length;
    for (const entry of list as readonly unknown[]) {
      length += JSON.stringify(entry).length + 1;
      if (length > longest) break;
      count += 1;
    }
    if (count > 0) {
      return JSON.stringify({
        ...value,
        [member]: list.slice(0, count),
        left_out: list.length - count,
        hint: hints.list,
      });
    }
  }
  return `${whole.slice(0, longest - hints.text.length - 1)}\n${hints.text}`;
}

const hints = {
  list: "narrow the filter, request fewer entries, or select members with query",
  text: "The result is longer and was cut here; select members with query.",
};
