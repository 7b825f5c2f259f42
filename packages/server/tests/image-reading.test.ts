import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import {
  digestOf,
  ociLayout,
  savedArchive,
  tarOf,
  writeArchive,
  writeFolder,
  type ImageParts,
  type TarFile,
} from "../../../testing/image.ts";
import { temporaryFolder } from "./support/server-process.ts";
import { defaultLimits, type Limits } from "../src/domain/container/images/limits.ts";
import type { Choice } from "../src/domain/container/images/manifests.ts";
import { readImage } from "../src/domain/container/images/read-image.ts";

const npm = (name: string, version: string): TarFile => ({
  path: `app/node_modules/${name}/package.json`,
  content: JSON.stringify({ name, version }),
});

const options = (choice: Choice = {}, limits: Partial<Limits> = {}) => ({
  choice,
  limits: { ...defaultLimits, ...limits },
});

const read = (image: ImageParts, limits: Partial<Limits> = {}) =>
  readImage(writeFolder(temporaryFolder(), ociLayout(image)), options({}, limits));

const librariesOf = async (image: ImageParts): Promise<readonly string[]> =>
  (await read(image)).libraries.map(({ item, layer }) => `${item.name} ${item.version} ${layer}`);

describe("an image is read from", () => {
  const layers = [[npm("a", "1.0.0")], [npm("b", "2.0.0")]];
  const expected = [
    { item: { name: "a", version: "1.0.0" }, layer: 0 },
    { item: { name: "b", version: "2.0.0" }, layer: 1 },
  ];

  test.each(["tar", "gzip", "zstd"] as const)("a folder, with layers as %s", async (packing) => {
    const { libraries, image } = await read({ layers, packing, name: "shop/a:1" });
    expect(libraries).toMatchObject(expected);
    expect(image).toMatchObject({ name: "shop/a:1", indexDigest: "" });
    expect(image.manifest.config.digest).toBe(digestOf(image.config));
  });

  test("an archive of an OCI layout, also with ./ before its paths", async () => {
    const files = ociLayout({ layers });
    const folder = temporaryFolder();
    const dotted = new Map([...files].map(([path, content]) => [`./${path}`, content]));
    for (const each of [files, dotted]) {
      const { libraries } = await readImage(writeArchive(join(folder, "a.tar"), each), options());
      expect(libraries).toMatchObject(expected);
    }
  });

  test("an archive that is compressed with gzip", async () => {
    const folder = temporaryFolder();
    const plain = writeArchive(join(folder, "a.tar"), ociLayout({ layers }));
    writeFileSync(join(folder, "a.tgz"), gzipSync(readFileSync(plain)));
    const { libraries } = await readImage(join(folder, "a.tgz"), options());
    expect(libraries).toMatchObject(expected);
  });

  test("an archive of docker save, in which a layer is a link to another", async () => {
    const twice = [[npm("a", "1.0.0")], [npm("a", "1.0.0")]];
    const path = savedArchive(join(temporaryFolder(), "a.tar"), {
      layers: twice,
      name: "shop/a:1",
    });
    const { libraries, image } = await readImage(path, options());
    expect(libraries).toMatchObject([{ item: { name: "a" } }]);
    expect(image).toMatchObject({ name: "shop/a:1" });
    expect(image.layers.map(({ digest }) => digest)).toEqual(
      twice.map((files) => digestOf(tarOf(files))),
    );
  });
});

describe("layers", () => {
  test("a higher layer replaces a file, removes it, or hides the content of its folder", async () => {
    const base = [npm("a", "1.0.0"), npm("b", "1.0.0"), npm("c", "1.0.0")];
    expect(await librariesOf({ layers: [base, [npm("a", "2.0.0")]] })).toEqual([
      "b 1.0.0 0",
      "c 1.0.0 0",
      "a 2.0.0 1",
    ]);
    const removed = [
      { path: "app/node_modules/a/.wh.package.json" },
      { path: "app/node_modules/.wh.b" },
    ];
    expect(await librariesOf({ layers: [base, removed] })).toEqual(["c 1.0.0 0"]);
    const opaque = [{ path: "app/node_modules/.wh..wh..opq" }, npm("d", "1.0.0")];
    expect(await librariesOf({ layers: [base, opaque] })).toEqual(["d 1.0.0 1"]);
    const back = [npm("b", "3.0.0")];
    expect(await librariesOf({ layers: [base, removed, back] })).toEqual([
      "c 1.0.0 0",
      "b 3.0.0 2",
    ]);
  });

  test("a link or a file that replaces a folder hides its content", async () => {
    const link: TarFile = { path: "app/node_modules", type: "2", target: "../other" };
    expect(await librariesOf({ layers: [[npm("a", "1.0.0")], [link]] })).toEqual([]);
    const folder: TarFile = { path: "app/node_modules/a/package.json", type: "5" };
    expect(await librariesOf({ layers: [[npm("a", "1.0.0")], [folder]] })).toEqual([]);
  });

  test("a hard link is read as the file that it refers to, wherever the file is in the layer", async () => {
    const file: TarFile = {
      path: "store/1",
      content: JSON.stringify({ name: "x", version: "1.0.0" }),
    };
    const link: TarFile = { path: "app/node_modules/x/package.json", type: "1", target: "store/1" };
    expect(await librariesOf({ layers: [[file, link]] })).toEqual(["x 1.0.0 0"]);
    expect(await librariesOf({ layers: [[link, file]] })).toEqual(["x 1.0.0 0"]);
  });
});

describe("an image is rejected", () => {
  const refused = (image: Promise<unknown>, reason: RegExp): Promise<void> =>
    expect(image).rejects.toMatchObject({
      name: "ImageError",
      message: expect.stringMatching(reason) as string,
    });

  test.each([
    ["../etc/passwd", /path "..\/etc\/passwd", which leaves the image/],
    ["a/../../b", /leaves the image/],
  ])("with the path %s in a layer", async (path, reason) => {
    await refused(read({ layers: [[{ path, content: "x" }]] }), reason);
    await refused(read({ layers: [[{ path: "a", type: "1", target: path }]] }), reason);
    const archive = join(temporaryFolder(), "a.tar");
    writeFileSync(archive, tarOf([{ path, content: "x" }]));
    await refused(readImage(archive, options()), reason);
  });

  test("symbolic links cannot lead outside the image, and are not rejected", async () => {
    const link: TarFile = {
      path: "etc/os-release",
      type: "2",
      target: "../../../../etc/os-release",
    };
    expect((await read({ layers: [[link, npm("a", "1.0.0")]] })).libraries).toHaveLength(1);
  });

  test("if a layer is a zip bomb, or if all layers together are too large when unpacked", async () => {
    const zeros = { path: "zeros", content: Buffer.alloc(4 * 2 ** 20) };
    const image = { layers: [[zeros]] };
    await refused(read(image, { ratio: 10, ratioFrom: 2 ** 20 }), /looks like a zip bomb/);
    await refused(read(image, { unpackedBytes: 2 ** 20 }), /unpack to more than 1048576 bytes/);
    await refused(
      read({ layers: [[npm("a", "1.0.0"), npm("b", "1.0.0")]] }, { entries: 1 }),
      /more than 1 entries/,
    );
    await refused(read(image, { layerBytes: 2 ** 20 }), /unpacks to more than 1048576 bytes/);
    expect((await read(image)).libraries).toEqual([]);
  });

  test.each(["gzip", "zstd"] as const)(
    "if a layer unpacks to many zeros, in a file or after the end of the archive, as %s",
    async (packing) => {
      const pack = packing === "gzip" ? gzipSync : zstdCompressSync;
      const zeros = Buffer.alloc(8 * 2 ** 20);
      const end = Buffer.concat([tarOf([npm("a", "1.0.0")]), zeros]);
      await refused(read({ layers: [pack(end)] }), /more than 1048576 bytes after its end marker/);
      await refused(
        read(
          { layers: [pack(tarOf([{ path: "zeros", content: zeros }]))] },
          { ratioFrom: 2 ** 22 },
        ),
        /unpacks to more than 200 times its size; it looks like a zip bomb/,
      );
    },
  );

  test("not because of the padding of an archive, or what follows it", async () => {
    const archive = tarOf([npm("a", "1.0.0")]);
    const padded = Buffer.concat([archive, Buffer.alloc(64 * 1024)]);
    expect((await read({ layers: [padded] })).libraries).toHaveLength(1);
  });

  test("if a layer is truncated, is not an archive, or does not match its digest", async () => {
    const gzip = gzipSync(tarOf([npm("a", "1.0.0")]));
    await refused(
      read({ layers: [gzip.subarray(0, -20)] }),
      /cannot be decompressed: unexpected end/,
    );
    await refused(read({ layers: [gzipSync(gzip)] }), /compressed twice/);
    await refused(
      read({ layers: [Buffer.from("no archive at all")] }),
      /not a readable tar archive/,
    );
    await refused(
      read({ layers: [Buffer.from("BZh91AY&SY")] }),
      /compressed with bzip2; expected gzip, zstd/,
    );
    await refused(
      read({ layers: [tarOf([npm("a", "1.0.0")]).subarray(0, 700)] }),
      /not a readable tar archive/,
    );
    const files = new Map(ociLayout({ layers: [[npm("a", "1.0.0")]] }));
    const [path = ""] = [...files.keys()];
    const withLayer = (layer: Buffer) =>
      readImage(writeFolder(temporaryFolder(), files.set(path, layer)), options());
    const other = gzipSync(tarOf([npm("a", "6.6.6")]), { level: 0 });
    await refused(withLayer(other), /bytes, but the manifest says/);
    // As long as the right one: only the time in the header of gzip differs.
    const changed = gzipSync(tarOf([npm("a", "1.0.0")]));
    changed.writeUInt8(1, 4);
    await refused(withLayer(changed), /does not match its digest/);
  });

  test("if something is missing; the error says what exists", async () => {
    const folder = temporaryFolder();
    await refused(
      readImage(folder, options()),
      /neither index\.json \(OCI layout\) nor manifest\.json/,
    );
    const files = new Map(ociLayout({ layers: [[npm("a", "1.0.0")]] }));
    const [layer = ""] = [...files.keys()];
    files.delete(layer);
    await refused(
      readImage(writeFolder(folder, files), options()),
      /the layer sha256:[0-9a-f]{64} is missing/,
    );
    writeFileSync(join(folder, "index.json"), "{");
    await refused(readImage(folder, options()), /index\.json is not JSON/);
    const bad = {
      schemaVersion: 2,
      manifests: [{ mediaType: "x", size: 1, digest: "sha256:../../x" }],
    };
    writeFileSync(join(folder, "index.json"), JSON.stringify(bad));
    await refused(readImage(folder, options()), /is not a digest/);
  });

  test("if several images or platforms match", async () => {
    const images = [
      { layers: [[npm("a", "1.0.0")]], name: "shop/a:1", architecture: "amd64" },
      { layers: [[npm("b", "1.0.0")]], name: "shop/b:1", architecture: "amd64" },
    ];
    const folder = writeFolder(temporaryFolder(), ociLayout(...images));
    await refused(
      readImage(folder, options({ platform: "linux/amd64" })),
      /contains 2 images; choose one with --image: shop\/a:1, shop\/b:1/,
    );
    const chosen = await readImage(folder, options({ image: "docker.io/shop/b:1" }));
    expect(chosen.libraries).toMatchObject([{ item: { name: "b" } }]);
    await refused(readImage(folder, options({ image: "shop/c:1" })), /no image shop\/c:1; it has/);
    const platforms = images.map((image, index) => ({
      ...image,
      name: "shop/a:1",
      architecture: ["s390x", "riscv64"][index] ?? "",
    }));
    const both = writeFolder(temporaryFolder(), ociLayout(...platforms));
    const riscv = await readImage(both, options({ platform: "linux/riscv64", image: "shop/a:1" }));
    expect(riscv.libraries).toMatchObject([{ item: { name: "b" } }]);
    await refused(
      readImage(both, options({ image: "shop/a:1" })),
      /no image for linux\/\w+; choose one with --platform: linux\/s390x, linux\/riscv64/,
    );
  });
});
