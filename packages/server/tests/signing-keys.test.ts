import { expect, test } from "vitest";
import { listMails } from "../src/mail/outbox.ts";
import { FixedKeys } from "../src/secrets/keyring.ts";
import { prepareStore } from "../src/platform/platform.ts";
import { startTestApi } from "./support/api.ts";
import { filePaths, formOf, type FileDetail } from "./support/case-files.ts";
import { paths, type Case } from "./support/cases.ts";
import { forEachEngine } from "./support/engines.ts";
import { administer } from "./support/raw-sql.ts";
import { firstKey, secondKey } from "./support/secret-keys.ts";

const keys = new FixedKeys([firstKey, secondKey]);

forEachEngine((engine) => {
  test("all processes sign with the same keys, which are encrypted in the database", async () => {
    const databaseUrl = await engine.url();
    const one = await startTestApi({ databaseUrl, keys });
    const two = await startTestApi({ databaseUrl, keys });
    const signing = await prepareStore(one.store, one.clock);
    expect(await prepareStore(two.store, two.clock)).toEqual(signing);
    const { cursorSecret, linkKey } = signing;
    expect(cursorSecret).not.toBe(linkKey);
    const created = await one.request<readonly Case[]>("PUT", paths.cases, {
      body: { name: "a case", severity: 1 },
    });
    const uploaded = await one.request<readonly FileDetail[]>("POST", filePaths.upload, {
      body: formOf(created.body[0]?.id ?? "", { content: "evidence" }),
    });
    const id = uploaded.body[0]?.id ?? "";
    const link = await one.request<readonly { link: string }[]>("GET", filePaths.download, {
      query: { id },
    });

    const stored = async () =>
      JSON.stringify([
        await administer(databaseUrl, "select name, value from settings"),
        await administer(databaseUrl, "select id, doc, hidden from platform_signing_keys"),
      ]);
    const before = await stored();
    for (const key of [cursorSecret, linkKey]) expect(before).not.toContain(key);
    expect(before.split(`sealed:1:${firstKey.id}:`)).toHaveLength(3 + 1);
    await one.store.secrets.rotateTo(secondKey.id);
    expect(await stored()).not.toContain(`sealed:1:${firstKey.id}:`);

    // A server that starts after the rotation has the same keys: it creates the same links as the
    // others.
    const three = await startTestApi({ databaseUrl, keys, blobs: one.blobs });
    const { pathname, search } = new URL(link.body[0]?.link ?? "");
    expect(await (await fetch(three.url + pathname + search)).text()).toBe("evidence");
  });

  test("texts of mails, which contain tokens, are encrypted in the database", async () => {
    const databaseUrl = await engine.url();
    const api = await startTestApi({ databaseUrl });
    const uid = "nadia@mails.example";
    const body = { uid, first_name: "Nadia", last_name: "Sealed" };
    const created = await api.request("POST", paths.users, { body });
    expect(created.status, created.text).toBe(201);
    const [mail] = await listMails(api.store, api.clock.now(), { limit: 1 });
    expect(mail).toMatchObject({ to: uid, kind: "activation" });
    const [secret = ""] = /\b[a-z]+_[\w-]{20,}\b/.exec(mail?.text ?? "") ?? [];
    expect(secret).not.toBe("");
    const rows = await administer(databaseUrl, "select doc, hidden from user_management_outbox");
    expect(JSON.stringify(rows)).toContain("sealed:1:");
    expect(JSON.stringify(rows)).not.toContain(secret);
  });
});
