import type { StoredCase } from "../domain/case-management/kinds/cases.ts";
import { Random } from "./random.ts";

/** A file that somebody attached to a case. */
export interface CaseFileContent {
  readonly name: string;
  readonly description: string;
  readonly content: Buffer;
}

type Owner = Pick<StoredCase, "analysis_results" | "id" | "name" | "reference_id">;

/** Files of different kinds: the first case has a table, the next one a picture, and so on. */
export const caseFileContents: readonly ((owner: Owner) => CaseFileContent)[] = [
  hostTable,
  screenshot,
  networkCapture,
  notes,
];

function hostTable({ analysis_results }: Owner): CaseFileContent {
  const rows = analysis_results.hosts.records.map(
    ({ aid = "", hostname = "" }) => `${aid},${hostname}\n`,
  );
  return {
    name: "hosts.csv",
    description: "Hosts of the evidence",
    content: Buffer.from(`aid,hostname\n${rows.join("")}`),
  };
}

function notes({ name, reference_id }: Owner): CaseFileContent {
  const lines = [
    `${reference_id}: ${name}`,
    "",
    "1. Isolate the host, and leave it switched on.",
    "2. Copy the program and its configuration.",
    "3. Ask the user what was opened, and when.",
    "4. Block the hash and the domains for all hosts.",
  ];
  return {
    name: "notes.txt",
    description: "Notes of the first hour",
    content: Buffer.from(`${lines.join("\n")}\n`),
  };
}

const [width, height] = [240, 150];

/** A picture of a window with a message: a PNG file with a palette, whose pixels are not compressed. */
function screenshot(owner: Owner): CaseFileContent {
  const random = new Random(1, `screenshot of ${owner.id}`);
  const lines = Array.from({ length: 9 }, () => 60 + random.below(110));
  const rows: Buffer[] = [];
  for (let y = 0; y < height; y += 1) {
    const row = Buffer.alloc(width + 1);
    for (let x = 0; x < width; x += 1) row[x + 1] = colourAt(x, y, lines);
    rows.push(row);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits for each pixel, which are indexes of the palette.
  header.set([8, 3], 8);
  const palette = Buffer.from([24, 46, 74, 244, 244, 240, 196, 52, 44, 92, 96, 104, 214, 218, 222]);
  return {
    name: "screenshot.png",
    description: "What the user saw",
    content: Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      pngChunk("IHDR", header),
      pngChunk("PLTE", palette),
      pngChunk("IDAT", stored(Buffer.concat(rows))),
      pngChunk("IEND", Buffer.alloc(0)),
    ]),
  };
}

/** Desktop, window, title bar, and lines of text, as indexes of the palette. */
function colourAt(x: number, y: number, lines: readonly number[]): number {
  if (x < 24 || x >= width - 24 || y < 16 || y >= height - 16) return 0;
  if (y < 30) return 2;
  const line = Math.floor((y - 38) / 10);
  const isText = (y - 38) % 10 < 4 && x >= 34 && x < 34 + (lines[line] ?? 0);
  return isText ? 3 : 1;
}

function pngChunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const chunk = Buffer.alloc(typed.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  chunk.set(typed, 4);
  chunk.writeUInt32BE(crc32(typed), typed.length + 4);
  return chunk;
}

/** Bytes in the format of zlib (RFC 1950), in blocks that are not compressed. */
function stored(bytes: Buffer): Buffer {
  const longest = 65_535;
  const parts: Buffer[] = [Buffer.from([0x78, 0x01])];
  for (let start = 0; start < bytes.length; start += longest) {
    const block = bytes.subarray(start, start + longest);
    const head = Buffer.alloc(5);
    head[0] = start + longest >= bytes.length ? 1 : 0;
    head.writeUInt16LE(block.length, 1);
    head.writeUInt16LE(block.length ^ 0xffff, 3);
    parts.push(head, block);
  }
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(adler32(bytes), 0);
  return Buffer.concat([...parts, sum]);
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

function adler32(bytes: Buffer): number {
  let [low, high] = [1, 0];
  for (const byte of bytes) {
    low = (low + byte) % 65_521;
    high = (high + low) % 65_521;
  }
  return high * 65_536 + low;
}

/** DNS questions of a host as a file in the format of tcpdump, with raw IP packets. */
function networkCapture(owner: Owner): CaseFileContent {
  const random = new Random(1, `capture of ${owner.id}`);
  const header = Buffer.alloc(24);
  header.writeUInt32LE(0xa1b2c3d4, 0);
  header.writeUInt16LE(2, 4);
  header.writeUInt16LE(4, 6);
  header.writeUInt32LE(65_535, 16);
  header.writeUInt32LE(101, 20);
  const packets = Array.from({ length: 60 }, (_, number) => {
    const packet = dnsQuestion(random, `${random.hex(8)}.cdn-sync.example.net`);
    const head = Buffer.alloc(16);
    head.writeUInt32LE(1_772_438_000 + number * 20 + random.below(20), 0);
    head.writeUInt32LE(random.below(1_000_000), 4);
    head.writeUInt32LE(packet.length, 8);
    head.writeUInt32LE(packet.length, 12);
    return Buffer.concat([head, packet]);
  });
  return {
    name: "traffic.pcap",
    description: "Names that the host asked for",
    content: Buffer.concat([header, ...packets]),
  };
}

/** A question for the address of `name`: an IPv4 packet with UDP (RFC 791, 768, 1035). */
function dnsQuestion(random: Random, name: string): Buffer {
  const labels = name
    .split(".")
    .flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]);
  const question = Buffer.concat([
    Buffer.from([random.below(256), random.below(256), 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]),
    ...labels,
    Buffer.from([0, 0, 1, 0, 1]),
  ]);
  const length = 28 + question.length;
  const head = Buffer.from([
    0x45,
    0,
    0,
    0,
    random.below(256),
    random.below(256),
    0x40,
    0,
    64,
    17,
    0,
    0,
  ]);
  head.writeUInt16BE(length, 2);
  const addresses = Buffer.from([10, 20, 4, 31, 10, 20, 0, 10]);
  head.writeUInt16BE(checksum(Buffer.concat([head, addresses])), 10);
  const udp = Buffer.alloc(8);
  udp.writeUInt16BE(49_152 + random.below(16_000), 0);
  udp.writeUInt16BE(53, 2);
  udp.writeUInt16BE(8 + question.length, 4);
  return Buffer.concat([head, addresses, udp, question]);
}

function checksum(bytes: Buffer): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 2) sum += bytes.readUInt16BE(at);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return ~sum & 0xffff;
}
