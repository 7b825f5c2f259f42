import { canonicalInstant } from "@security-platform/fql";
import { servedDocument } from "@security-platform/spec";
import { describe, expect, test } from "vitest";
import { importRecords } from "../src/imports/index.ts";
import { resolved, type Schema } from "../src/validation/resolved.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { inventory, sendInventory } from "./support/images.ts";
import { domain, iocSuite, paths, type Indicator, type Session } from "./support/ioc.ts";
import { ahead, messages, type ErrorBody } from "./support/session.ts";
import { openUsers, type Session as UserSession } from "./support/users.ts";

const accepted = [
  "2030-01-01 00:00:00+00:00",
  "2030-01-01T00:00:00+0000",
  "2030-01-01T00:00:00+02",
  "2030-01-01 00:00:00-0930",
  "2030-12-31T23:59:60Z",
  "2030-12-31T18:59:60.5-05:00",
  "2030-01-01t00:00:00z",
  "2030-01-01T00:00:00.123456789Z",
  `2030-01-01T00:00:00.${"9".repeat(60)}Z`,
  "2030-01-01T00:00:00-00:00",
];
const refused = [
  "2030-01-01\t00:00:00Z",
  "2030-01-01\n00:00:00Z",
  "2030-02-30T00:00:00Z",
  "2030-01-01T24:00:00Z",
  "2030-01-01T12:00:60Z",
  "2030-01-01T00:00:00",
  "2030-01-01",
  "2030-01-01T00:00:00+24:00",
  "2030-01-01T00:00:00+00:00Z",
  "now",
];
const expectation = /expected an RFC 3339 timestamp such as 2026-01-31T09:30:00Z, got/;

type Api = Session & Pick<UserSession, "user" | "grants">;

/** Sends an instant at one place of a request. Returns the status, the messages and the stored instant. */
type Probe = (
  api: Api,
  text: string,
) => Promise<{ status: number; problems: readonly string[]; stored?: string | undefined }>;

const probes: Readonly<Record<string, Probe>> = {
  "indicator.create.v1 body.indicators[].expiration": async (api, expiration) => {
    const answer = await api.create([domain(`${crypto.randomUUID()}.example`, { expiration })]);
    return outcome(answer, answer.status === 201 ? answer.body[0]?.expiration : undefined);
  },
  "indicator.update.v1 body.indicators[].expiration": async (api, expiration) => {
    const id = await storedId(api);
    const answer = await api.update({ indicators: [{ id, expiration }] });
    return outcome(answer, (await api.get(id)).body[0]?.expiration);
  },
  "indicator.update.v1 body.bulk_update.expiration": async (api, expiration) => {
    const id = await storedId(api);
    const answer = await api.update({ bulk_update: { filter: `id:'${id}'`, expiration } });
    return outcome(answer, (await api.get(id)).body[0]?.expiration);
  },
  "indicator.sdmf-query.v1 body.control_info.deadline": async (api, deadline) =>
    outcome(
      await api.request<ErrorBody>("POST", paths.sdmf, {
        body: {
          id: "q",
          res_id: "i",
          nodes: [{ id: "i", res_id: "i", operator: { type: "source", resource: "indicators" } }],
          control_info: { deadline },
        },
      }),
    ),
  "userRolesActionV1 body.expires_at": (api, expires_at) =>
    granted(api, "/user-management/entities/user-role-actions/v1", expires_at),
  "userRolesActionV2 body.expires_at": (api, expires_at) =>
    granted(api, "/user-management/entities/user-role-actions/v2", expires_at),
  "PostImageScanInventory body.inventory.Config.created": (api, created) =>
    scanned(api, (draft) => {
      draft.inventory.Config = { ...draft.inventory.Config, created };
    }),
  "PostImageScanInventory body.inventory.Config.history[].created": (api, created) =>
    scanned(api, (draft) => {
      draft.inventory.Config = { ...draft.inventory.Config, history: [{ created }] };
    }),
};

const soon = "2029-01-01T00:00:00.000Z";

async function storedId(api: Api): Promise<string> {
  const [indicator] = await api.stored(
    domain(`${crypto.randomUUID()}.example`, { expiration: soon }),
  );
  return indicator?.id ?? "";
}

type Reply = { readonly status: number; readonly body: unknown };
const outcome = (answer: Reply, stored?: string) => ({
  status: answer.status,
  problems: answer.status < 400 ? [] : messages(answer as never),
  stored,
});

async function granted(api: Api, path: string, expires_at: string) {
  const { uuid } = await api.user(crypto.randomUUID());
  const answer = await api.request("POST", path, {
    body: { action: "grant", cid: api.tenant.cid, uuid, role_ids: ["help_desk"], expires_at },
  });
  return outcome(answer, (await api.grants(uuid))[0]?.expires_at);
}

const scanned = async (api: Api, change: Parameters<typeof inventory>[0]) =>
  outcome(await sendInventory(api, inventory(change)));

/** The places of instants in requests. */
function places(): ReadonlySet<string> {
  const found = new Set<string>();
  const walk = (reference: Schema, place: string, above: readonly string[]): void => {
    const text = JSON.stringify(reference);
    if (above.includes(text)) return;
    const schema = resolved(reference);
    const inside = [...above, text];
    if (schema["format"] === "date-time") found.add(place);
    for (const [name, member] of Object.entries((schema["properties"] ?? {}) as object)) {
      walk(member as Schema, `${place}.${name}`, inside);
    }
    if (typeof schema["items"] === "object") walk(schema["items"] as Schema, `${place}[]`, inside);
    for (const keyword of ["oneOf", "anyOf", "allOf"]) {
      for (const each of (schema[keyword] ?? []) as readonly Schema[]) walk(each, place, inside);
    }
  };
  for (const { id: operationId, parameters, requestBody } of servedDocument().operations) {
    for (const { schema, name, in: where } of parameters) {
      walk(schema, `${operationId} ${where}.${name}`, []);
    }
    for (const schema of Object.values(requestBody?.content ?? {})) {
      walk(schema, `${operationId} body`, []);
    }
  }
  return found;
}

test("every place of an instant in a request is tried", () => {
  // The configuration of an image occurs twice, with the same schema.
  const tried = Object.keys(probes).flatMap((place) =>
    place.includes(".inventory.") ? [place, place.replace("inventory", "scan_request")] : [place],
  );
  expect(tried.toSorted()).toEqual([...places()].toSorted());
});

withPostgresAtNight((engine) => {
  const suite = iocSuite(engine);

  describe.each(Object.keys(probes))("%s", (place) => {
    const open = async (): Promise<Api> => {
      const api = await suite.open();
      return { ...openUsers(api, 1), ...api };
    };

    test("keeps every form of an instant, and refuses all others", async () => {
      const probe = probes[place] as Probe;
      const api = await open();
      for (const text of accepted) {
        const { status, problems, stored } = await probe(api, text);
        expect({ text, problems }).toEqual({ text, problems: [] });
        expect(status).toBeLessThan(300);
        if (place.includes("expir")) expect(stored).toBe(canonicalInstant(text));
      }
      for (const text of refused) {
        const { status, problems, stored } = await probe(api, text);
        expect({ text, status }).toEqual({ text, status: 400 });
        expect(problems).toEqual([expect.stringMatching(expectation)]);
        expect([undefined, soon]).toContain(stored);
      }
    });

    const isExpiry = place.includes("expir");
    test.runIf(isExpiry)("an expiry is later than now, if only by a millisecond", async () => {
      const probe = probes[place] as Probe;
      const api = await open();
      const inFuture = expect.stringContaining("expected a time in the future") as string;
      expect((await probe(api, ahead(api, 0))).problems).toEqual([inFuture]);
      expect((await probe(api, ahead(api, 1))).problems).not.toContainEqual(inFuture);
    });
  });

  test("an imported line keeps every form of an instant, and is rejected with any other", async () => {
    const api = await suite.open();
    const load = (texts: readonly string[]) =>
      importRecords(api.store, {
        cid: api.tenant.cid,
        kind: "indicators",
        clock: api.clock,
        lines: texts.map((text, index) =>
          JSON.stringify(
            domain(`n${index}.example`, { expiration: text, created_on: text } as object),
          ),
        ),
      });
    expect(await load(refused)).toMatchObject({
      imported: 0,
      rejected: refused.length,
      problems: refused.flatMap((_, index) =>
        ["expiration", "created_on"].map((name) => ({
          line: index + 1,
          message: expect.stringMatching(new RegExp(`^${name}: ${expectation.source}`)),
        })),
      ),
    });
    expect(await load(accepted)).toMatchObject({ imported: accepted.length, problems: [] });
    const query = { filter: "value:*'n*.example'", sort: "value" };
    const { body } = await api.request<readonly Indicator[]>("GET", paths.combined, { query });
    const instants = accepted.map((text) => canonicalInstant(text));
    expect(body.map(({ expiration }) => expiration)).toEqual(instants);
    expect(body.map(({ created_on }) => created_on)).toEqual(instants);
  });

  test("filters and aggregates read the same instants", async () => {
    const api = await suite.open();
    await api.stored(domain("a.example", { expiration: "2030-01-01T00:00:00Z" }));
    for (const text of [...accepted, "2030-01-01T00:00:00+00:00Z"].filter(
      (each) => each.length < 40,
    )) {
      const before =
        `${canonicalInstant(text.replace(/[+]00:00Z$/, "Z"))}` > "2030-01-01T00:00:00.000Z";
      const values = await api.values({ filter: `expiration:<'${text}'` });
      expect({ text, values }).toEqual({ text, values: before ? ["a.example"] : [] });
    }
    for (const text of accepted.filter(({ length }) => length < 40)) {
      const spec = { type: "date_range", name: "r", field: "expiration" };
      const answer = await api.request<readonly { buckets: readonly { count: number }[] }[]>(
        "POST",
        paths.aggregates,
        { body: [{ ...spec, date_ranges: [{ to: text }], time_zone: "+05:00" }] },
      );
      const before = `${canonicalInstant(text)}` > "2030-01-01T00:00:00.000Z";
      expect(answer.body[0]?.buckets[0]?.count, text).toBe(before ? 1 : 0);
    }
    for (const text of refused.slice(0, 5)) {
      const answer = await api.request("GET", paths.search, {
        query: { filter: `expiration:<'${text}'` },
      });
      expect({ text, status: answer.status }).toEqual({ text, status: 400 });
    }
  });
});
