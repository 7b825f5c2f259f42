import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { clientOf } from "./support/acting.ts";
import {
  caseFilesSuite,
  filePaths,
  formOf,
  noFile,
  type FileDetail,
  type Session,
} from "./support/case-files.ts";
import { sha256 } from "./support/sha256.ts";
import { noCase } from "./support/cases.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { messages, type ErrorBody } from "./support/session.ts";

const uploadBytes = 200_000;

withPostgresAtNight((engine) => {
  const suite = caseFilesSuite(engine, { limits: { uploadBytes } });

  /** Hashes of the blobs in the server's store. */
  const blobs = async (): Promise<readonly string[]> => {
    const hashes: string[] = [];
    for await (const { sha256: hash } of suite.api().blobs.list()) hashes.push(hash);
    return hashes;
  };
  const incoming = async (): Promise<readonly string[]> =>
    readdirSync(await suite.api().blobs.incoming());

  test("an upload creates a file with hash, size and detected type", async () => {
    const api = await suite.open();
    const { id } = await api.stored();
    const content = "process,parent\nviewer.exe,outlook.exe\n";
    const file = await api.upload(id, { content, name: "../tree.bin", description: "Started" });
    expect(file).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      case_id: id,
      cid: api.tenant.cid,
      name: "tree.bin",
      description: "Started",
      source: "upload",
      status: "available",
      file_type: "text/csv",
      file_size: "38 B",
      file_size_bytes: 38,
      hash_value: sha256(content),
      uploaded_by: api.clientId,
      uploaded_on: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    });
    expect(await api.file(file.id)).toEqual(file);
    const again = await api.upload(id, { content });
    expect(again.id).not.toBe(file.id);
    expect(again.description).toBe("");
    expect(await incoming()).toEqual([]);
    expect((await api.read(id)).version).toBe(1);
  });

  test("lists are newest first, filtered, and counted", async () => {
    const api = await suite.open();
    const [one, two] = [await api.stored(), await api.stored()];
    const files: FileDetail[] = [];
    for (const [index, owner] of [one, two, one].entries()) {
      api.clock.advance(1_000);
      const content = "x".repeat(1_000 * (index + 1));
      files.push(await api.upload(owner.id, { name: `File-${index}.txt`, content }));
    }
    const [first, second, third] = files as [FileDetail, FileDetail, FileDetail];
    expect(await api.listed()).toEqual([third, second, first]);
    expect(await api.listed(`case_id:'${one.id}'`)).toEqual([third, first]);
    expect(await api.listed("file_size_bytes:>1000+name:'file-1.txt'")).toEqual([second]);
    expect(await api.listed(`hash_value:'${first.hash_value}'`)).toEqual([first]);
    const page = await api.request<readonly string[]>("GET", filePaths.ids, {
      query: { limit: 1, offset: 1 },
    });
    expect([page.body, page.headers.get("x-total-count")]).toEqual([[second.id], "3"]);
    const aggregate = (query: object) =>
      api.request<ErrorBody>("POST", filePaths.aggregates, {
        query: query as Record<string, string>,
        body: { name: "cases", type: "terms", field: "case_id" },
      });
    const both = await aggregate({ ids: files.map(({ id }) => id), filter: "name:!'file-0.txt'" });
    expect(both.body).toMatchObject([
      {
        name: "cases",
        buckets: [one.id, two.id].toSorted().map((label) => ({ label, count: 1 })),
      },
    ]);
    expect((await aggregate({ ids: [first.id, noFile] })).status).toBe(404);
    expect((await aggregate({})).status).toBe(400);
  });

  test("only the description can change, and all files are deleted or none", async () => {
    const api = await suite.open();
    const { id } = await api.stored();
    const [first, second] = [await api.upload(id), await api.upload(id, { content: "second" })];
    const patch = (body: object) => api.request<ErrorBody>("PATCH", filePaths.details, { body });
    const changed = await patch({ id: first.id, description: "better" });
    expect(changed.body).toEqual([{ ...first, description: "better" }]);
    expect((await patch({ id: first.id, description: "" })).body).toEqual([first]);
    expect((await patch({ id: first.id, description: "" })).body).toEqual([first]);
    expect((await patch({ id: first.id, name: "x", description: "" })).status).toBe(400);
    expect((await patch({ id: noFile, description: "" })).status).toBe(404);

    const remove = (...ids: readonly string[]) =>
      api.request<ErrorBody>("DELETE", filePaths.files, { query: { ids } });
    const refused = await remove(first.id, noFile);
    expect([refused.status, refused.body.errors.map((error) => error.id)]).toEqual([404, [noFile]]);
    expect(await api.listed()).toHaveLength(2);
    const url = await api.link(first.id);
    expect((await remove(first.id, first.id)).body).toEqual([first.id]);
    expect((await api.details<ErrorBody>(first.id, second.id)).body).toMatchObject({
      errors: [{ id: first.id }],
      resources: [second],
    });
    const missing = await fetch(url);
    expect([missing.status, await missing.text()]).toEqual([
      404,
      expect.stringContaining("the file no longer exists"),
    ]);
  });

  test("the daily clean-up deletes content without a file", async () => {
    const api = await suite.open();
    const { id } = await api.stored();
    const content = `${api.tenant.cid} only`;
    const hash = sha256(content);
    const [first, second] = [await api.upload(id, { content }), await api.upload(id, { content })];
    const { store, blobs: files } = suite.api();
    await api.request("DELETE", filePaths.files, { query: { ids: [first.id] } });
    await store.sweep(new Date(api.clock.now().getTime() + 86_400_000));
    expect(await store.referencedBlobs([hash])).toEqual(new Set([hash]));
    await api.request("DELETE", filePaths.files, { query: { ids: [second.id] } });
    await store.sweep(new Date(api.clock.now().getTime() + 86_400_000));
    expect(await store.referencedBlobs([hash])).toEqual(new Set());
    // Content that was stored again after the look-up is kept.
    expect(await files.delete(hash, new Date(0))).toBe(false);
    expect(await files.bytes(hash)).toBe(content.length);
  });

  test("a case that the caller cannot see is reported as unknown", async () => {
    const api = await suite.open();
    const omar = await api.administrator(await api.user("omar"));
    const tag = await api.accessTag("LEGAL", api.clientId);
    const [open, legal] = [
      await api.stored(),
      await api.stored({ access_tags: [{ key: "LEGAL" }] }),
    ];
    const [seen, unseen] = [await api.upload(open.id), await api.upload(legal.id)];
    const list = async () => {
      const answer = await omar.request<readonly string[]>("GET", filePaths.ids, {});
      expect(answer.headers.get("x-total-count")).toBe(String(answer.body.length));
      return answer.body;
    };
    expect(await list()).toEqual([seen.id]);
    const requests = (fileId: string, caseId: string) => [
      omar.request("GET", filePaths.details, { query: { ids: [fileId] } }),
      omar.request("PATCH", filePaths.details, { body: { id: fileId, description: "x" } }),
      omar.request("DELETE", filePaths.files, { query: { ids: [fileId] } }),
      omar.request("GET", filePaths.download, { query: { id: fileId } }),
      omar.request("POST", filePaths.download, { body: { ids: [fileId] } }),
      omar.request("POST", filePaths.archive, { body: { ids: [fileId] } }),
      omar.request("POST", filePaths.aggregates, {
        query: { ids: [fileId] },
        body: { name: "a", type: "terms", field: "name" },
      }),
      omar.request("POST", filePaths.upload, { body: formOf(caseId) }),
    ];
    const plain = (text: string, ...ids: readonly string[]) =>
      ids
        .reduce((all, id) => all.replaceAll(id, "ID"), text)
        .replace(/"query_time":[^,]*/, "")
        .replace(/"trace_id":"[^"]*"/, "");
    const hiddenAnswers = await Promise.all(requests(unseen.id, legal.id));
    const noAnswers = await Promise.all(requests(noFile, noCase));
    expect(hiddenAnswers.map(({ status }) => status)).toEqual(hiddenAnswers.map(() => 404));
    expect(hiddenAnswers.map(({ text }) => plain(text, unseen.id, legal.id))).toEqual(
      noAnswers.map(({ text }) => plain(text, noFile, noCase)),
    );
    expect(await api.file(unseen.id)).toEqual(unseen);

    // Files follow the access tags of their case.
    const access_tags = [{ id: tag.id }];
    expect((await api.patch(open.id, { access_tags })).status).toBe(200);
    expect(await list()).toEqual([]);
    expect((await api.patch(open.id, { access_tags: [] })).status).toBe(200);
    expect((await api.patch(legal.id, { access_tags: [] })).status).toBe(200);
    expect((await list()).toSorted()).toEqual([seen.id, unseen.id].toSorted());
    const other = await suite.open();
    expect((await other.details(seen.id)).status).toBe(404);
    expect(await other.listed()).toEqual([]);
  });

  test("files move with several merges, and take over the access tags of the last case", async () => {
    const api = await suite.open();
    await api.accessTag("BOARD", api.clientId);
    const [source, middle, last] = [
      await api.stored(),
      await api.stored(),
      await api.stored({ access_tags: [{ key: "BOARD" }] }),
    ];
    const [one, two] = [await api.upload(source.id), await api.upload(middle.id)];
    const three = await api.upload(last.id);
    const url = await api.link(one.id);
    expect((await api.merge(source.id, middle.id)).status).toBe(200);
    expect(await api.file(one.id)).toEqual({ ...one, case_id: middle.id });
    const late = await api.send<ErrorBody>(source.id);
    expect([late.status, messages(late)[0]]).toEqual([
      409,
      expect.stringContaining(`it was merged into ${middle.id}`),
    ]);
    expect((await api.merge(middle.id, last.id)).status).toBe(200);
    const files = await api.listed(`case_id:'${last.id}'`);
    expect(files.map(({ id }) => id).toSorted()).toEqual([one.id, two.id, three.id].toSorted());
    expect(await api.listed(`case_id:['${source.id}','${middle.id}']`)).toEqual([]);
    expect(await (await fetch(url)).text()).toBe("content");
    const described = await api.request("PATCH", filePaths.details, {
      body: { id: one.id, description: "moved" },
    });
    expect(described.status).toBe(200);
    const user = await api.user("lea");
    const lea = await clientOf(api, user);
    const seen = await lea.request<readonly string[]>("GET", filePaths.ids, {});
    expect(seen.status === 200 ? seen.body : []).toEqual([]);
  });

  test.each<[string, (api: Session, caseId: string) => Promise<readonly [number, string]>]>([
    [
      "an unknown case",
      async (api) => answerOf(await api.send<ErrorBody>(noCase, { content: "refused" })),
    ],
    ["an empty file", async (api, id) => answerOf(await api.send<ErrorBody>(id, { content: "" }))],
    [
      "a file beyond the limit",
      async (api, id) =>
        answerOf(await api.send<ErrorBody>(id, { content: "r".repeat(uploadBytes + 1) })),
    ],
    [
      "a name that is too long",
      async (api, id) => answerOf(await api.send<ErrorBody>(id, { name: "n".repeat(256) })),
    ],
    [
      "a name that is a folder",
      async (api, id) => answerOf(await api.send<ErrorBody>(id, { name: ".." })),
    ],
    [
      "a form without a case",
      async (api) => {
        const body = new FormData();
        body.append("file", new Blob(["refused"]), "a");
        return answerOf(await api.request<ErrorBody>("POST", filePaths.upload, { body }));
      },
    ],
    [
      "a form without a file",
      async (api, id) => {
        const body = new FormData();
        body.append("case_id", id);
        return answerOf(await api.request<ErrorBody>("POST", filePaths.upload, { body }));
      },
    ],
    [
      "JSON in place of a form",
      async (api, id) =>
        answerOf(await api.request<ErrorBody>("POST", filePaths.upload, { body: { case_id: id } })),
    ],
  ])("%s is rejected, and leaves nothing behind", async (what, attempt) => {
    const expected: Readonly<Record<string, readonly [number, RegExp]>> = {
      "an unknown case": [404, /^case 0{8}.* not found$/],
      "an empty file": [400, /^body\.file: expected a file with content/],
      "a file beyond the limit": [413, /limit of 200000 bytes/],
      "a name that is too long": [400, /^body\.file: expected a name of at most 255/],
      "a name that is a folder": [400, /^body\.file: expected a file with a name/],
      "a form without a case": [400, /^body\.case_id: is required/],
      "a form without a file": [400, /^body\.file: is required/],
      "JSON in place of a form": [415, /send multipart\/form-data/],
    };
    const api = await suite.open();
    const { id } = await api.stored();
    const before = await blobs();
    const [status, message] = await attempt(api, id);
    expect(status).toBe(expected[what]?.[0]);
    expect(message).toMatch(expected[what]?.[1] ?? /^$/);
    expect(await blobs()).toEqual(before);
    expect(await incoming()).toEqual([]);
    expect(await api.listed()).toEqual([]);
  });

  test("an interrupted upload leaves nothing behind", async () => {
    const api = await suite.open();
    const { id } = await api.stored();
    const before = await blobs();
    const token = await api.freshToken();
    const { hostname, port } = new URL(suite.api().url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST ${filePaths.upload} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n` +
        "content-type: multipart/form-data; boundary=b\r\ncontent-length: 90000\r\n\r\n" +
        `--b\r\ncontent-disposition: form-data; name="case_id"\r\n\r\n${id}\r\n` +
        '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n' +
        "x".repeat(50_000),
    );
    const arrived = async (): Promise<number> => {
      const [folder] = await incoming();
      if (folder === undefined) return 0;
      return readdirSync(join(await suite.api().blobs.incoming(), folder)).length;
    };
    await expect.poll(arrived).toBe(1);
    socket.destroy();
    await expect.poll(incoming).toEqual([]);
    expect(await blobs()).toEqual(before);
    expect(await api.listed()).toEqual([]);
  });

  test("the remains of an upload by a killed process are removed a day later", async () => {
    const { blobs: files } = suite.api();
    const folder = mkdtempSync(join(await files.incoming(), "secplat-upload-"));
    writeFileSync(join(folder, "0"), "half");
    await files.clear(new Date(0));
    expect(readdirSync(dirname(folder))).toHaveLength(1);
    await files.clear(new Date(Date.now() + 1_000));
    expect(readdirSync(dirname(folder))).toEqual([]);
  });
});

const answerOf = (answer: {
  readonly status: number;
  readonly body: ErrorBody;
}): readonly [number, string] => [answer.status, answer.body.errors[0]?.message ?? ""];
