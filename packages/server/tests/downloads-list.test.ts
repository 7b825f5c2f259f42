import { describe, expect, test } from "vitest";
import { downloads, storedDownload } from "../src/domain/downloads/downloads.ts";
import {
  downloadsSuite,
  paths,
  type DownloadFileInfo,
  type DownloadInfo,
  type OfferedFile,
} from "./support/downloads.ts";
import { sha256 } from "./support/sha256.ts";
import type { Answer } from "./support/api.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { followLinks } from "./support/links.ts";
import type { ErrorBody } from "./support/session.ts";

const linux = { os: "linux", arch: "amd64" };

/** Small files that differ by name, version and system. */
const offer = (file_name: string, file_version: string, more: object = {}): OfferedFile => ({
  file: `${file_name}-${file_version}-${Object.values(more).join("-")}`,
  file_name,
  file_version,
  content: `${file_name} ${file_version} ${JSON.stringify(more)}`,
  ...more,
});

withPostgresAtNight((engine) => {
  const suite = downloadsSuite(engine);

  describe("the list of files", () => {
    test("contains each file with its details and its URL", async () => {
      const { have, list, api } = await suite.open();
      await have(
        { file: "bin/tool_1.2.tar.gz", content: "a tool", file_version: "1.2", ...linux },
        { file: "notes", content: "", category: "docs" },
      );
      const expires_at = new Date(api.clock.now().getTime() + 15 * 60_000).toISOString();
      expect(await list()).toEqual([
        {
          file_name: "notes",
          file_version: "1.0.0",
          category: "docs",
          file_hash: sha256(""),
          size: 0,
          download_info: {
            download_url: expect.stringContaining(`${api.url}/files/${sha256("")}?`) as string,
            expires_at,
            file_hash: sha256(""),
          },
        },
        {
          file_name: "tool_1.2.tar.gz",
          file_version: "1.2",
          category: "fcs",
          os: "linux",
          arch: "amd64",
          file_type: "tar.gz",
          file_hash: sha256("a tool"),
          size: 6,
          download_info: {
            download_url: expect.stringContaining(
              `${api.url}/files/${sha256("a tool")}?`,
            ) as string,
            expires_at,
            file_hash: sha256("a tool"),
          },
        },
      ]);
    });

    test("is sorted by names and versions, with numbers by value", async () => {
      const { have, names } = await suite.open();
      await have(
        offer("b", "1.10.0"),
        offer("b", "1.9.0"),
        offer("b", "1.10.0-rc.1"),
        offer("A", "2"),
        offer("c", "1", { os: "linux" }),
        offer("c", "1"),
        offer("c", "1", { os: "darwin" }),
      );
      const ordered = ["A 2", "b 1.9.0", "b 1.10.0-rc.1", "b 1.10.0", "c 1", "c 1", "c 1"];
      expect(await names()).toEqual(ordered);
      expect(await names({ sort: "" })).toEqual(ordered);
      expect(await names({ filter: "file_name:'b'", sort: "file_version|desc" })).toEqual([
        "b 1.10.0",
        "b 1.10.0-rc.1",
        "b 1.9.0",
      ]);
      expect(await names({ sort: "file_version.asc,file_name.desc", limit: 3 })).toEqual([
        "c 1",
        "c 1",
        "c 1",
      ]);
    });

    test("sorts files without a system after those with one", async () => {
      const { have, list } = await suite.open();
      await have(
        offer("c", "1"),
        offer("c", "1", { os: "linux", arch: "arm64" }),
        offer("c", "1", linux),
        offer("c", "1", { os: "darwin" }),
      );
      const systems = (await list()).map(({ os, arch }) => [os, arch]);
      expect(systems).toEqual([
        ["darwin", undefined],
        ["linux", "amd64"],
        ["linux", "arm64"],
        [undefined, undefined],
      ]);
    });

    test.each([
      ["file_name:'TOOL'", ["tool 1.9", "tool 1.10"]],
      ["file_name:*'*l*'", ["tool 1.9", "tool 1.10"]],
      ["file_version:'1.10'", ["other 1.10", "tool 1.10"]],
      // In filters it is a text, although sorts compare numbers.
      ["file_version:<'1.2'", ["other 1.10", "tool 1.10"]],
      ["category:'docs'", ["other 1.10"]],
      ["os:'linux'+arch:'arm64'", ["tool 1.10"]],
      ["os:!'linux'", ["other 1.10"]],
      ["category:['docs','fcs']+file_version:'1.9'", ["tool 1.9"]],
      ["file_name:'none'", []],
    ])("by %s", async (filter, expected) => {
      const { have, names } = await suite.open();
      await have(
        offer("tool", "1.9", linux),
        offer("tool", "1.10", { os: "linux", arch: "arm64" }),
        offer("other", "1.10", { category: "docs" }),
      );
      const listed = await names({ filter });
      expect(listed.toSorted()).toEqual(expected.toSorted());
    });

    test.each([
      ["filter", "version_order:'1'", "version_order"],
      ["filter", "file_hash:'1'", "file_hash"],
      ["filter", "size:>1", "size"],
      ["sort", "version_order", "version_order"],
      ["sort", "size", "size"],
      ["limit", "101", "query.limit"],
      ["limit", "0", "query.limit"],
      ["offset", "-1", "query.offset"],
      ["after", "x", "query.after"],
    ])("rejects %s=%s", async (name, value, reason) => {
      const { request } = await suite.open();
      const answer = await request<ErrorBody>("GET", paths.list, { query: { [name]: value } });
      expect(answer.status).toBe(400);
      expect(answer.body.errors[0]?.message).toContain(reason);
    });

    test("has pages, up to 1,000 files", async () => {
      const { have, request, names } = await suite.open();
      await have(...Array.from({ length: 7 }, (_, index) => offer("f", `1.${index}`)));
      const ask = (query: object) =>
        request<readonly DownloadFileInfo[]>("GET", paths.list, { query: { ...query } });
      const second = await ask({ limit: 3, offset: 3 });
      expect(second.body.map(({ file_version }) => file_version)).toEqual(["1.3", "1.4", "1.5"]);
      expect(Object.fromEntries(second.headers)).toMatchObject({
        "x-total-count": "7",
        "x-pagination-limit": "3",
        "x-pagination-offset": "3",
        link: expect.stringContaining("offset=6") as string,
      });
      expect(await names({ limit: 100, offset: 900 })).toEqual([]);
      const beyond = await request<ErrorBody>("GET", paths.list, {
        query: { limit: 100, offset: 901 },
      });
      expect([beyond.status, beyond.body.errors[0]?.message]).toEqual([
        400,
        "query.offset: offset + limit reach beyond 1000 records; narrow the filter instead",
      ]);
    });

    test("contains only files of the tenant, not those of parents or children", async () => {
      const parent = await suite.open();
      const child = await suite.open(parent.tenant);
      await parent.have(offer("parents", "1"));
      await child.have(offer("childs", "1"));
      expect(await parent.names()).toEqual(["parents 1"]);
      expect(await child.names()).toEqual(["childs 1"]);
      const answer = await child.request("GET", paths.download, {
        query: { file_name: "parents", file_version: "1" },
      });
      expect(answer.status).toBe(404);
    });
  });

  describe("the deprecated operations", () => {
    test("list the same files in one response, with and without URLs", async () => {
      const { have, list, request } = await suite.open();
      await have(offer("b", "1.10"), offer("b", "1.9"), offer("a", "1", linux));
      const all = await list();
      const v1 = await request("GET", paths.listV1);
      expect(v1.body).toEqual({ files: all });
      const sorted = await request<{ files: readonly DownloadFileInfo[] }>("GET", paths.listV1, {
        query: { filter: "file_name:'b'", sort: "file_version|desc" },
      });
      expect(sorted.body.files.map(({ file_version }) => file_version)).toEqual(["1.10", "1.9"]);
      const enumerated = await request("GET", paths.enumerate);
      expect(enumerated.body).toEqual({
        files: all.map(({ download_info: _info, ...entry }) => entry),
      });
      expect(enumerated.headers.get("deprecation")).toMatch(/^@\d+$/);
    });

    test.each([
      [{}, 4],
      [{ file_name: "TOOL" }, 3],
      [{ file_version: "2" }, 2],
      [{ os: "linux" }, 2],
      [{ platform: "linux" }, 2],
      [{ platform: "linux", os: "darwin" }, 0],
      [{ arch: "amd64" }, 1],
      [{ category: "docs" }, 1],
      [{ category: "Docs" }, 0],
      [{ file_name: "tool", file_version: "2", os: "linux" }, 1],
    ])("enumerate by %j", async (query, count) => {
      const { have, request } = await suite.open();
      await have(
        offer("tool", "1", linux),
        offer("tool", "2", { os: "linux" }),
        offer("tool", "2", { os: "darwin" }),
        offer("guide", "1", { category: "docs" }),
      );
      const answer = await request<{ files: readonly object[] }>("GET", paths.enumerate, { query });
      expect(answer.body.files).toHaveLength(count);
    });

    test("return the URL of one file, the first by system", async () => {
      const { have, request } = await suite.open();
      const [arm, amd] = [
        offer("tool", "2", { os: "linux", arch: "arm64" }),
        offer("tool", "2", linux),
      ];
      await have(offer("tool", "2"), arm, amd);
      const ask = (query: Readonly<Record<string, string>>) =>
        request<DownloadInfo & ErrorBody>("GET", paths.download, { query });
      const amdFile = await ask({ file_name: "Tool", file_version: "2" });
      expect(amdFile.status).toBe(200);
      expect(amdFile.body.file_hash).toBe(sha256(amd.content ?? ""));
      const none = await ask({ file_name: "tool", file_version: "2.0" });
      expect([none.status, none.body.errors[0]?.message]).toEqual([404, "file tool 2.0 not found"]);
      expect((await ask({ file_name: "tool" })).body.errors[0]?.message).toContain("file_version");
      expect((await ask({ file_version: "2" })).body.errors[0]?.message).toContain("file_name");
    });

    test("reject more than 1,000 files, and say what to do", async () => {
      const { api, tenant, request } = await suite.open();
      const records = Array.from({ length: 1_001 }, (_, index) =>
        storedDownload({
          file_name: `f${index}`,
          file_version: "1",
          category: index === 0 ? "rare" : "fcs",
          file_hash: sha256(""),
          size: 0,
        }),
      );
      await api.store.write(tenant.cid, (transaction) =>
        transaction.records(downloads).insert(records, api.clock.now()),
      );
      const pages = await followLinks<DownloadFileInfo>({ request }, `${paths.list}?limit=90`);
      expect(pages.flatMap(({ status, body }) => (status === 200 ? body : []))).toHaveLength(1_000);
      const [refused] = pages.slice(-1) as unknown as readonly Answer<ErrorBody>[];
      expect([refused?.status, refused?.body.errors[0]?.message]).toEqual([
        400,
        "query.offset: expected an integer from 0 to 999, got 1000",
      ]);
      for (const path of [paths.listV1, paths.enumerate]) {
        const answer = await request<ErrorBody>("GET", path);
        expect(answer.status).toBe(400);
        expect(answer.body.errors[0]?.message).toMatch(
          /^1001 files match, more than the maximum of 1000/,
        );
      }
      const rare = await request<{ files: readonly object[] }>("GET", paths.enumerate, {
        query: { category: "rare" },
      });
      expect(rare.body.files).toHaveLength(1);
      const most = await request<{ files: readonly object[] }>("GET", paths.listV1, {
        query: { filter: "category:'fcs'" },
      });
      expect(most.body.files).toHaveLength(1_000);
    });
  });
});
