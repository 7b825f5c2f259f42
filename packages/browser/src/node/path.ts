export function basename(path: string, suffix = ""): string {
  const name =
    path
      .replace(/(?<!\/)\/+$/, "")
      .split("/")
      .at(-1) ?? "";
  return name !== suffix && name.endsWith(suffix)
    ? name.slice(0, name.length - suffix.length)
    : name;
}

export const extname = (path: string): string => /[^.](\.[^.]*)$/.exec(basename(path))?.[1] ?? "";
