import { expect, test } from "vitest";
import { caseFilesSuite, filePaths, formOf, noFile } from "./support/case-files.ts";
import { noCase, paths } from "./support/cases.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import type { ErrorBody } from "./support/session.ts";

const aid = "a".repeat(32);

withPostgresAtNight((engine) => {
  const suite = caseFilesSuite(engine);

  test("every operation responds to a hidden case and its files as to an unknown one", async () => {
    const api = await suite.open();
    const omar = await api.administrator(await api.user("omar"));
    const tag = await api.accessTag("LEGAL", api.clientId);
    const hidden = await api.stored({ name: "zephyr", access_tags: [{ key: tag.key }] });
    const file = await api.upload(hidden.id, { name: "zephyr.txt" });
    const open = await api.stored({ name: "open" });

    const send = (method: string, path: string, body: object) =>
      omar.request<ErrorBody>(method, path, { body });
    const read = (path: string, query: Record<string, string>, method = "GET") =>
      omar.request<ErrorBody>(method, path, { query });
    const patch = (id: string, fields: object) => send("PATCH", paths.cases, { id, fields });
    const evidence = [{ id: "unknown" }];
    const aboutCase: Readonly<Record<string, (id: string) => ReturnType<typeof send>>> = {
      get: (id) => send("POST", paths.cases, { ids: [open.id, id] }),
      change: (id) => patch(id, { name: "x" }),
      "wrong version": (id) =>
        send("PATCH", paths.cases, { id, expected_version: 7, fields: { name: "x" } }),
      "unknown template": (id) => patch(id, { template: { id: noFile } }),
      "unknown field": (id) => patch(id, { custom_fields: [{ id: noFile, values: ["x"] }] }),
      "add tags": (id) => send("POST", paths.tags, { id, tags: ["x"] }),
      "remove tags": (id) => read(paths.tags, { id, tag: "x" }, "DELETE"),
      alerts: (id) => send("POST", paths.alerts, { id, alerts: evidence }),
      events: (id) => send("POST", paths.events, { id, events: evidence }),
      "merge from": (id) => send("POST", paths.merge, { source_id: id, destination_id: open.id }),
      "merge into": (id) => send("POST", paths.merge, { source_id: open.id, destination_id: id }),
      upload: (id) => omar.request("POST", filePaths.upload, { body: formOf(id) }),
      retrieve: (id) => send("POST", filePaths.retrieve, { case_id: id, aid, file_path: "/x" }),
      recent: (id) =>
        send("POST", filePaths.recent, { case_id: id, session_id: "s", sha256: "0".repeat(64) }),
      find: (id) => read(paths.search, { filter: `id:'${id}'` }),
      "files of it": (id) => read(filePaths.combined, { filter: `case_id:'${id}'` }),
    };
    const aboutFile: typeof aboutCase = {
      details: (id) => read(filePaths.details, { ids: id }),
      change: (id) => send("PATCH", filePaths.details, { id, description: "x" }),
      delete: (id) => read(filePaths.files, { ids: id }, "DELETE"),
      link: (id) => read(filePaths.download, { id }),
      links: (id) => send("POST", filePaths.download, { ids: [id] }),
      archive: (id) => send("POST", filePaths.archive, { ids: [id] }),
      aggregate: (id) =>
        omar.request("POST", filePaths.aggregates, {
          query: { ids: id },
          body: { name: "names", type: "terms", field: "name" },
        }),
      find: (id) => read(filePaths.ids, { filter: `id:'${id}'` }),
    };
    const compared = [
      [aboutCase, hidden.id, noCase],
      [aboutFile, file.id, noFile],
    ] as const;
    for (const [requests, there, none] of compared) {
      for (const [name, request] of Object.entries(requests)) {
        const [about, aboutNone] = [await request(there), await request(none)];
        const answer = (id: string, { status, body, headers }: typeof about) => {
          const shown = JSON.stringify(body.errors ?? body).replaceAll(id, "ID");
          return [status, shown, headers.get("x-total-count")];
        };
        expect(answer(there, about), name).toEqual(answer(none, aboutNone));
        expect(about.text, name).not.toContain("zephyr");
        expect([200, 404], name).toContain(about.status);
      }
    }
    expect(await api.read(hidden.id)).toEqual(hidden);
    expect(await api.file(file.id)).toEqual(file);
  });
});
