import { describe, expect, test } from "vitest";
import { failure, start } from "../../tests/support/scripted-client.ts";
import { envelope } from "../../tests/support/scripted-server.ts";
import { NotFoundError, WindowError } from "../errors.ts";

const queryOf = (url: string): Readonly<Record<string, string>> =>
  Object.fromEntries(new URLSearchParams(url.split("?")[1]));

/** A server with numbered entries, by cursor or, if the request has one, by offset. */
function startWith(total: number) {
  const started = start();
  started.server.answer = ({ url }) => {
    const query = queryOf(url);
    const first = Number(query["after"] ?? query["offset"] ?? 0);
    const limit = Number(query["limit"] ?? 100);
    const body = Array.from({ length: Math.min(limit, total - first) }, (_, at) =>
      String(first + at),
    );
    const end = first + body.length;
    const isByOffset = query["offset"] !== undefined || !url.includes("/iocs/queries/indicators");
    return {
      body,
      headers: {
        "x-pagination-limit": String(limit),
        ...(isByOffset ? { "x-total-count": String(total) } : {}),
        ...(!isByOffset && end < total ? { "x-pagination-after": String(end) } : {}),
      },
    };
  };
  const queries = (): readonly object[] => started.server.calls.map(({ url }) => queryOf(url));
  return { ...started, queries };
}

const numbers = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${at}`);

describe("a list", () => {
  test("is one page of the default size when it is awaited", async () => {
    const { client, queries } = startWith(250);
    const { data, page } = await client.ioc.listIndicatorIds();
    expect(data).toHaveLength(100);
    expect(page.after).toBe("100");
    expect(queries()).toEqual([{}]);
  });

  test("is every entry when it is iterated, by cursor and in pages of the maximum size", async () => {
    const { client, queries } = startWith(4_500);
    const seen: string[] = [];
    for await (const id of client.ioc.listIndicatorIds({ filter: "type:'domain'" })) seen.push(id);
    expect(seen).toEqual(numbers(4_500));
    const filter = "type:'domain'";
    expect(queries()).toEqual([
      { filter, limit: "2000" },
      { filter, limit: "2000", after: "2000" },
      { filter, limit: "2000", after: "4000" },
    ]);
  });

  test("has pages, an array and a first entry, and keeps the limit of the input", async () => {
    const { client, queries } = startWith(5);
    const sizes: number[] = [];
    for await (const { data } of client.ioc.listIndicatorIds({ limit: 2 }).pages()) {
      sizes.push(data.length);
    }
    expect(sizes).toEqual([2, 2, 1]);
    expect(await client.ioc.listIndicatorIds().toArray({ limit: 3 })).toEqual(numbers(3));
    expect(await client.ioc.listIndicatorIds().first()).toBe("0");
    expect(queries().slice(3)).toEqual([{ limit: "3" }, { limit: "1" }]);
    expect(await client.ioc.listIndicatorIds({ limit: 2 }).toArray({ limit: 3 })).toEqual(
      numbers(3),
    );
    expect(await startWith(0).client.ioc.listIndicatorIds().first()).toBeUndefined();
  });

  test("is sent without being awaited, and only once", async () => {
    const { client, server } = startWith(5);
    const list = client.ioc.listIndicatorIds();
    await expect.poll(() => server.calls.length).toBe(1);
    expect(await list.toArray()).toEqual(numbers(5));
    expect((await list).data).toEqual(numbers(5));
    expect(server.calls).toHaveLength(1);
    await expect(list.toArray()).rejects.toThrow("can be iterated only once");
  });

  test("is read one page ahead on request", async () => {
    const { client, server } = startWith(6);
    const list = client.ioc.listIndicatorIds({ limit: 2 }, { readAhead: true });
    for await (const { data } of list.pages()) {
      if (data[0] !== "0") break;
      await expect.poll(() => server.calls.length).toBe(2);
    }
  });

  test("is read by offset where there is no cursor, up to the total", async () => {
    const { client, queries } = startWith(1_200);
    expect(await client.caseManagement.listCaseIds({ limit: 500 }).toArray()).toEqual(
      numbers(1_200),
    );
    expect(queries()).toEqual([
      { limit: "500" },
      { limit: "500", offset: "500" },
      { limit: "500", offset: "1000" },
    ]);
  });

  test.each([999, 1_000, 1_001])(
    "of %i entries is read by offset to its last entry",
    async (total) => {
      const { client, queries } = startWith(total);
      const list = client.caseManagement.listCaseIds({ limit: 500 });
      expect(await list.toArray()).toEqual(numbers(total));
      expect(queries()).toHaveLength(Math.ceil(total / 500));
    },
  );

  test("without a total is read by offset until a page is not full", async () => {
    const { client, server } = start();
    server.answer = ({ url }) => {
      const first = Number(queryOf(url)["offset"] ?? 0);
      return {
        body: numbers(5).slice(first, first + 2),
        headers: { "x-pagination-limit": "2" },
      };
    };
    expect(await client.caseManagement.listCaseIds({ limit: 2 }).toArray()).toEqual(numbers(5));
    expect(server.calls).toHaveLength(3);
  });

  test("ends with an empty page, whatever the total is", async () => {
    const { client, server } = start();
    server.answer = ({ url }) => {
      if (server.calls.length > 3) throw new Error("the list goes on");
      const first = Number(queryOf(url)["offset"] ?? 0);
      return { body: numbers(2).slice(first), headers: { "x-total-count": "9" } };
    };
    expect(await client.caseManagement.listCaseIds({ limit: 2 }).toArray()).toEqual(numbers(2));
    expect(server.calls).toHaveLength(2);
  });

  test("says that it cannot go on before the first page outside the window", async () => {
    const { client, queries } = startWith(20_000);
    const list = client.ioc.listIndicatorIds({ offset: 8_500 });
    const seen: string[] = [];
    const error = await failure(
      (async () => {
        for await (const id of list) seen.push(id);
      })(),
    );
    expect(error).toBeInstanceOf(WindowError);
    expect(error).toMatchObject({
      window: 10_000,
      message:
        "indicator.search.v1 lists only the first 10000 entries by offset; " +
        "omit offset to page by after, or narrow the filter",
    });
    expect(seen.at(-1)).toBe("9999");
    expect(queries()).toEqual([{ offset: "8500", limit: "1500" }]);
  });

  test("sends the first offset and limit of the caller as they are, for the server to refuse", async () => {
    for (const input of [
      { offset: 9_500, limit: 1_000 },
      { offset: 10_000 },
      { offset: 10_000, limit: 5 },
      { offset: 10_001 },
    ]) {
      const { client, server, queries } = startWith(20_000);
      server.answer = () => envelope(400, "query.offset: beyond the window");
      const error = await failure(client.ioc.listIndicatorIds(input).toArray());
      expect(error).toMatchObject({ name: "InvalidRequestError" });
      expect(queries()).toEqual([
        expect.objectContaining(
          Object.fromEntries(Object.entries(input).map(([name, value]) => [name, `${value}`])),
        ),
      ]);
    }
  });

  test("goes on by the cursor that a caller passes as the offset", async () => {
    const { client, server } = start();
    const pages: Readonly<Record<string, readonly string[]>> = { b: ["1"], c: ["2"] };
    const sent: (string | undefined)[] = [];
    server.answer = ({ url }) => {
      const { offset = "" } = queryOf(url);
      sent.push(offset);
      return {
        body: pages[offset],
        headers: {
          "x-total-count": "3",
          "x-pagination-limit": "1",
          ...(offset === "b" ? { "x-pagination-after": "c" } : {}),
        },
      };
    };
    const list = client.companion.scrollHostIds({ offset: "b", limit: 1 });
    expect(await list.toArray()).toEqual(["1", "2"]);
    expect(sent).toEqual(["b", "c"]);
  });

  test("rejects once with the error of its page", async () => {
    const { client, server } = start({ retries: 0 });
    server.answer = () => envelope(400, "query.filter: no such field");
    expect(await failure(client.ioc.listIndicatorIds().toArray())).toMatchObject({ status: 400 });
  });
});

describe("records by id", () => {
  test("are requested in groups of the documented maximum and joined in order", async () => {
    const { client, server } = start();
    server.answer = ({ url }) => ({
      body: new URLSearchParams(url.split("?")[1]).getAll("ids").map((id) => ({ id })),
    });
    const ids = numbers(450);
    const { data, response } = await client.ioc.getIndicators({ ids });
    expect(data.map(({ id }) => id)).toEqual(ids);
    expect(response.status).toBe(200);
    expect(server.calls).toHaveLength(3);
  });

  test("are returned once, also if their ids are repeated in several groups", async () => {
    const { client, server } = start();
    server.answer = ({ url }) => {
      const ids = new URLSearchParams(url.split("?")[1]).getAll("ids");
      return { body: [...new Set(ids)].map((id) => ({ id })) };
    };
    const { data } = await client.ioc.getIndicators({ ids: [...numbers(250), ...numbers(250)] });
    expect(data.map(({ id }) => id)).toEqual(numbers(250));
  });

  test("are also split in a body", async () => {
    const { client, server } = start();
    server.answer = ({ body }) => ({
      body: (JSON.parse(body) as { ids: string[] }).ids.map((uuid) => ({ uuid })),
    });
    const ids = numbers(5_001);
    const { data } = await client.userManagement.getUsers({ body: { ids } });
    expect(data.map(({ uuid }) => uuid)).toEqual(ids);
    expect(server.calls.length).toBeGreaterThan(1);
  });

  test("are in one error with those that are missing from any group", async () => {
    const { client, server } = start();
    server.answer = ({ url }) => {
      const ids = new URLSearchParams(url.split("?")[1]).getAll("ids");
      const missing = ids.filter((id) => Number(id) % 150 === 1);
      const resources = ids.filter((id) => !missing.includes(id)).map((id) => ({ id }));
      if (missing.length === 0) return { body: resources };
      const errors = missing.map((id) => ({ code: 404, message: `${id} not found`, id }));
      return { status: 404, body: { meta: {}, resources, errors } };
    };
    const { data, error } = await client.ioc.getIndicators.try({ ids: numbers(400) });
    expect(data).toBeUndefined();
    if (error?.name !== "NotFoundError") expect.fail("expected a NotFoundError");
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error.missing).toEqual(["1", "151", "301"]);
    expect(error.found.map(({ id }) => id)).toEqual(
      numbers(400).filter((id) => Number(id) % 150 !== 1),
    );
  });

  test("are not asked for by an input that cannot be sent, which `try` rejects, too", async () => {
    const { client, server } = start();
    const { getIndicators } = client.ioc;
    const wrong = { ids: [{}] as unknown as readonly string[] };
    for (const call of [getIndicators, getIndicators.try, getIndicators.raw]) {
      expect(await failure(call({ ids: [] }))).toBeInstanceOf(RangeError);
      expect(await failure(call(wrong))).toBeInstanceOf(TypeError);
    }
    expect(server.calls).toEqual([]);
  });

  test("are not requested any more after the call has failed", async () => {
    const { client, server } = start({ concurrency: 1 });
    server.answer = ({ method }) =>
      method === "GET" ? envelope(403, "no") : { body: { meta: {}, errors: [] } };
    const error = await failure(client.ioc.getIndicators({ ids: numbers(1_000) }));
    expect(error).toMatchObject({ name: "PermissionError" });
    await client.close();
    expect(server.calls.filter(({ method }) => method === "GET").length).toBeLessThan(5);
  });

  test("are listed and read in one call; those deleted in between are omitted", async () => {
    const { client, server } = start();
    server.answer = ({ url }) => {
      if (url.includes("/queries/")) return { body: ["a", "b"] };
      const errors = [{ code: 404, message: "b not found", id: "b" }];
      return { status: 404, body: { meta: {}, resources: [{ id: "a" }], errors } };
    };
    const domains = await client.ioc.getIndicators.matching({ filter: "type:'domain'" }).toArray();
    expect(domains.map(({ id }) => id)).toEqual(["a"]);
  });
});
