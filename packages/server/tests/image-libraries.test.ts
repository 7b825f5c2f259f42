import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { ZipFile } from "yazl";
import { ociLayout, writeFolder, type TarFile } from "../../../testing/image.ts";
import { defaultLimits, type Limits } from "../src/domain/container/images/limits.ts";
import { readImage } from "../src/domain/container/images/read-image.ts";
import { readLayer } from "./support/read-layer.ts";
import { temporaryFolder } from "./support/server-process.ts";

describe("libraries of applications", () => {
  const librariesOf = async (...files: readonly TarFile[]): Promise<readonly string[]> =>
    (await readLayer(...files)).libraries.map(
      ({ item }) => `${item.type} ${item.name} ${item.version}`,
    );

  test.each<readonly [string, string, readonly string[]]>([
    [
      "app/node_modules/@x/y/package.json",
      '{"name":"@x/y","version":"1.2.3","license":"MIT"}',
      ["npm @x/y 1.2.3"],
    ],
    ["app/node_modules/x/lib/package.json", '{"name":"no","version":"1.2.3"}', []],
    [
      "app/package-lock.json",
      '{"lockfileVersion":3,"packages":{"":{"version":"9.9.9"},"node_modules/a":{"version":"1.0.0"},"node_modules/a/node_modules/@b/c":{"version":"2.0.0"},"node_modules/d":{"version":"3.0.0","dev":true}}}',
      ["npm a 1.0.0", "npm @b/c 2.0.0"],
    ],
    [
      "app/package-lock.json",
      '{"lockfileVersion":1,"dependencies":{"a":{"version":"1.0.0","dependencies":{"b":{"version":"2.0.0"}}},"d":{"version":"3.0.0","dev":true}}}',
      ["npm a 1.0.0", "npm b 2.0.0"],
    ],
    [
      "app/yarn.lock",
      '"@a/b@^1.0.0", "@a/b@^1.1.0":\n  version "1.2.0"\n\nlodash@^4.17.0:\n  version "4.17.20"\n',
      ["npm @a/b 1.2.0", "npm lodash 4.17.20"],
    ],
    [
      "app/yarn.lock",
      '__metadata:\n  version: 8\n\n"ws@npm:^8.0.0":\n  version: 8.16.0\n',
      ["npm ws 8.16.0"],
    ],
    [
      "usr/lib/python3/site-packages/PyYAML-5.3.1.dist-info/METADATA",
      "Metadata-Version: 2.1\nName: PyYAML\nVersion: 5.3.1\nLicense: MIT\n\nName: no\n",
      ["pypi PyYAML 5.3.1"],
    ],
    [
      "usr/lib/python3/dist-packages/six-1.16.0.egg-info/PKG-INFO",
      "Name: six\r\nVersion: 1.16.0\r\n\r\n",
      ["pypi six 1.16.0"],
    ],
    [
      "app/Cargo.lock",
      '[[package]]\nname = "own"\nversion = "0.1.0"\n\n[[package]]\nname = "time"\nversion = "0.2.22"\nsource = "registry+x"\n',
      ["cargo time 0.2.22"],
    ],
    [
      "app/Gemfile.lock",
      "GIT\n  specs:\n    no (1.0)\n\nGEM\n  specs:\n    rack (2.2.3)\n      dep (>= 1)\n    nokogiri (1.13.3-x86_64-linux)\n\nPLATFORMS\n  ruby\n",
      ["gem rack 2.2.3", "gem nokogiri 1.13.3"],
    ],
    [
      "usr/lib/ruby/gems/3.1.0/specifications/rack-2.2.3.gemspec",
      'Gem::Specification.new do |s|\n  s.name = "rack".freeze\n  s.version = "2.2.3"\n',
      ["gem rack 2.2.3"],
    ],
    [
      "app/app.deps.json",
      '{"libraries":{"app/1.0.0":{"type":"project"},"Newtonsoft.Json/12.0.3":{"type":"package"}}}',
      ["nuget Newtonsoft.Json 12.0.3"],
    ],
    [
      "app/packages.lock.json",
      '{"version":1,"dependencies":{"net8.0":{"System.Text.Json":{"type":"Direct","resolved":"8.0.3"},"own":{"type":"Project"}}}}',
      ["nuget System.Text.Json 8.0.3"],
    ],
    ["app/package-lock.json", "not json", []],
  ])("%s", async (path, content, expected) => {
    expect(await librariesOf({ path, content })).toEqual(expected);
  });

  test("the same library is listed once", async () => {
    const lock = '{"packages":{"node_modules/a":{"version":"1.0.0"}}}';
    expect(
      await librariesOf(
        { path: "app/package-lock.json", content: lock },
        { path: "app/node_modules/a/package.json", content: '{"name":"a","version":"1.0.0"}' },
      ),
    ).toEqual(["npm a 1.0.0"]);
  });

  test("Java archives: by Maven's files, by the manifest, by the file name, and in nested archives", async () => {
    const properties = "groupId=org.apache.logging.log4j\nartifactId=log4j-core\nversion=2.14.1\n";
    const log4j = await zip({
      "META-INF/maven/org.apache.logging.log4j/log4j-core/pom.properties": properties,
    });
    const bundle = await zip({
      "META-INF/MANIFEST.MF":
        "Manifest-Version: 1.0\r\nBundle-SymbolicName: org.example.thing;singleton:=tr\r\n ue\r\nBundle-Version: 3.1\r\n",
    });
    const war = await zip({
      "WEB-INF/lib/log4j-core-2.14.1.jar": log4j,
      "WEB-INF/lib/thing.jar": bundle,
      "WEB-INF/lib/commons-io-2.7.jar": await zip({ x: "" }),
      "notes.jar": "no archive",
    });
    expect(await librariesOf({ path: "srv/app-1.0.war", content: war })).toEqual([
      "maven app 1.0",
      "maven org.apache.logging.log4j:log4j-core 2.14.1",
      "maven org.example:thing 3.1",
      "maven commons-io 2.7",
    ]);
    const { warnings } = await readLayer({ path: "a.jar", content: "no archive" });
    expect(warnings).toMatchObject([expect.stringContaining("a.jar: not a readable Java archive")]);
  });

  test("Java archives that unpack to too much are refused, one by one and in sum", async () => {
    const inner = await zip({ "META-INF/MANIFEST.MF": Buffer.alloc(2 ** 20) });
    const bomb = await zip({ "lib/a.jar": inner, "lib/b.jar": inner });
    const readWith = (limits: Partial<Limits>) =>
      readImage(
        writeFolder(
          temporaryFolder(),
          ociLayout({
            layers: [
              [
                { path: "a.jar", content: bomb },
                { path: "b.jar", content: bomb },
              ],
            ],
          }),
        ),
        { choice: {}, limits: { ...defaultLimits, ...limits } },
      );
    const mebibytes = (count: number): number => count * 2 ** 20 + 2 ** 19;
    await expect(readWith({ archiveBytes: mebibytes(1) })).rejects.toThrow(
      "a.jar unpacks to more than 1572864 bytes",
    );
    await expect(readWith({ ratioFrom: 2 ** 20 })).rejects.toThrow("it looks like a zip bomb");
    await expect(readWith({ unpackedBytes: mebibytes(3) })).rejects.toThrow(
      "its layers unpack to more than 3670016 bytes",
    );
    expect((await readWith({})).warnings).toEqual([]);
  });

  test("Go executables contain their modules; Rust executables contain their crates if they are auditable", async () => {
    const modules =
      "path\tx\nmod\texample.com/x\t(devel)\t\ndep\tgolang.org/x/net\tv0.15.0\th1:x\ndep\told\tv1.0.0\n=>\tnew\tv1.0.1\th1:y\n";
    const version = Buffer.from("go1.21.3 X:nocoverage");
    const list = Buffer.concat([Buffer.alloc(16, 1), Buffer.from(modules), Buffer.alloc(16, 2)]);
    const info = Buffer.concat([
      Buffer.from("\xff Go buildinf:\x08\x02", "latin1"),
      Buffer.alloc(16),
      Buffer.from([version.length]),
      version,
      Buffer.from([(list.length & 0x7f) | 0x80, list.length >> 7]),
      list,
    ]);
    const elf = Buffer.concat([elfHeader(), info]);
    expect(await librariesOf({ path: "usr/bin/x", content: elf, mode: 0o755 })).toEqual([
      "gobinary stdlib 1.21.3",
      "gobinary golang.org/x/net v0.15.0",
      "gobinary new v1.0.1",
    ]);
    const crates = {
      packages: [
        { name: "time", version: "0.2.22", source: "registry" },
        { name: "own", version: "1.0.0", source: "local" },
      ],
    };
    const content = elfWith(".dep-v0", deflateSync(JSON.stringify(crates)));
    const { libraries, executables } = await readLayer({
      path: "usr/bin/y",
      content,
      mode: 0o4755,
    });
    expect(libraries.map(({ item }) => item)).toEqual([
      { type: "cargo", name: "time", version: "0.2.22" },
    ]);
    expect(executables).toMatchObject([
      { path: "usr/bin/y", item: { permissions: "-rwsr-xr-x", size: content.length } },
    ]);
  });
});

async function zip(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const archive = new ZipFile();
  for (const [name, content] of Object.entries(files))
    archive.addBuffer(Buffer.from(content), name);
  archive.end();
  const parts: Buffer[] = [];
  for await (const part of archive.outputStream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** The start of an executable of 64 bits without sections. */
function elfHeader(): Buffer {
  const header = Buffer.alloc(128);
  header.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  return header;
}

/** An executable with one section, and the one with its name. */
function elfWith(name: string, content: Buffer): Buffer {
  const header = elfHeader().subarray(0, 64);
  const names = Buffer.from(`\0${name}\0.shstrtab\0`);
  const table = 64 + content.length + names.length;
  header.writeBigUInt64LE(BigInt(table), 0x28);
  header.writeUInt16LE(64, 0x3a);
  header.writeUInt16LE(2, 0x3c);
  header.writeUInt16LE(1, 0x3e);
  const section = (nameAt: number, offset: number, size: number): Buffer => {
    const entry = Buffer.alloc(64);
    entry.writeUInt32LE(nameAt, 0);
    entry.writeBigUInt64LE(BigInt(offset), 0x18);
    entry.writeBigUInt64LE(BigInt(size), 0x20);
    return entry;
  };
  return Buffer.concat([
    header,
    content,
    names,
    section(1, 64, content.length),
    section(name.length + 2, 64 + content.length, names.length),
  ]);
}
