type Constructor = new (...parameters: never[]) => object;

export function inherits(constructor: Constructor, parent: Constructor): void {
  Object.assign(constructor, { super_: parent });
  Object.setPrototypeOf(constructor.prototype, parent.prototype as object);
}

/** Replaces `%s`, `%d`, `%j` and the like, and appends further values. */
export function format(text: unknown, ...values: readonly unknown[]): string {
  const rest = [...values];
  const formatted = String(text).replaceAll(/%[sdijoO%]/g, (sign) => {
    if (sign === "%%") return "%";
    if (rest.length === 0) return sign;
    const value = rest.shift();
    return sign === "%j" ? JSON.stringify(value) : String(value);
  });
  return [formatted, ...rest.map(String)].join(" ");
}

export const debuglog = (): (() => void) & { enabled: boolean } =>
  Object.assign(() => undefined, { enabled: false });

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** Compares values of JSON and dates. */
export function isDeepStrictEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (!isObject(one) || !isObject(other)) return false;
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false;
  if (one instanceof Date) return one.getTime() === (other as unknown as Date).getTime();
  if (one instanceof Map || one instanceof Set) {
    return isDeepStrictEqual([...one], [...(other as unknown as Iterable<unknown>)]);
  }
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isDeepStrictEqual(one[key], other[key]))
  );
}
