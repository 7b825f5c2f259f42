import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import {
  archiveHash,
  archiveStart,
  type ArchiveBlock,
  type ArchivedFile,
  type ArchiveIndex,
} from "../packages/server/src/http/docs-site/archive.ts";

/**
 * Maximum size of a block with several files, in bytes. Twice as much makes an archive 8 % smaller, and each page that
 * is read first twice as slow.
 */
const largestBlock = 512 * 1024;

/** Quality 11 makes an archive 9 % smaller in 14 times as much time. */
const quality = 9;

type Member = readonly [name: string, content: Buffer];

/** Packs the files of a folder, and leaves out files that `isLeftOut` names. */
export async function packSite(
  folder: string,
  isLeftOut: (name: string) => boolean = () => false,
): Promise<Buffer> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll(sep, "/"))
    .filter((name) => !isLeftOut(name));
  return packFiles(names.map((name) => [name, readFileSync(join(folder, name))]));
}

async function packFiles(members: readonly Member[]): Promise<Buffer> {
  const blocks = blocksOf(members);
  const contents: Buffer[] = [];
  const compressNext = async (queue: Iterator<[number, readonly Member[]]>): Promise<void> => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) {
      const [at, block] = next.value;
      contents[at] = await compress(Buffer.concat(block.map(([, content]) => content)));
    }
  };
  const queue = blocks.entries();
  await Promise.all(Array.from({ length: availableParallelism() }, () => compressNext(queue)));
  const index: ArchiveIndex = {
    blocks: contents.map((content): ArchiveBlock => [content.length, archiveHash(content)]),
    files: Object.fromEntries(blocks.flatMap((block, at) => placesIn(block, at))),
  };
  const compressedIndex = await compress(Buffer.from(JSON.stringify(index)));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(compressedIndex.length);
  const hash = createHash("sha256").update(compressedIndex).digest();
  return Buffer.concat([
    Buffer.from(archiveStart, "latin1"),
    length,
    hash,
    compressedIndex,
    ...contents,
  ]);
}

/** Blocks of files of one kind and one folder, which are similar. */
function blocksOf(members: readonly Member[]): readonly (readonly Member[])[] {
  const sorted = members.toSorted(
    ([left], [right]) => compare(extname(left), extname(right)) || compare(left, right),
  );
  const blocks: Member[][] = [];
  let size = 0;
  for (const member of sorted) {
    const last = blocks.at(-1);
    const [name, content] = member;
    size += content.length;
    if (
      last !== undefined &&
      extname(last[0]?.[0] ?? "") === extname(name) &&
      size <= largestBlock
    ) {
      last.push(member);
    } else {
      blocks.push([member]);
      size = content.length;
    }
  }
  return blocks;
}

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

function placesIn(block: readonly Member[], at: number): readonly [string, ArchivedFile][] {
  let offset = 0;
  return block.map(([name, content]) => {
    const place: ArchivedFile = [at, offset, content.length, archiveHash(content)];
    offset += content.length;
    return [name, place];
  });
}

const compress = (content: Buffer): Promise<Buffer> =>
  promisify(brotliCompress)(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  });
