import { CommandError } from "../terminal/exit-codes.ts";

const formats: readonly { starts: readonly number[]; name: string; remedy: string }[] = [
  {
    starts: [0x1f, 0x8b],
    name: "compressed with gzip",
    remedy: "gunzip -c <file> | secplat import <kind> -",
  },
  {
    starts: [0x28, 0xb5, 0x2f, 0xfd],
    name: "compressed with zstd",
    remedy: "zstd -dc <file> | secplat import <kind> -",
  },
  {
    starts: [0x50, 0x4b, 0x03, 0x04],
    name: "a ZIP archive",
    remedy: "unzip -p <file> | secplat import <kind> -",
  },
  { starts: [0xff, 0xfe], name: "UTF-16 text", remedy: "save it as UTF-8" },
  { starts: [0xfe, 0xff], name: "UTF-16 text", remedy: "save it as UTF-8" },
  {
    starts: [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20],
    name: "a SQLite database",
    remedy: "pass it to --database instead",
  },
];

/** Identifies a known format other than NDJSON by its first bytes. */
export function refuseOtherFormats(head: Uint8Array, name: string): void {
  const format = formats.find(({ starts }) => starts.every((byte, index) => head[index] === byte));
  if (format === undefined) return;
  throw new CommandError(
    `${name} is ${format.name}; expected NDJSON, one JSON object per line in UTF-8: ${format.remedy}`,
  );
}
