import { document, operations } from "@security-platform/spec";
import { expect, test } from "vitest";
import { clientOf } from "./support/acting.ts";
import type { Answer, Request } from "./support/api.ts";
import { entityPaths } from "./support/data-protection-policies.ts";
import { forEachEngine } from "./support/engines.ts";
import { exclusion, paths as ioaPaths } from "./support/ioa-exclusions.ts";
import { domain, paths as iocPaths } from "./support/ioc.ts";
import { paths as preventionPaths } from "./support/prevention.ts";
import { usersSuite } from "./support/users.ts";

type Members = Readonly<Record<string, unknown>>;
type Send = <Body>(method: string, path: string, request?: Request) => Promise<Answer<Body>>;

/** A kind of record with its authors. */
interface Kind {
  /** Schemas of its responses. */
  readonly schemas: readonly string[];
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Member of the body that lists records; absent: the body is one record. */
  readonly list?: string;
  readonly input: object;
  readonly change: (text: string) => object;
}

const kinds: readonly Kind[] = [
  {
    schemas: ["Indicator"],
    path: iocPaths.indicators,
    list: "indicators",
    input: domain("actor.example"),
    change: (description) => ({ description }),
  },
  {
    schemas: ["PreventionPolicy"],
    path: preventionPaths.policies,
    list: "resources",
    input: { name: "A", platform_name: "Windows" },
    change: (description) => ({ description }),
  },
  {
    schemas: ["SsIoaExclusion"],
    path: ioaPaths.exclusions,
    list: "exclusions",
    input: exclusion("A"),
    change: (description) => ({ description }),
  },
  {
    schemas: ["IoaExclusion"],
    path: ioaPaths.exclusionsV1,
    input: {
      ...exclusion("B"),
      pattern_name: "B",
      groups: ["all"],
      detection_json: "",
      description: "",
    },
    change: (description) => ({ description }),
  },
  {
    schemas: ["Classification"],
    path: `/data-protection${entityPaths.classifications}`,
    list: "resources",
    input: { name: "A", classification_properties: {} },
    change: (name) => ({ name, classification_properties: {} }),
  },
  {
    schemas: ["DataProtectionPolicy"],
    path: `/data-protection${entityPaths.policies}`,
    query: { platform_name: "win" },
    list: "resources",
    input: { name: "A", description: "" },
    change: (description) => ({ description }),
  },
  {
    schemas: ["HostGroup"],
    path: "/devices/entities/host-groups/v1",
    list: "resources",
    input: { name: "A", group_type: "static" },
    change: (description) => ({ description }),
  },
];

/** Records that only imports write; the line contains the author. */
const imported = new Set(["IoaRuleGroup"]);

/** The configuration of cases, whose authors have their own format. */
const configurationKinds: readonly {
  readonly schemas: readonly string[];
  readonly path: string;
  readonly input: object;
}[] = [
  {
    schemas: [
      "CaseTemplate",
      "CaseTemplateSlaRule",
      "CaseField",
      "CaseFieldOption",
      "CaseTemplateSnapshot",
    ],
    path: "templates/v1",
    input: { name: "A" },
  },
  {
    schemas: ["Sla"],
    path: "slas/v1",
    input: { name: "A", goals: [{ type: "ack", duration_seconds: 60 }] },
  },
  {
    schemas: ["NotificationGroupV1"],
    path: "notification-groups/v1",
    input: { name: "A", channels: [{ type: "email", recipients: ["a@example.com"] }] },
  },
  {
    schemas: ["NotificationGroup"],
    path: "notification-groups/v2",
    input: {
      name: "A",
      channels: [{ type: "email", params: { recipients: ["a@example.com"] } }],
    },
  },
];

const isActor = (member: string) => /^(created|modified|updated|canceled)_by$/.test(member);

/** The schemas of responses whose records contain their authors. */
function schemasWithActors(): ReadonlySet<string> {
  const { schemas } = document().components;
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      const name = key === "$ref" ? String(member).split("/").at(-1) : undefined;
      if (name === undefined) visit(member);
      else if (!names.has(name)) {
        names.add(name);
        visit(schemas[name]);
      }
    }
  };
  for (const { responses } of operations()) visit(responses);
  return new Set(
    [...names].filter((name) =>
      Object.keys((schemas[name]?.["properties"] ?? {}) as object).some(isActor),
    ),
  );
}

const write = async (send: Send, kind: Kind, method: string, record: object): Promise<Members> => {
  const { list, path, query = {} } = kind;
  const body = list === undefined ? record : { [list]: [record] };
  const answer = await send<readonly Members[]>(method, path, { query, body });
  expect(answer.status, answer.text).toBe(method === "POST" ? 201 : 200);
  return answer.body[0] ?? {};
};

test("every kind of record with an author is tested here", () => {
  const tested = [
    ...kinds.flatMap(({ schemas }) => schemas),
    ...configurationKinds.flatMap(({ schemas }) => schemas),
    "Case",
    "Invitation",
    ...imported,
  ];
  expect(new Set(tested)).toEqual(schemasWithActors());
});

forEachEngine((engine) => {
  const suite = usersSuite(engine);

  test.each(kinds)(
    "$schemas: the author is the acting user, otherwise the client",
    async (kind) => {
      const api = await suite.open();
      const user = await api.user("author");
      await api.granted(user.uuid, ["falconhost_admin"]);
      const acting = await clientOf(api, user);
      const created = await write(acting.request, kind, "POST", kind.input);
      expect(created).toMatchObject({ created_by: user.uid, modified_by: user.uid });
      const change = (text: string) => ({ ...kind.change(text), id: created["id"] });
      const changed = await write(api.request, kind, "PATCH", change("first"));
      expect(changed).toMatchObject({ created_by: user.uid, modified_by: api.clientId });
      const again = await write(acting.request, kind, "PATCH", change("second"));
      expect(again).toMatchObject({ created_by: user.uid, modified_by: user.uid });
    },
  );

  test.each(configurationKinds)(
    "$schemas: creator and modifier are the acting user, otherwise the client",
    async ({ path, input }) => {
      const api = await suite.open();
      const user = await api.user("author");
      await api.granted(user.uuid, ["falconhost_admin"]);
      const acting = await clientOf(api, user);
      const configure = async (send: Send, method: string, body: object): Promise<Members> => {
        const answer = await send<readonly Members[]>(method, `/casemgmt/entities/${path}`, {
          body,
        });
        expect(answer.status, answer.text).toBe(200);
        return answer.body[0] ?? {};
      };
      const { cid } = api.tenant;
      const [person, program] = [
        { cid, user_uuid: user.uuid },
        { cid, client_id: api.clientId },
      ];
      const name = user.uid;
      const stored = await configure(acting.request, "POST", input);
      expect(stored).toMatchObject({ created_by: person, created_by_name: name });
      expect(stored).toMatchObject({ updated_by: person, updated_by_name: name });
      expect(stored["created_by"]).not.toHaveProperty("client_id");
      const change = (description: string) => ({ id: stored["id"], description });
      const changed = await configure(api.request, "PATCH", change("first"));
      expect(changed).toMatchObject({ created_by: person, updated_by: program });
      expect(changed["updated_by"]).not.toHaveProperty("user_uuid");
      const again = await configure(acting.request, "PATCH", change("second"));
      expect(again).toMatchObject({ created_by: person, updated_by: person });
    },
  );

  test("cases: the author is the acting user, otherwise the client", async () => {
    const api = await suite.open();
    const user = await api.user("author");
    await api.granted(user.uuid, ["falconhost_admin"]);
    const acting = await clientOf(api, user);
    const path = "/cases/entities/cases/v2";
    const body = { name: "A", severity: 10 };
    const [byUser, byClient] = [
      await acting.request<readonly Members[]>("PUT", path, { body }),
      await api.request<readonly Members[]>("PUT", path, { body }),
    ];
    expect(byUser.body[0]).toMatchObject({
      created_by: { uuid: user.uuid },
      creation_actor: { type: "user" },
    });
    expect(byClient.body[0]).toMatchObject({
      created_by: { uuid: api.clientId },
      creation_actor: { type: "api_client" },
    });
    const patched = await acting.request<readonly Members[]>("PATCH", path, {
      body: { id: byClient.body[0]?.["id"], fields: { name: "B" } },
    });
    expect(patched.body[0]).toMatchObject({
      created_by: { uuid: api.clientId },
      last_updated_by: { uuid: user.uuid },
      update_actor: { type: "user", user: { uuid: user.uuid } },
    });
  });

  test("invitations: the author is the acting user, otherwise the client", async () => {
    const [api, other] = [await suite.open(), await suite.open()];
    const [user, guest] = [await api.user("author"), await other.user("guest")];
    await api.granted(user.uuid, ["falconhost_admin"]);
    const acting = await clientOf(api, user);
    const change = async (send: Send, action: "grant" | "revoke") => {
      const body = {
        action,
        cid: api.tenant.cid,
        uuid: guest.uid,
        role_ids: ["event_viewer"],
      };
      const answer = await send("POST", "/user-management/entities/user-role-actions/v2", { body });
      expect(answer.status, answer.text).toBe(200);
      const ids = await api.request<readonly string[]>(
        "GET",
        "/user-management/queries/user-invitations/v1",
        { query: { sort: "created_at|asc" } },
      );
      return (
        await api.request<readonly Members[]>(
          "POST",
          "/user-management/entities/user-invitations/GET/v1",
          { body: { ids: ids.body } },
        )
      ).body;
    };
    expect(await change(acting.request, "grant")).toMatchObject([
      { inviter_email: user.uid, inviter_uuid: user.uuid, updated_by: user.uid },
    ]);
    expect(await change(api.request, "revoke")).toMatchObject([
      { inviter_email: user.uid, canceled_by: api.clientId, updated_by: api.clientId },
    ]);
  });
});
