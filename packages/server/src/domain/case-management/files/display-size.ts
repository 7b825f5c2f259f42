const units = ["B", "KB", "MB", "GB", "TB"] as const;

/** A size as people read it: `97 B`, `114.8 KB`. A KB has 1,024 bytes. */
export function displaySize(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  let value = bytes;
  let unit = 0;
  // A value that would be shown as 1024.0 is shown as 1 of the next unit.
  while (Number(value.toFixed(1)) >= 1_024 && unit < units.length - 1) {
    value /= 1_024;
    unit += 1;
  }
  return `${value.toFixed(1)} ${units[unit]}`;
}
