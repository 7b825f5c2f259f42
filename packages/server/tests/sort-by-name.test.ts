import { compareCodePoints, foldCase } from "@security-platform/fql";
import { expect, test } from "vitest";
import { importRecords } from "../src/imports/index.ts";
import { hosts } from "../src/inventory/hosts.ts";
import type { Position } from "../src/store/index.ts";
import { forEachEngine } from "./support/engines.ts";
import { iocSuite, type Session } from "./support/ioc.ts";

const names = [
  "b",
  "B",
  "a",
  "Z",
  "z-1",
  "Ä",
  "ä",
  "_",
  "A",
  "Zz",
  "zZ",
  "é",
  "É",
  "\u{1f600}",
  "ﬀ",
];
const hostId = (index: number) => index.toString(16).padStart(32, "0");
const byName = (left: string, right: string) =>
  compareCodePoints(foldCase(left), foldCase(right)) || compareCodePoints(left, right);

forEachEngine((engine) => {
  const suite = iocSuite(engine);

  const open = async (): Promise<Session> => {
    const api = await suite.open();
    const outcome = await importRecords(api.store, {
      cid: api.tenant.cid,
      kind: "hosts",
      clock: api.clock,
      lines: [...names, undefined].map((hostname, index) =>
        JSON.stringify({ device_id: hostId(index), platform_name: "Linux", hostname }),
      ),
    });
    expect(outcome).toMatchObject({ imported: names.length + 1, problems: [] });
    return api;
  };

  /** The names of a scan in pages of two, from a position on. */
  const scan = async (
    api: Session,
    direction: "asc" | "desc",
    start?: Position,
  ): Promise<readonly (string | undefined)[]> => {
    const found: (string | undefined)[] = [];
    let after = start;
    do {
      const page = await api.store.records(hosts, { cid: api.tenant.cid }).page({
        predicate: { kind: "everything" },
        sort: [{ field: "hostname", direction }],
        limit: 2,
        shape: "ids",
        now: api.clock.now(),
        ...(after === undefined ? {} : { after }),
      });
      found.push(...page.items.map((id) => names[Number.parseInt(id, 16)]));
      after = page.next;
    } while (after !== undefined);
    return found;
  };

  test("names are sorted without regard to case, then by code point; missing ones come last", async () => {
    const api = await open();
    const sorted = names.toSorted(byName);
    expect(await scan(api, "asc")).toEqual([...sorted, undefined]);
    expect(await scan(api, "desc")).toEqual([...sorted.toReversed(), undefined]);
    for (const direction of ["asc", "desc"]) {
      const read = await api.request<readonly string[]>(
        "GET",
        "/devices/queries/devices-scroll/v1",
        {
          query: { sort: `hostname.${direction}`, limit: 5 },
        },
      );
      const expected = direction === "asc" ? sorted : sorted.toReversed();
      expect(read.body.map((id) => names[Number.parseInt(id, 16)])).toEqual(expected.slice(0, 5));
    }
  });

  test("a scan that an earlier version began goes on in the order of code points", async () => {
    const api = await open();
    const sorted = names.toSorted(compareCodePoints);
    const records = api.store.records(hosts, { cid: api.tenant.cid });
    const query = { predicate: { kind: "everything" }, sort: [], shape: "ids" } as const;
    const first = await records.page({ ...query, limit: 1, now: api.clock.now() });
    const { snapshot, place } = first.next as Position;
    for (const at of [0, 4, sorted.length - 1]) {
      const name = sorted[at] ?? "";
      // The row of the record with this name: rows count from the first host.
      const row = (first.next as Position).row + names.indexOf(name);
      const earlier = { snapshot, place, row, keys: [name] };
      expect(await scan(api, "asc", earlier)).toEqual([...sorted.slice(at + 1), undefined]);
    }
  });
});
