import { describe, expect, test } from "vitest";
import { withPostgresAtNight } from "./support/engines.ts";
import { administer } from "./support/raw-sql.ts";
import {
  createRegistry,
  login,
  ociRegistry,
  readRegistry,
  registriesPath,
  registryServer,
  updateRegistry,
  wholeRegistry,
  type Problems,
} from "./support/registries.ts";
import { sharedApi } from "./support/shared-api.ts";

withPostgresAtNight((engine) => {
  const shared = sharedApi(engine, registryServer);
  const open = () => shared.open("registries");

  describe("contact with the registry", () => {
    const images = { "shop/web": ["1.0", "1.1"], "shop/api": ["2.0"], tool: [] };

    test.each([
      ["without signing in", {}],
      ["with a password", { signIn: "basic", ...login }],
      ["with a token", { signIn: "bearer", ...login }],
    ] as const)("%s: it becomes active, and its images are listed", async (_, options) => {
      const api = await open();
      const real = await ociRegistry({ ...options, images, pageSize: 2 });
      const { id } = await createRegistry(api, {
        type: "docker",
        url: real.url,
        ...("signIn" in options ? { credential: { details: login } } : {}),
      });
      expect(real.requests).toEqual([]);
      const { next_refresh_at } = await readRegistry(api, id);
      expect(next_refresh_at).toBe(new Date(api.clock.now().getTime() + 86_400_000).toISOString());
      api.clock.advance(5_000);
      await api.work();
      const at = api.clock.now();
      expect(await readRegistry(api, id)).toMatchObject({
        state: "active",
        state_changed_at: at.toISOString(),
        last_refreshed_at: at.toISOString(),
        // Computed once, when the registry was added.
        next_refresh_at,
      });
      expect((await wholeRegistry(api, id))?.listing).toEqual({
        repositories: 3,
        tags: 3,
        complete: true,
      });
      expect(real.requests).toContain("GET /v2/shop/web/tags/list?n=1000");
      expect(real.requests.some((each) => each.includes("last=shop%2Fapi"))).toBe(true);
    });

    test("it is refreshed every day, not before its time", async () => {
      const api = await open();
      const real = await ociRegistry({});
      const { id } = await createRegistry(api, { type: "docker", url: real.url });
      await api.work();
      const pings = () => real.requests.filter((each) => each === "GET /v2/").length;
      expect(pings()).toBe(1);
      api.clock.advance(86_399_000);
      await api.work();
      expect(pings()).toBe(1);
      api.clock.advance(1_000);
      await api.work();
      expect(pings()).toBe(2);
      const { last_refreshed_at, state_changed_at } = await readRegistry(api, id);
      expect(last_refreshed_at).toBe(api.clock.now().toISOString());
      expect(state_changed_at).not.toBe(last_refreshed_at);
      // A server that was down for days contacts it once.
      api.clock.advance(10 * 86_400_000);
      await api.work();
      expect(pings()).toBe(3);
    });

    test("a rejected credential is an error until another one is set", async () => {
      const api = await open();
      const real = await ociRegistry({ signIn: "bearer", ...login, password: "another" });
      const { id } = await createRegistry(api, {
        type: "docker",
        url: real.url,
        credential: { details: login },
      });
      await api.work();
      const at = api.clock.now().toISOString();
      const failed = await readRegistry(api, id);
      expect(failed).toMatchObject({
        state: "error",
        last_refreshed_at: null,
        credential: { expired: true, expired_at: at },
      });
      expect((await wholeRegistry(api, id))?.reason).toBe(
        "its token service rejects the credential",
      );
      const requests = real.requests.length;
      api.clock.advance(3_600_000);
      await api.work();
      expect(real.requests).toHaveLength(requests);
      const credential = { type: "docker", details: { ...login, password: "another" } };
      const changed = await updateRegistry(api, id, { credential });
      expect(changed.body.credential).toEqual({
        ...failed.credential,
        expired: false,
        expired_at: undefined,
        updated_at: api.clock.now().toISOString(),
      });
      await api.work();
      expect(await readRegistry(api, id)).toMatchObject({
        state: "active",
        credential: { expired: false },
      });
      expect(await wholeRegistry(api, id)).not.toHaveProperty("reason");
    });

    test("one that cannot be reached is retried with increasing pauses, then the next day", async () => {
      const api = await open();
      const real = await ociRegistry({});
      const { id } = await createRegistry(api, { type: "docker", url: real.url });
      real.statuses.push(...Array.from({ length: 20 }, () => 503));
      let attempts = 0;
      const gaps: number[] = [];
      let waited = 0;
      for (let second = 0; second < 2 * 3_600; second += 10) {
        await api.work();
        const created = real.requests.length;
        if (created > attempts) gaps.push(waited);
        waited = created > attempts ? 0 : waited + 10;
        attempts = created;
        api.clock.advance(10_000);
      }
      expect(attempts).toBe(10);
      expect(gaps.at(-1)).toBeGreaterThan(gaps.at(2) ?? 0);
      const failed = await readRegistry(api, id);
      expect(failed).toMatchObject({ state: "error", last_refreshed_at: null });
      expect((await wholeRegistry(api, id))?.reason).toBe("it responded with 503");
      real.statuses.length = 0;
      api.clock.advance(86_400_000);
      await api.work();
      expect(await readRegistry(api, id)).toMatchObject({ state: "active" });
    });

    test("one attempt fails and the next succeeds", async () => {
      const api = await open();
      const real = await ociRegistry({});
      real.statuses.push(500);
      const { id } = await createRegistry(api, { type: "docker", url: real.url });
      await api.work();
      expect((await readRegistry(api, id)).state).toBe("error");
      api.clock.advance(10_000);
      await api.work();
      expect((await readRegistry(api, id)).state).toBe("active");
    });

    test.each([
      [404, "it responded to GET /v2/ with 404, so it is not a registry"],
      [307, "it responded with 307; redirects are not followed"],
      [401, "it responded with 401 without a supported authentication scheme"],
    ])(
      "a registry that responds with %i is an error, and is not tried again at once",
      async (status, reason) => {
        const api = await open();
        const real = await ociRegistry({});
        real.statuses.push(status);
        const { id } = await createRegistry(api, { type: "docker", url: real.url });
        await api.work();
        expect(await wholeRegistry(api, id)).toMatchObject({ state: "error", reason });
        api.clock.advance(3_600_000);
        await api.work();
        expect(real.requests).toHaveLength(1);
      },
    );

    test("secrets are sent to the registry only, and not stored in audit entries or jobs", async () => {
      const api = await open();
      const real = await ociRegistry({ signIn: "basic", ...login, password: "wrong" });
      const { id } = await createRegistry(api, {
        type: "docker",
        url: real.url,
        credential: { details: login },
      });
      await api.work();
      await updateRegistry(api, id, {
        credential: { details: { ...login, password: login.password } },
      });
      expect(real.authorizations).toContain(
        `Basic ${Buffer.from(`${login.username}:${login.password}`).toString("base64")}`,
      );
      const { cid } = api.tenant;
      const trail = JSON.stringify(await api.store.directory.auditEntries({ cid, limit: 100 }));
      expect(trail).toContain("registries refresh");
      const jobs = JSON.stringify(
        await administer(shared.databaseUrl(), `select * from jobs where cid = '${cid}'`),
      );
      expect(trail + jobs).not.toContain(login.password);
    });
  });

  describe("changes", () => {
    test("pause stops refreshes, and resume starts them again at once", async () => {
      const api = await open();
      const real = await ociRegistry({});
      const { id } = await createRegistry(api, { type: "docker", url: real.url });
      await api.work();
      api.clock.advance(1_000);
      const paused = await updateRegistry(api, id, {
        state: "pause",
        user_defined_alias: "Paused",
      });
      expect(paused.body).toMatchObject({
        state: "paused",
        state_changed_at: api.clock.now().toISOString(),
        next_refresh_at: null,
        user_defined_alias: "Paused",
      });
      const before = await readRegistry(api, id);
      api.clock.advance(5 * 86_400_000);
      expect((await updateRegistry(api, id, { state: "pause" })).body).toEqual(before);
      await api.work();
      expect(real.requests).toHaveLength(2);
      const resumed = await updateRegistry(api, id, { state: "resume" });
      const next_refresh_at = new Date(api.clock.now().getTime() + 86_400_000).toISOString();
      expect(resumed.body).toMatchObject({ state: "active", next_refresh_at });
      api.clock.advance(1_000);
      await api.work();
      expect(real.requests).toHaveLength(4);
      expect(await readRegistry(api, id)).toMatchObject({ next_refresh_at });
      const fresh = await createRegistry(api, { type: "docker", url: "https://fresh.example.com" });
      await updateRegistry(api, fresh.id, { state: "pause" });
      expect((await updateRegistry(api, fresh.id, { state: "resume" })).body.state).toBe("pending");
    });

    test("a running refresh does not undo a pause", async () => {
      const api = await open();
      const real = await ociRegistry({});
      const { id } = await createRegistry(api, { type: "docker", url: real.url });
      let pausing: Promise<unknown> | undefined;
      real.onRequest = () => (pausing ??= updateRegistry(api, id, { state: "pause" }));
      await api.work();
      await pausing;
      expect(real.requests.length).toBeGreaterThan(0);
      expect(await readRegistry(api, id)).toMatchObject({
        state: "paused",
        last_refreshed_at: null,
        next_refresh_at: null,
      });
    });

    test("the type of a credential must match the registry; an unknown registry causes a 404", async () => {
      const api = await open();
      const { id } = await createRegistry(api, {
        type: "harbor",
        url: "https://harbor.example.com",
        credential: { details: login },
      });
      const wrong = await api.request<Problems>("PATCH", registriesPath, {
        query: { id },
        body: { credential: { type: "docker", details: login } },
      });
      expect([wrong.status, wrong.body.errors[0]?.message]).toEqual([
        400,
        "body.credential.type: is docker; the registry is of type harbor, which cannot be changed",
      ]);
      const part = await api.request<Problems>("PATCH", registriesPath, {
        query: { id },
        body: { credential: { details: { username: "only" } } },
      });
      expect(part.body.errors[0]?.message).toContain(
        "body.credential.details.password: is missing",
      );
      expect((await wholeRegistry(api, id))?.secrets).toEqual({ password: login.password });
      const other = await open();
      expect((await updateRegistry(other, id, { state: "pause" })).status).toBe(404);
    });
  });
});
