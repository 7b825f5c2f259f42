import { expect, test } from "vitest";
import { verifyPassword } from "./support/verify-password.ts";
import type { PasswordTokenKind } from "../src/access/password-tokens.ts";
import { listMails } from "../src/mail/outbox.ts";
import { setPassword } from "../src/domain/user-management/passwords/set-password.ts";
import { users, type StoredUser } from "../src/access/users.ts";
import { platformCid } from "../src/store/types/types.ts";
import { clientOf } from "./support/acting.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { days } from "./support/manual-clock.ts";
import { nobody, paths, usersSuite, type Session, type User } from "./support/users.ts";

const password = "Quiet-harbour-1897";

/** The token of the newest mail to a user. */
async function mailed({ store, clock }: Session, { uid }: User): Promise<string> {
  const mails = await listMails(store, clock.now(), { limit: 50 });
  const text = mails.find(({ to }) => to === uid)?.text ?? "";
  return /pwt_[\w-]+/.exec(text)?.[0] ?? "";
}

/** Characters beyond the basic plane count once. */
const passwordOf = (length: number): string => `Aa1!${"🔑".repeat(length - 4)}`;

const set = ({ store, clock }: Session, kind: PasswordTokenKind, token: string, text = password) =>
  setPassword(store, { kind, token, password: text }, clock.now());

async function stored({ store, clock }: Session, { uuid }: User): Promise<StoredUser | undefined> {
  return (await store.records(users, { cid: platformCid }).getComplete([uuid], clock.now())).get(
    uuid,
  );
}

const reset = (api: Session, { uuid }: User) =>
  api.request("POST", "/user-management/entities/user-actions/v1", {
    body: { action: { action_name: "reset_password" }, ids: [uuid] },
  });

const invited = async (api: Session, name: string): Promise<User> => {
  const answer = await api.create({ uid: api.uid(name) });
  expect(answer.status, answer.text).toBe(201);
  return answer.body[0] as User;
};

const unusable = /token: unknown, already used or expired/;

withPostgresAtNight((engine) => {
  const suite = usersSuite(engine);

  test("the mail's token activates the user, once; clients of the user work from then on", async () => {
    const api = await suite.open();
    const a = await invited(api, "a");
    await api.granted(a.uuid, ["falconhost_read_only"]);
    const acting = await clientOf(api, a);
    expect((await acting.signIn()).status).toBe(401);
    const token = await mailed(api, a);
    expect(await set(api, "activation", token)).toEqual({
      uuid: a.uuid,
      uid: a.uid,
      cid: a.cid,
      status: "active",
    });
    expect((await acting.signIn()).status).toBe(201);
    const user = await stored(api, a);
    expect(user).not.toHaveProperty("password_token");
    expect(await verifyPassword(password, user?.password ?? "")).toBe(true);
    await expect(set(api, "activation", token, "Another-harbour-1897")).rejects.toThrow(unusable);
    const [entry] = await api.store.directory.auditEntries({ cid: a.cid, limit: 1 });
    expect(entry).toMatchObject({ actor: "cli", operation: "users activate", ids: [a.uuid] });
  });

  test("neither token nor hash is ever served or stored as plain text", async () => {
    const api = await suite.open();
    const a = await invited(api, "a");
    const token = await mailed(api, a);
    const user = await stored(api, a);
    expect(user?.password_token?.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(user)).not.toContain(token);
    const served = await api.get(paths.getAll, a.uuid);
    expect(served.text).not.toContain("password");
    expect(served.text).not.toContain("hash");
  });

  test("a reset mails a token for a day; of two mails only the newer one is valid", async () => {
    const api = await suite.open();
    const a = await api.user("a");
    await reset(api, a);
    const older = await mailed(api, a);
    api.clock.advance(days(0.5));
    await reset(api, a);
    const newer = await mailed(api, a);
    await expect(set(api, "password_reset", older)).rejects.toThrow(unusable);
    await expect(set(api, "activation", newer)).rejects.toThrow("this is for users reset-password");
    api.clock.advance(days(1));
    await expect(set(api, "password_reset", newer)).rejects.toThrow(unusable);
    await reset(api, a);
    expect(await set(api, "password_reset", await mailed(api, a))).toMatchObject({
      status: "active",
    });
    expect(await verifyPassword(password, (await stored(api, a))?.password ?? "")).toBe(true);
  });

  test("a reset of a user who was never activated mails the activation again", async () => {
    const api = await suite.open();
    const a = await invited(api, "a");
    api.clock.advance(days(7));
    await expect(set(api, "activation", await mailed(api, a))).rejects.toThrow(unusable);
    await reset(api, a);
    expect(await set(api, "activation", await mailed(api, a))).toMatchObject({ status: "active" });
  });

  test("a weak password, a forged token and a deleted user change nothing", async () => {
    const api = await suite.open();
    const a = await invited(api, "a");
    const token = await mailed(api, a);
    const before = await stored(api, a);
    const outOfRange = "password: expected a text of 12 to 128 characters";
    for (const [text, reason] of [
      [passwordOf(11), outOfRange],
      [passwordOf(129), outOfRange],
      ["quiet-harbour-1897", "password: also expected an upper-case letter"],
    ] as const) {
      await expect(set(api, "activation", token, text)).rejects.toThrow(reason);
    }
    const last = token.endsWith("A") ? "B" : "A";
    for (const forged of ["", "x", "pwt_", token.slice(0, -1), token.slice(0, -1) + last, nobody]) {
      await expect(set(api, "activation", forged)).rejects.toThrow(unusable);
    }
    // The length is checked first: these passwords are as short and as long as they may be.
    for (const length of [12, 128]) {
      await expect(set(api, "activation", "x", passwordOf(length))).rejects.toThrow(unusable);
    }
    expect(await stored(api, a)).toEqual(before);
    await api.request("DELETE", paths.users, { query: { user_uuid: a.uuid } });
    await expect(set(api, "activation", token)).rejects.toThrow(unusable);
  });

  test("of two concurrent uses of a token one succeeds", async () => {
    const api = await suite.open();
    const a = await invited(api, "a");
    const token = await mailed(api, a);
    const outcomes = await Promise.allSettled([
      set(api, "activation", token),
      set(api, "activation", token, "Another-harbour-1897"),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });
});
