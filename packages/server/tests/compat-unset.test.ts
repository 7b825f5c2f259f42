import { describe, expect, test } from "vitest";
import type { TestApi } from "./support/api.ts";
import { filePaths, formOf } from "./support/case-files.ts";
import { paths } from "./support/cases.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { fromGo, indicatorsPath, policiesPath, type Envelope } from "./support/existing-clients.ts";
import { hours } from "./support/manual-clock.ts";
import { login, registriesPath } from "./support/registries.ts";
import { sharedApi } from "./support/shared-api.ts";
import { readById, resources, theOnly } from "./support/terraform.ts";

const groupsPath = "/casemgmt/entities/notification-groups/v2";
const slasPath = "/casemgmt/entities/slas/v1";
const templatesPath = "/casemgmt/entities/templates/v1";
const goal = { type: "ack", duration_seconds: 3600 };
const mail = { type: "email", params: { recipients: ["a@example.com"] } };

/** An aggregate as typed clients send it: they cannot omit members. */
const typedAggregate = (more: object = {}) => ({
  date_ranges: [],
  exclude: "",
  extended_bounds: { max: "", min: "" },
  field: "type",
  filter: "",
  filters_spec: { filters: {}, other_bucket: false, other_bucket_key: "" },
  from: 0,
  include: "",
  interval: "",
  max_doc_count: 0,
  min_doc_count: 0,
  missing: "",
  name: "types",
  percents: [],
  q: "",
  ranges: [],
  size: 5,
  sort: "",
  sub_aggregates: [],
  time_zone: "",
  type: "terms",
  ...more,
});

withPostgresAtNight((engine) => {
  describe("values that clients send for members that are not set", () => {
    const suite = sharedApi(engine, { catalogue: true, config: { compat: true } });
    const send = (api: TestApi, method: string, path: string, body: unknown) =>
      api.request<Envelope>(method, path, { body });
    const create = (api: TestApi, path: string, body: unknown) =>
      resources(api, "POST", path, { body }).then(theOnly);

    const createCase = (api: TestApi, body: object) =>
      resources(api, "PUT", paths.cases, { body }).then(theOnly);

    test("unknown members are ignored, and named in a header", async () => {
      const api = await suite.open();
      const policy = await send(api, "POST", policiesPath, {
        resources: [
          { name: "a", platform_name: "Windows", prevention_settings: [], description: "" },
          { name: "b", platform_name: "Mac", prevention_settings: [], "täg, x": 1 },
        ],
      });
      expect(policy.status, policy.text).toBe(201);
      expect(policy.headers.get("x-ignored-members")).toBe(
        "body.resources[].prevention_settings, body.resources[].t?g??x",
      );
      const registry = await send(api, "POST", registriesPath, {
        type: "harbor",
        url: "https://harbor.example",
        url_uniqueness_key: "k",
        user_defined_alias: "h",
        credential: { details: login },
        details: login,
      });
      expect(registry.status, registry.text).toBe(201);
      expect(registry.headers.get("x-ignored-members")).toBe("body.details");
      expect(registry.text).not.toContain(login.password);
      const policies = await api.request("GET", policiesPath, {
        query: { ids: String(policy.body.resources[0]?.["id"]) },
      });
      expect(policies.headers.get("x-ignored-members")).toBeNull();
    });

    test("a template is changed with its fields as they were read", async () => {
      const api = await suite.open();
      const fields = [{ name: "Owner", data_type: "string", input_type: "text" }];
      const template = await create(api, templatesPath, { name: "t", fields });
      const changed = await send(api, "PATCH", templatesPath, {
        id: template["id"],
        fields: template["fields"],
      });
      expect(changed.status, changed.text).toBe(200);
      expect(changed.headers.get("x-ignored-members")).toContain("body.fields[].created_by");
    });

    test("at most 20 unknown members are named", async () => {
      const api = await suite.open();
      const others = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`m${index}`, 1]));
      const answer = await send(api, "POST", policiesPath, {
        resources: [{ name: "many", platform_name: "Windows", ...others }],
      });
      const places = answer.headers.get("x-ignored-members")?.split(", ");
      expect(places).toHaveLength(21);
      expect(places?.slice(-2)).toEqual(["body.resources[].m19", "..."]);
    });

    test.each(["access-tags/v1", "notification-groups/v2", "slas/v1", "templates/v1"])(
      "aggregates of %s without a name have the name of their field",
      async (path) => {
        const api = await suite.open();
        const spec = { field: "cid", type: "terms", size: 10 };
        const answer = await send(api, "POST", `/casemgmt/aggregates/${path}`, [
          spec,
          { ...spec, name: "" },
        ]);
        expect(answer.body.resources, answer.text).toMatchObject([
          { name: "cid", buckets: expect.any(Array) },
          { name: "cid", buckets: expect.any(Array) },
        ]);
      },
    );

    test("aggregates of file details without ids count all files", async () => {
      const api = await suite.open();
      const { id } = await createCase(api, { name: "files", severity: 40 });
      for (const name of ["a.txt", "b.txt"]) {
        const upload = await api.request("POST", filePaths.upload, {
          body: formOf(String(id), { name }),
        });
        expect(upload.status, upload.text).toBe(200);
      }
      const spec = { field: "case_id", type: "terms" };
      const all = await send(api, "POST", filePaths.aggregates, [spec]);
      expect(all.body.resources, all.text).toMatchObject([
        { name: "case_id", buckets: [{ label: id, count: 2 }] },
      ]);
      const ids = await api.request<Envelope>("GET", filePaths.ids, { query: { limit: 1 } });
      const one = await api.request<Envelope>("POST", filePaths.aggregates, {
        query: { ids: String(ids.body.resources[0]) },
        body: [spec],
      });
      expect(one.body.resources).toMatchObject([{ buckets: [{ label: id, count: 1 }] }]);
    });

    test("aggregates of typed clients have every member", async () => {
      const api = await suite.open();
      const indicators = [fromGo("a.example"), fromGo("b.example")];
      expect((await send(api, "POST", indicatorsPath, { indicators })).status).toBe(201);
      const path = "/iocs/aggregates/indicators/v1";
      const inner = typedAggregate({ field: "severity_number", type: "cardinality", name: "c" });
      const nested = typedAggregate({ sub_aggregates: [inner] });
      const counted = await send(api, "POST", path, nested);
      expect(counted.body.resources, counted.text).toMatchObject([
        {
          name: "types",
          buckets: [{ label: "domain", count: 2, sub_aggregates: [{ name: "c" }] }],
        },
      ]);
      const histogram = typedAggregate({
        field: "created_on",
        interval: "day",
        type: "date_histogram",
      });
      const days = await send(api, "POST", path, histogram);
      expect(days.body.resources, days.text).toMatchObject([{ buckets: [{ count: 2 }] }]);
      const wrong = await send(api, "POST", path, typedAggregate({ type: "range" }));
      expect(wrong.status).toBe(400);
    });

    test("empty lists in updates keep the stored ones", async () => {
      const api = await suite.open();
      const group = await create(api, groupsPath, { name: "g", channels: [mail] });
      const changed = await send(api, "PATCH", groupsPath, {
        id: group["id"],
        name: "h",
        channels: [],
      });
      expect(changed.body.resources, changed.text).toMatchObject([
        { name: "h", channels: group["channels"] },
      ]);
      const sla = await create(api, slasPath, { name: "s", goals: [goal] });
      const updated = await send(api, "PATCH", slasPath, { id: sla["id"], name: "r", goals: [] });
      expect(updated.body.resources, updated.text).toMatchObject([
        { name: "r", goals: sla["goals"] },
      ]);
      const refused = await send(api, "POST", slasPath, { name: "none", goals: [] });
      expect(refused.status).toBe(400);
    });

    test("versions of 0 and templates without an id count as absent for cases", async () => {
      const api = await suite.open();
      const { id } = await createCase(api, {
        name: "typed",
        template: { id: "" },
        severity: 40,
        severity_info: "",
      });
      const changed = await send(api, "PATCH", paths.cases, {
        id,
        expected_version: 0,
        expected_consistency_version: 0,
        fields: { name: "renamed", template: { id: "" }, severity: 0 },
      });
      expect(changed.body.resources, changed.text).toMatchObject([{ id, name: "renamed" }]);
    });

    test("null in updates of notification groups and SLAs keeps the description; an empty text clears it", async () => {
      const api = await suite.open();
      for (const [path, more] of [
        [groupsPath, { channels: [mail] }],
        [
          "/casemgmt/entities/notification-groups/v1",
          { channels: [{ type: "email", recipients: ["a@example.com"] }] },
        ],
        [slasPath, { goals: [goal] }],
      ] as const) {
        const { id } = await create(api, path, { name: path, description: "kept", ...more });
        const change = async (body: object) =>
          (await send(api, "PATCH", path, { id, ...body })).body.resources[0];
        expect(await change({ name: `${path} 2`, description: null })).toMatchObject({
          description: "kept",
        });
        expect((await change({ description: "" }))?.["description"] ?? "").toBe("");
      }
    });

    test("the zero time of Go clears the expiration of an indicator in an update", async () => {
      const api = await suite.open();
      const expiration = new Date(api.clock.now().getTime() + hours(5)).toISOString();
      const { id } = await create(api, indicatorsPath, {
        indicators: [fromGo("expires.example", { expiration })],
      });
      const change = (body: object) =>
        resources(api, "PATCH", indicatorsPath, { body }).then(theOnly);
      const zero = "0001-01-01T00:00:00.000Z";
      const kept = await change({ bulk_update: null, indicators: [{ id, description: "d" }] });
      expect(kept).toMatchObject({ expiration });
      const cleared = await change({ indicators: [{ id, description: "d", expiration: zero }] });
      expect(cleared).not.toHaveProperty("expiration");
      expect(await readById(api, indicatorsPath, id)).not.toHaveProperty("expiration");
      const fresh = await create(api, indicatorsPath, {
        indicators: [fromGo("never.example", { expiration: zero })],
      });
      expect(fresh).not.toHaveProperty("expiration");
    });

    test("the zero time of Go in a bulk update keeps the expiration, and null clears it", async () => {
      const api = await suite.open();
      const expiration = new Date(api.clock.now().getTime() + hours(5)).toISOString();
      const { id } = await create(api, indicatorsPath, {
        indicators: [fromGo("bulk-expires.example", { expiration })],
      });
      const change = (members: object) => {
        const bulk_update = { filter: `id:'${id}'`, ...members };
        return resources(api, "PATCH", indicatorsPath, { body: { bulk_update } }).then(theOnly);
      };
      for (const zero of ["0001-01-01T00:00:00.000Z", "0001-01-01T00:00:00Z"]) {
        const kept = await change({ expiration: zero, source: "feed" });
        expect(kept).toMatchObject({ expiration, source: "feed" });
      }
      expect(await change({ expiration: null })).not.toHaveProperty("expiration");
    });

    test.each([
      ["/mssp/entities/cid-groups/v1", "cid_group_id"],
      ["/mssp/entities/user-groups/v1", "user_group_id"],
    ])("updates of %s without a description clear it", async (path, idName) => {
      const api = await suite.open();
      const group = await create(api, path, { resources: [{ name: "g", description: "d" }] });
      const changed = await send(api, "PATCH", path, {
        resources: [{ [idName]: group[idName], name: "h", cid: api.tenant.cid }],
      });
      expect(changed.body.resources, changed.text).toMatchObject([{ name: "h", description: "" }]);
    });

    test("an empty credential keeps the credential of a registry", async () => {
      const api = await suite.open();
      const created = await api.request<{ readonly resources: { readonly id: string } }>(
        "POST",
        registriesPath,
        {
          body: {
            type: "harbor",
            url: "https://harbor.example",
            url_uniqueness_key: "k",
            user_defined_alias: "h",
            credential: { details: login },
          },
        },
      );
      const changed = await api.request<Envelope>("PATCH", registriesPath, {
        query: { id: created.body.resources.id },
        body: { user_defined_alias: "renamed", credential: { details: {} } },
      });
      expect(changed.status, changed.text).toBe(200);
      expect(changed.body.resources).toMatchObject({
        user_defined_alias: "renamed",
        credential: { details: { username: login.username } },
      });
    });
  });

  describe("a server without --compat", () => {
    const suite = sharedApi(engine, { catalogue: true });

    test("rejects unknown members, unnamed aggregates and unset values", async () => {
      const api = await suite.open();
      const refused = async (method: string, path: string, body: object, place: string) => {
        const answer = await api.request(method, path, { body });
        expect([path, answer.status]).toEqual([path, 400]);
        expect(answer.text).toContain(place);
        expect(answer.headers.get("x-ignored-members")).toBeNull();
      };
      const policy = { name: "p", platform_name: "Windows", prevention_settings: [] };
      await refused("POST", policiesPath, { resources: [policy] }, "prevention_settings");
      const slas = "/casemgmt/aggregates/slas/v1";
      await refused("POST", slas, { field: "name", type: "terms" }, "body.name");
      await refused("POST", slas, typedAggregate({ field: "name" }), "body.percents");
      const files = [{ name: "n", field: "case_id", type: "terms" }];
      await refused("POST", filePaths.aggregates, files, "query.ids");
    });
  });
});
