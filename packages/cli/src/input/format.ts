import { CommandError } from "../terminal/exit-codes.ts";

const formats: readonly { starts: readonly number[]; is: string; remedy: string }[] = [
  {
    starts: [0x1f, 0x8b],
    is: "compressed with gzip",
    remedy: "gunzip -c <file> | secplat import <kind> -",
  },
  {
    starts: [0x28, 0xb5, 0x2f, 0xfd],
    is: "compressed with zstd",
    remedy: "zstd -dc <file> | secplat import <kind> -",
  },
  {
    starts: [0x50, 0x4b, 0x03, 0x04],
    is: "a ZIP archive",
    remedy: "unzip -p <file> | secplat import <kind> -",
  },
  { starts: [0xff, 0xfe], is: "UTF-16 text", remedy: "save it as UTF-8" },
  { starts: [0xfe, 0xff], is: "UTF-16 text", remedy: "save it as UTF-8" },
  {
    starts: [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20],
    is: "a SQLite database",
    remedy: "give it to --database instead",
  },
];

/** Names what the input is instead of NDJSON, where its first bytes tell. */
export function refuseOtherFormats(head: Uint8Array, name: string): void {
  const found = formats.find(({ starts }) => starts.every((byte, index) => head[index] === byte));
  if (found === undefined) return;
  throw new CommandError(
    `${name} is ${found.is}; expected NDJSON, one JSON object a line in UTF-8: ${found.remedy}`,
  );
}
