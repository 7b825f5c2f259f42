import { expect, test } from "vitest";
import { withPostgresAtNight } from "./support/engines.ts";
import { minutes } from "./support/manual-clock.ts";
import { paths as users, usersSuite, type Session } from "./support/users.ts";
import { type ErrorBody, ahead, messages } from "./support/session.ts";

interface Result {
  readonly name: string;
  readonly buckets: readonly { readonly label?: unknown; readonly count: number }[];
}

const paths = {
  internal: "/user-management/aggregates/users/v1",
  all: "/user-management/aggregates/users/v2",
} as const;

/** Labels and counts of a terms aggregate. */
const terms = async (
  api: Session,
  field: string,
  path: string = paths.all,
  query: Readonly<Record<string, string>> = {},
) => {
  const answer = await api.request<readonly Result[]>("POST", path, {
    query,
    body: { name: "it", type: "terms", field, sort: "_term|asc" },
  });
  expect(answer.status, answer.text).toBe(200);
  return answer.body[0]?.buckets.map(({ label, count }) => [label, count]);
};

withPostgresAtNight((engine) => {
  const suite = usersSuite(engine);

  test("external users are counted in version 2 only, by type on request", async () => {
    const api = await suite.open();
    const other = await suite.open();
    await api.user("a");
    await api.create({ uid: api.uid("b") });
    const external = await other.user("c");
    await other.give(external.uuid, { cid: api.tenant.cid });
    await other.user("unseen");
    expect(await terms(api, "status", paths.internal)).toEqual([
      ["active", 1],
      ["inactive", 1],
    ]);
    expect(await terms(api, "status")).toEqual([
      ["active", 2],
      ["inactive", 1],
    ]);
    expect(await terms(api, "status", paths.all, { user_type: "external" })).toEqual([
      ["active", 1],
    ]);
    expect(await terms(api, "user_type")).toEqual([
      ["external", 1],
      ["internal", 2],
    ]);
    expect(await terms(other, "user_type")).toEqual([["internal", 2]]);
  });

  test("tenants are counted as the caller sees them", async () => {
    const parent = await suite.open();
    const child = await suite.open(parent);
    const a = await parent.user("a");
    await parent.granted(a.uuid, ["event_viewer"]);
    await parent.granted(a.uuid, ["event_viewer"], { cid: child.tenant.cid });
    const both = [parent.tenant.cid, child.tenant.cid].toSorted().map((cid) => [cid, 1]);
    expect(await terms(parent, "assigned_cids")).toEqual(both);
    expect(await terms(child, "assigned_cids")).toEqual(both);
    expect(await terms(child, "non_ancestor_assigned_cids")).toEqual([[child.tenant.cid, 1]]);
    expect(await terms(parent, "non_ancestor_assigned_cids")).toEqual(both);
  });

  test("temporary roles of an external user in other tenants are not counted", async () => {
    const api = await suite.open();
    const other = await suite.open();
    const a = await other.user("a");
    await other.give(a.uuid, { cid: api.tenant.cid });
    await other.granted(a.uuid, ["help_desk"], { expires_at: ahead(other, minutes(5)) });
    expect(await terms(api, "has_temporary_roles")).toEqual([[false, 1]]);
    expect(await terms(other, "has_temporary_roles")).toEqual([[true, 1]]);
    for (const [filter, here] of [
      ["has_temporary_roles:true", []],
      ["has_temporary_roles:false", ["a"]],
      ["has_temporary_roles:!true", ["a"]],
      ["has_temporary_roles:*", ["a"]],
    ] as const) {
      expect(await api.found({ filter }, users.queryAll), filter).toEqual(here);
    }
    expect(await other.found({ filter: "has_temporary_roles:true" })).toEqual(["a"]);
  });

  test("expired grants are not counted", async () => {
    const api = await suite.open();
    const a = await api.user("a");
    await api.granted(a.uuid, ["event_viewer"], { expires_at: ahead(api, minutes(5)) });
    const { cid } = api.tenant;
    expect(await terms(api, "temporarily_assigned_cids")).toEqual([[cid, 1]]);
    api.clock.advance(minutes(5));
    expect(await terms(api, "temporarily_assigned_cids")).toEqual([]);
    expect(await terms(api, "assigned_cids")).toEqual([]);
    expect(await terms(api, "has_temporary_roles")).toEqual([[false, 1]]);
  });

  test("a list of aggregates, with filters on members that depend on the caller's tenant", async () => {
    const api = await suite.open();
    const other = await suite.open();
    await api.user("a");
    const external = await other.user("c");
    await other.give(external.uuid, { cid: api.tenant.cid });
    const answer = await api.request<readonly Result[]>("POST", paths.all, {
      body: [
        {
          name: "kinds",
          type: "filters",
          filters_spec: {
            filters: { own: "user_type:'internal'", guests: "user_type:'external'" },
          },
        },
        { name: "who", type: "cardinality", field: "uid" },
        { name: "both", type: "terms", field: "status", filter: "user_type:'external'" },
      ],
    });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.map(({ name, buckets }) => [name, buckets])).toMatchObject([
      [
        "kinds",
        [
          { label: "own", count: 1 },
          { label: "guests", count: 1 },
        ],
      ],
      ["who", [{ value: 2 }]],
      ["both", [{ label: "active", count: 1 }]],
    ]);
  });

  test("hidden members are not fields, and a missing related member is reported", async () => {
    const api = await suite.open();
    for (const field of ["family", "password", "next_expiry", "revision"]) {
      const answer = await api.request<ErrorBody>("POST", paths.internal, {
        body: { name: "it", type: "terms", field },
      });
      expect(answer.status, field).toBe(400);
      expect(messages(answer)[0]).toContain(field);
    }
    const ranges = await api.request<ErrorBody>("POST", paths.internal, {
      body: { name: "it", type: "date_range", field: "created_at" },
    });
    expect(ranges.status).toBe(400);
    expect(messages(ranges)[0]).toContain("date_ranges");
  });
});
