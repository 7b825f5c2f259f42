import { expect, test } from "vitest";
import { importRecords } from "../src/imports/index.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { domain, hash, haveHostGroup, iocSuite, paths, type Indicator } from "./support/ioc.ts";
import { hours, minutes } from "./support/manual-clock.ts";
import { type ErrorBody, ahead, messages } from "./support/session.ts";

const group = "7d0c4a9be1f24c36a58b9d1e2f304152";

withPostgresAtNight((engine) => {
  const suite = iocSuite(engine);

  test("returns the created indicator: normalised, complete, with times and author", async () => {
    const api = await suite.open();
    await haveHostGroup(api, group);
    const answer = await api.create(
      [
        hash("A", {
          value: ` ${"A".repeat(64)} `,
          action: "prevent",
          description: "",
          source: "feed",
          tags: ["Two", "one"],
          metadata: { filename: "a.exe" },
          applied_globally: false,
          host_groups: [group],
          expiration: "2027-01-01T02:00:00+02:00",
        }),
        {
          type: "all_subdomains",
          value: "Example.ORG",
          platforms: ["ios"],
          mobile_action: "allow",
          applied_globally: true,
        },
      ],
      {},
      "why",
    );
    expect(answer.status).toBe(201);
    const [first, second] = answer.body;
    const now = api.clock.now().toISOString();
    expect(first).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{64}$/),
      description: "",
      type: "sha256",
      value: "a".repeat(64),
      action: "prevent",
      mobile_action: "no_action",
      severity: "high",
      source: "feed",
      platforms: ["windows"],
      tags: ["Two", "one"],
      host_groups: [group],
      applied_globally: false,
      expiration: "2027-01-01T00:00:00.000Z",
      expired: false,
      deleted: false,
      from_parent: false,
      metadata: { filename: "a.exe", signed: false, av_hits: -1 },
      created_by: api.clientId,
      created_on: now,
      modified_by: api.clientId,
      modified_on: now,
    });
    expect(second).toMatchObject({
      value: "example.org",
      action: "no_action",
      mobile_action: "allow",
      severity: "",
      tags: [],
      host_groups: [],
      metadata: {},
    });
    expect(second).toHaveProperty("description", "");
    expect(second).not.toHaveProperty("expiration");
    const served = await api.get(first?.id ?? "", second?.id ?? "");
    expect(served.text).toBe(answer.text);
  });

  test("a host group must exist in the tenant, wherever an indicator gets it", async () => {
    const [api, other] = [await suite.open(), await suite.open()];
    const own = await haveHostGroup(api, group);
    const foreign = await haveHostGroup(other, "6".repeat(32));
    const unknown = "5".repeat(32);
    const reach = (...host_groups: readonly string[]) => ({ applied_globally: false, host_groups });
    const refused = await api.create<ErrorBody>([
      domain("a.example", reach(own)),
      domain("b.example", reach(own, foreign, unknown)),
    ]);
    expect(refused.status).toBe(400);
    expect(messages(refused)).toEqual([
      `body.indicators[1].host_groups[1]: there is no host group ${foreign}`,
      `body.indicators[1].host_groups[2]: there is no host group ${unknown}`,
    ]);
    const [{ id = "" } = {}] = await api.stored(domain("c.example", reach(own)));
    for (const body of [
      { indicators: [{ id, host_groups: [unknown] }] },
      { bulk_update: { filter: `id:'${id}'`, host_groups: [own, unknown] } },
    ]) {
      const changed = await api.update<ErrorBody>(body);
      expect([changed.status, messages(changed)[0]]).toEqual([
        400,
        expect.stringContaining(`there is no host group ${unknown}`),
      ]);
    }
    const imported = await importRecords(api.store, {
      cid: api.tenant.cid,
      kind: "indicators",
      clock: api.clock,
      lines: [own, unknown].map((each) => JSON.stringify(domain(`${each}.example`, reach(each)))),
    });
    expect(imported).toMatchObject({
      imported: 1,
      problems: [{ line: 2, message: `host_groups[0]: there is no host group ${unknown}` }],
    });
    expect(await api.values({ sort: "value" })).toEqual([`${own}.example`, "c.example"]);
  });

  test("all problems of a request are reported at once with their places, and nothing is written", async () => {
    const api = await suite.open();
    const answer = await api.create<ErrorBody>([
      domain("good.example"),
      hash("a", { value: "xyz", severity: "" }),
      domain("ok.example", { platforms: ["windows", "ios"] }),
      domain("late.example", { expiration: ahead(api, -1), applied_globally: false }),
    ]);
    expect(answer.status).toBe(400);
    expect(messages(answer)).toEqual([
      expect.stringMatching(/^body\.indicators\[1\]\.value: expected 64 hex digits/),
      expect.stringMatching(/^body\.indicators\[1\]\.severity: cannot be empty/),
      expect.stringMatching(/^body\.indicators\[2\]\.mobile_action: is required/),
      expect.stringMatching(/^body\.indicators\[3\]\.host_groups: expected at least one/),
      expect.stringMatching(/^body\.indicators\[3\]\.expiration: expected a time in the future/),
    ]);
    expect(await api.values({})).toEqual([]);
  });

  test("schema violations come from the document", async () => {
    const api = await suite.open();
    const answer = await api.create<ErrorBody>([
      { ...domain("a.example"), type: "sha265", colour: 1 },
    ]);
    expect(answer.status).toBe(400);
    expect(messages(answer).join("\n")).toMatch(/indicators\[0\]\.type.*did you mean sha256/);
    expect(messages(answer).join("\n")).toMatch(/indicators\[0\]\.colour: unknown field/);
  });

  test("filename alone is an alias of metadata.filename", async () => {
    const api = await suite.open();
    const [created] = await api.stored({ ...hash("b"), filename: "b.exe" });
    expect(created?.metadata.filename).toBe("b.exe");
  });

  test("an existing value causes a 409 that names the indicator, and nothing is written", async () => {
    const api = await suite.open();
    const [first] = await api.stored(domain("bad.example"));
    const answer = await api.create<ErrorBody>([domain("new.example"), domain("BAD.example")]);
    expect(answer.status).toBe(409);
    expect(answer.body.errors).toEqual([
      {
        code: 409,
        id: first?.id,
        message: expect.stringMatching(
          /^body\.indicators\[1\]: domain bad\.example already exists/,
        ),
      },
    ]);
    expect(await api.values({})).toEqual(["bad.example"]);
  });

  test("with ignore_warnings, existing values are skipped and the response contains the others", async () => {
    const api = await suite.open();
    const [first] = await api.stored(domain("bad.example"));
    const answer = await api.create(
      [domain("bad.example", { severity: "low" }), domain("a.example"), domain("b.example")],
      { ignore_warnings: true },
    );
    expect(answer.status).toBe(201);
    expect(answer.body.map(({ value }) => value)).toEqual(["a.example", "b.example"]);
    expect((await api.get(first?.id ?? "")).body[0]?.severity).toBe("high");
    const again = await api.create([domain("bad.example")], { ignore_warnings: true });
    expect([again.status, again.body]).toEqual([201, []]);
  });

  test("skipped items are listed in a header, and in the Envelope with their reasons", async () => {
    const api = await suite.open();
    const [first] = await api.stored(domain("bad.example"));
    const indicators = [
      domain("a.example"),
      domain("bad.example"),
      domain("A.example"),
      domain("b.example"),
      domain("b.example"),
    ];
    const { headers, body } = await api.request<{
      readonly meta: { readonly warnings?: readonly { message: string; id?: string }[] };
      readonly resources: readonly Indicator[];
      readonly errors: readonly unknown[];
    }>("POST", paths.indicators, {
      query: { ignore_warnings: true },
      body: { indicators },
      headers: { accept: "application/vnd.security-platform.envelope+json" },
    });
    expect(headers.get("x-skipped-items")).toBe("1-2, 4");
    expect(body.resources.map(({ value }) => value)).toEqual(["a.example", "b.example"]);
    expect(body.errors).toEqual([]);
    expect(body.meta.warnings).toEqual([
      {
        id: first?.id,
        message: `body.indicators[1]: domain bad.example already exists as ${first?.id}`,
      },
      {
        message:
          "body.indicators[2]: domain a.example is already in the request, as body.indicators[0]",
      },
      {
        message:
          "body.indicators[4]: domain b.example is already in the request, as body.indicators[3]",
      },
    ]);
    const none = await api.create([domain("c.example")], { ignore_warnings: true });
    expect(none.headers.get("x-skipped-items")).toBeNull();
  });

  test("the same value twice in one request is rejected, and the first of them is named", async () => {
    const api = await suite.open();
    const twice = [
      domain("a.example"),
      domain("A.example"),
      {
        ...domain("a.example"),
        type: "all_subdomains",
        platforms: ["ios"],
        mobile_action: "detect",
      },
      domain("a.EXAMPLE"),
    ];
    const answer = await api.create<ErrorBody>(twice);
    expect(answer.status).toBe(409);
    expect(messages(answer)).toEqual([
      expect.stringMatching(
        /^body\.indicators\[1\]: .* already in the request, as body\.indicators\[0\]/,
      ),
      expect.stringMatching(
        /^body\.indicators\[3\]: .* already in the request, as body\.indicators\[0\]/,
      ),
    ]);
    const skipped = await api.create(twice, { ignore_warnings: true });
    expect(skipped.body.map(({ type }) => type)).toEqual(["domain", "all_subdomains"]);
  });

  test("the value of a deleted indicator is free, and gets a new id", async () => {
    const api = await suite.open();
    const [first] = await api.stored(domain("bad.example"));
    await api.remove({ ids: [first?.id ?? ""] });
    const [second] = await api.stored(domain("bad.example"));
    expect(second?.id).not.toBe(first?.id);
  });

  test("two tenants can have the same value", async () => {
    const [one, other] = [await suite.open(), await suite.open()];
    await one.stored(domain("bad.example"));
    expect((await other.create([domain("bad.example")])).status).toBe(201);
  });

  test("all warnings are listed and prevent the creation, unless they are ignored", async () => {
    const api = await suite.open();
    const odd = [
      domain("10.1.2.3", { type: "ipv4" }),
      domain("::1", { type: "ipv6" }),
      domain("d41d8cd98f00b204e9800998ecf8427e", { type: "md5" }),
      domain("soon.example", { expiration: ahead(api, minutes(59)) }),
      domain("fine.example", { expiration: ahead(api, hours(1)) }),
    ];
    const answer = await api.create<ErrorBody>(odd);
    expect(answer.status).toBe(400);
    expect(messages(answer)).toEqual([
      expect.stringMatching(/^body\.indicators\[0\]\.value: warning: .*private/),
      expect.stringMatching(/^body\.indicators\[1\]\.value: warning: .*loopback/),
      expect.stringMatching(/^body\.indicators\[2\]\.value: warning: .*known-good/),
      expect.stringMatching(/^body\.indicators\[3\]\.expiration: warning: .*hour/),
      expect.stringContaining("ignore_warnings=true"),
    ]);
    expect(await api.values({})).toEqual([]);
    expect((await api.create(odd, { ignore_warnings: true })).body).toHaveLength(5);
  });

  test("a duplicate and a warning are reported together", async () => {
    const api = await suite.open();
    await api.stored(domain("bad.example"));
    const answer = await api.create<ErrorBody>([
      domain("bad.example"),
      domain("127.0.0.1", { type: "ipv4" }),
    ]);
    expect(answer.status).toBe(409);
    expect(messages(answer)).toHaveLength(2);
  });

  test("many at once, up to the documented maximum", async () => {
    const api = await suite.open();
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => domain(`host-${index}.example`));
    expect((await api.create(many(2_001))).status).toBe(400);
    const answer = await api.create(many(2_000));
    expect(answer.status).toBe(201);
    expect(new Set(answer.body.map(({ id }) => id)).size).toBe(2_000);
    expect((await api.create([])).status).toBe(400);
  });

  test("of concurrent calls with one value exactly one succeeds", async () => {
    const api = await suite.open();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => api.create([domain("race.example")])),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(7).fill(409)]);
    expect(await api.values({})).toEqual(["race.example"]);
  });

  test("the comment is stored in the audit trail", async () => {
    const api = await suite.open();
    const answer = await api.create([domain("a.example")], {}, "incident 7");
    const [entry] = await api.store.directory.auditEntries({ cid: api.tenant.cid, limit: 5 });
    expect(entry).toMatchObject({
      actor: api.clientId,
      operation: "indicator.create.v1",
      comment: "incident 7",
      trace_id: answer.headers.get("x-trace-id"),
      ids: answer.body.map(({ id }) => id),
    });
    await api.create([domain("a.example")]);
    expect(await api.store.directory.auditEntries({ cid: api.tenant.cid, limit: 5 })).toHaveLength(
      1,
    );
  });

  test("actions with their related members", async () => {
    const api = await suite.open();
    const ids = await api.request<string[]>("GET", paths.actionIds, {
      query: { limit: 2, offset: "1" },
    });
    expect(ids.body).toEqual(["allow", "prevent_no_ui"]);
    expect(ids.headers.get("x-total-count")).toBe("5");
    const all = await api.request<{ id: string }[]>("GET", paths.actions);
    expect(all.body.map(({ id }) => id)).toEqual([
      "no_action",
      "allow",
      "prevent_no_ui",
      "prevent",
      "detect",
    ]);
    const actionList = await api.request<{ id: string }[]>("GET", paths.actions, {
      query: { ids: ["prevent", "allow", "prevent"] },
    });
    expect(actionList.body.map(({ id }) => id)).toEqual(["prevent", "allow"]);
    const wrong = await api.request<ErrorBody>("GET", paths.actions, {
      query: { ids: ["detect", "destroy"] },
    });
    expect(wrong.status).toBe(404);
    expect(wrong.body.errors[0]?.id).toBe("destroy");
    expect(wrong.body.resources).toHaveLength(1);
  });

  test.each([
    [paths.types, ["sha256", "md5", "domain", "ipv4", "ipv6", "all_subdomains"]],
    [paths.platforms, ["windows", "mac", "linux", "ios", "android"]],
    [paths.severities, ["informational", "low", "medium", "high", "critical"]],
  ])("%s", async (path, expected) => {
    const api = await suite.open();
    expect((await api.request("GET", path)).body).toEqual(expected);
  });
});
