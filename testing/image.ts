import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";

/** An entry of a tar archive. */
export interface TarFile {
  readonly path: string;
  readonly content?: string | Buffer;
  /** `0` file, `1` hard link, `2` symbolic link, `5` folder. */
  readonly type?: "0" | "1" | "2" | "5";
  readonly target?: string;
  readonly mode?: number;
}

/** A tar archive of exactly these entries, even of paths that no tool would write. */
export function tarOf(files: readonly TarFile[]): Buffer {
  const blocks = files.flatMap(({ path, content = "", type = "0", target = "", mode = 0o644 }) => {
    const bytes = Buffer.from(content);
    const header = Buffer.alloc(512);
    header.write(path, 0, 100);
    header.write(`${mode.toString(8).padStart(7, "0")}\0`, 100);
    header.write("0000000\u00000000000\u0000", 108);
    header.write(`${bytes.length.toString(8).padStart(11, "0")}\0`, 124);
    header.write("00000000000\0", 136);
    header.write("        ", 148);
    header.write(type, 156);
    header.write(target, 157, 100);
    header.write("ustar\u000000", 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1_024)]);
}

export const digestOf = (content: Buffer | string): string =>
  `sha256:${createHash("sha256").update(content).digest("hex")}`;

const packings = {
  tar: { pack: (tar: Buffer) => tar, suffix: "" },
  gzip: { pack: (tar: Buffer) => gzipSync(tar), suffix: "+gzip" },
  zstd: { pack: (tar: Buffer) => zstdCompressSync(tar), suffix: "+zstd" },
};

export interface ImageParts {
  /** The lowest first; a buffer is a layer as it is stored. */
  readonly layers: readonly (readonly TarFile[] | Buffer)[];
  readonly packing?: keyof typeof packings;
  readonly config?: object;
  readonly history?: readonly object[];
  readonly name?: string;
  readonly architecture?: string;
  /** Changes the descriptors of the layers. */
  readonly descriptor?: (descriptor: object) => object;
}

/** The files of an OCI layout, by path. */
export function ociLayout(...images: readonly ImageParts[]): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  const add = (content: Buffer): { digest: string; size: number } => {
    const digest = digestOf(content);
    files.set(`blobs/${digest.replace(":", "/")}`, content);
    return { digest, size: content.length };
  };
  const manifests = images.map((image) => {
    const { packing = "gzip", name, architecture = "amd64", descriptor = (same) => same } = image;
    const { pack, suffix } = packings[packing];
    const tars = image.layers.map((layer) => (Buffer.isBuffer(layer) ? null : tarOf(layer)));
    const layers = image.layers.map((layer, index) => {
      const tar = tars[index];
      return descriptor({
        mediaType: `application/vnd.oci.image.layer.v1.tar${suffix}`,
        ...add(tar == null ? (layer as Buffer) : pack(tar)),
      });
    });
    const config = add(
      configOf(
        image,
        tars.map((tar) => digestOf(tar ?? "")),
      ),
    );
    const manifest = {
      schemaVersion: 2,
      mediaType: "application/vnd.oci.image.manifest.v1+json",
      config: { mediaType: "application/vnd.oci.image.config.v1+json", ...config },
      layers,
    };
    return {
      mediaType: manifest.mediaType,
      ...add(Buffer.from(JSON.stringify(manifest))),
      platform: { os: "linux", architecture },
      ...(name === undefined ? {} : { annotations: { "org.opencontainers.image.ref.name": name } }),
    };
  });
  files.set("index.json", Buffer.from(JSON.stringify({ schemaVersion: 2, manifests })));
  files.set("oci-layout", Buffer.from('{"imageLayoutVersion":"1.0.0"}'));
  return files;
}

const configOf = (
  { config = {}, history = [], architecture = "amd64" }: ImageParts,
  diff_ids: readonly string[],
): Buffer =>
  Buffer.from(
    JSON.stringify({
      architecture,
      os: "linux",
      created: "2026-03-01T22:10:00Z",
      config: { User: "10001", Healthcheck: { Test: ["NONE"] }, ...config },
      rootfs: { type: "layers", diff_ids },
      history,
    }),
  );

export function writeFolder(folder: string, files: ReadonlyMap<string, Buffer>): string {
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

export function writeArchive(path: string, files: ReadonlyMap<string, Buffer>): string {
  writeFileSync(path, tarOf([...files].map(([name, content]) => ({ path: name, content }))));
  return path;
}

/** An archive as `docker save` wrote it before it used the OCI layout; the second layer is a link. */
export function savedArchive(path: string, image: ImageParts): string {
  const tars = image.layers.map((layer) => tarOf(layer as readonly TarFile[]));
  const config = configOf(image, tars.map(digestOf));
  const first = tars[0] ?? Buffer.alloc(0);
  const files: TarFile[] = tars.map((tar, index) =>
    index > 0 && tar.equals(first)
      ? { path: `layer${index}/layer.tar`, type: "2", target: "../layer0/layer.tar" }
      : { path: `layer${index}/layer.tar`, content: tar },
  );
  const saved = {
    Config: "config.json",
    RepoTags: image.name === undefined ? null : [image.name],
    Layers: tars.map((_, index) => `layer${index}/layer.tar`),
  };
  const documents: TarFile[] = [
    { path: "config.json", content: config },
    { path: "manifest.json", content: JSON.stringify([saved]) },
  ];
  writeFileSync(path, tarOf([...files, ...documents]));
  return path;
}
