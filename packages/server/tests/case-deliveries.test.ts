import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { FixedKeys } from "../src/secrets/keyring.ts";
import { startTestApi } from "./support/api.ts";
import { email, problemsOf, webhook } from "./support/case-configuration.ts";
import { escalationSuite, secret, Work } from "./support/case-escalations.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { hours, minutes } from "./support/manual-clock.ts";
import { administer } from "./support/raw-sql.ts";
import { firstKey, secondKey } from "./support/secret-keys.ts";
import { startSmtpServer } from "./support/smtp-server.ts";

withPostgresAtNight((engine) => {
  const { receiver, open } = escalationSuite(engine);
  const paths = () => receiver().messages.map(({ path }) => path);

  test("a receiver can verify the sender and the time of a webhook", async () => {
    const work = await open();
    const { template } = await work.template([webhook(`${receiver().url}/hook?x=1`, secret)], 0);
    await work.case({ template: { id: template.id } });
    work.api.clock.advance(minutes(16));
    await work.api.work();
    const [message] = receiver().messages;
    const timestamp = String(Math.floor(work.api.clock.now().getTime() / 1_000));
    expect(message).toMatchObject({
      path: "/hook?x=1",
      headers: {
        "content-type": "application/json; charset=utf-8",
        "x-webhook-id": (JSON.parse(message?.body ?? "") as { id: string }).id,
        "x-webhook-timestamp": timestamp,
        "x-webhook-signature": `v1=${createHmac("sha256", secret)
          .update(`${timestamp}.${message?.body}`)
          .digest("hex")}`,
      },
    });
  });

  test("all attempts of a webhook have one trace id, and a part of the trace each", async () => {
    const work = await open();
    receiver().statuses.push(503);
    const { template } = await work.template([webhook(`${receiver().url}/hook`)], 0);
    await work.case({ template: { id: template.id } });
    work.api.clock.advance(minutes(16));
    await work.api.work();
    work.api.clock.advance(hours(1));
    await work.api.work();
    const parts = receiver().messages.map(({ headers }) =>
      /^00-(?<trace>[\da-f]{32})-(?<span>[\da-f]{16})-00$/.exec(String(headers["traceparent"])),
    );
    expect(parts).toHaveLength(2);
    const [first, second] = parts.map((part) => part?.groups);
    expect(first?.["trace"]).toBe(second?.["trace"]);
    expect(first?.["span"]).not.toBe(second?.["span"]);
  });

  test("Slack, Teams and PagerDuty get messages in their own format", async () => {
    const work = await open();
    const { template } = await work.template(
      [
        { type: "slack", params: { url: `${receiver().url}/slack` } },
        { type: "ms_teams", params: { url: `${receiver().url}/teams` } },
        { type: "pagerduty", params: { routing_key: "R0UT1NG", severity: "error" } },
      ],
      0,
    );
    const created = await work.case({ template: { id: template.id }, name: "<Fire> & smoke\n" });
    work.api.clock.advance(minutes(16));
    await work.api.work();
    const bodies = new Map(
      receiver().messages.map(({ path, body }) => [path, JSON.parse(body) as unknown]),
    );
    const line = `${created.reference_id} was not acknowledged in time: <Fire> & smoke\\u000a`;
    expect(bodies.get("/slack")).toMatchObject({
      text: `${created.reference_id} was not acknowledged in time: &lt;Fire&gt; &amp; smoke\\u000a`,
      blocks: [{ type: "section" }, { type: "section", fields: expect.any(Array) }],
    });
    expect(bodies.get("/teams")).toMatchObject({
      type: "message",
      attachments: [
        {
          contentType: "application/vnd.microsoft.card.adaptive",
          content: { type: "AdaptiveCard", body: [{ text: line }, { type: "FactSet" }] },
        },
      ],
    });
    expect(bodies.get("/pagerduty")).toMatchObject({
      routing_key: "R0UT1NG",
      event_action: "trigger",
      dedup_key: `${created.id}/ack`,
      payload: { summary: line, severity: "error", source: created.reference_id },
    });
    expect(bodies.size).toBe(3);
  });

  test.each(["v1", "v2"] as const)(
    "a group that %s sends back as it was read keeps its URLs and their secrets",
    async (version) => {
      const work = await open();
      const at = (path: string) => ({ url: `${receiver().url}${path}` });
      const { template, group } = await work.template(
        [
          { type: "slack", params: at("/slack/1") },
          { type: "slack", config_name: "Second", params: at("/slack/2") },
          version === "v1"
            ? webhook(`${receiver().url}/hook`, secret)
            : { type: "ms_teams", params: at("/teams") },
        ],
        0,
      );
      const path = `notification-groups/${version}` as const;
      const { channels } = await work.read(path, group);
      const [first, second, third] = channels as readonly object[];
      // The order decides only between channels that look alike.
      const back = await work.changed(path, { id: group, channels: [second, third, first] });
      expect(back.channels).toEqual([second, third, first]);
      await work.changed(path, { id: group, channels: [first, third] });
      await work.case({ template: { id: template.id } });
      work.api.clock.advance(minutes(16));
      await work.api.work();
      const messages = new Map(receiver().messages.map((message) => [message.path, message]));
      expect([...messages.keys()].toSorted()).toEqual([
        ...(version === "v1" ? ["/hook"] : []),
        "/slack/1",
        ...(version === "v2" ? ["/teams"] : []),
      ]);
      if (version === "v1") {
        expect(messages.get("/hook")?.headers).toHaveProperty("x-webhook-signature");
      }
    },
  );

  test.each([
    ["one of them gets another name", "/1", { config_name: "Renamed" }],
    ["one of them has no more than its short form", "", {}],
  ])("channels that look alike keep their URLs if %s", async (_what, first, changes) => {
    const work = await open();
    const { origin } = new URL(receiver().url);
    const sent = [first, "/2"].map((path) => ({
      type: "slack",
      config_name: "",
      params: { url: `${origin}${path}` },
    }));
    const { template, group: id } = await work.template(sent, 0);
    const v2 = "notification-groups/v2";
    const { channels } = await work.read(v2, id);
    const [one, two] = channels as readonly object[];
    await work.changed(v2, { id, channels: [one, { ...two, ...changes }] });
    await work.case({ template: { id: template.id } });
    work.api.clock.advance(minutes(16));
    await work.api.work();
    expect(paths().toSorted()).toEqual([first === "" ? "/" : first, "/2"]);
  });

  test("a short URL that may be that of several channels is refused, and a complete one is another", async () => {
    const work = await open();
    const slack = (path: string) => ({
      type: "slack",
      config_name: "",
      params: JSON.stringify({ url: `${receiver().url}${path}` }),
    });
    const { template, group: id } = await work.template([slack("/1"), slack("/2")], 0);
    const v2 = "notification-groups/v2";
    const answer = await work.patch(v2, { id, channels: [slack("")] });
    expect(answer.status).toBe(400);
    expect(problemsOf(answer)).toEqual([
      "body.channels[0].params.url: is the short form of 2 stored URLs; send the complete one",
    ]);
    await work.changed(v2, { id, channels: [slack("/2"), slack("/new")] });
    await work.case({ template: { id: template.id } });
    work.api.clock.advance(minutes(16));
    await work.api.work();
    expect(paths().toSorted()).toEqual(["/2", "/new"]);
  });

  test("a name that resolves to an internal address at delivery is rejected then", async () => {
    const addresses = ["93.184.216.34"];
    const api = await startTestApi({
      databaseUrl: await engine.url(),
      resolve: async () => addresses,
    });
    const work = await Work.open(api);
    const { template } = await work.template([webhook("https://rebinding.example/x", secret)], 0);
    await work.case({ template: { id: template.id } });
    addresses[0] = "169.254.169.254";
    api.clock.advance(minutes(16));
    await api.work();
    expect(await work.deliveries()).toMatchObject([
      {
        state: "failed",
        target: "https://rebinding.example",
        attempts: [
          {
            outcome: expect.stringContaining(
              "rebinding.example is 169.254.169.254, a link-local address",
            ),
          },
        ],
      },
    ]);
  });

  test("mails are sent to each recipient", async () => {
    const smtp = await startSmtpServer();
    const api = await startTestApi({
      databaseUrl: await engine.url(),
      config: { mail: { url: smtp.url, from: "Platform <platform@mail.example>" } },
    });
    const work = await Work.open(api);
    const { template } = await work.template([email("a@example.com", "b@example.com")], 0);
    const created = await work.case({ template: { id: template.id } });
    api.clock.advance(minutes(16));
    await api.work();
    expect(smtp.mails.map(({ to }) => to[0]).toSorted()).toEqual([
      "a@example.com",
      "b@example.com",
    ]);
    expect(smtp.mails[0]?.headers["subject"]).toBe(
      `${created.reference_id} was not acknowledged in time: Emberfall`,
    );
    expect((await work.deliveries()).map(({ state, channel }) => [state, channel])).toEqual([
      ["delivered", "email"],
      ["delivered", "email"],
    ]);
  });

  test("a name cannot add lines to a mail", async () => {
    const smtp = await startSmtpServer();
    const api = await startTestApi({
      databaseUrl: await engine.url(),
      config: { mail: { url: smtp.url, from: "Platform <platform@mail.example>" } },
    });
    const work = await Work.open(api);
    const { template } = await work.template([email("a@example.com")], 0);
    const name = "Fire\r\nBcc: eve@example.com\r\n\r\nStatus: closed\u2028\u202eevil";
    const { reference_id } = await work.case({ template: { id: template.id }, name });
    api.clock.advance(minutes(16));
    await api.work();
    const line = `${reference_id} was not acknowledged in time: Fire\\u000d\\u000aBcc: eve@example.com\\u000d\\u000a\\u000d\\u000aStatus: closed\\u2028\\u202eevil`;
    const [mail] = smtp.mails;
    expect(mail?.headers["subject"]).toBe(line);
    expect(mail?.headers["bcc"]).toBeUndefined();
    const lines = mail?.body.replaceAll("=\r\n", "").split(/\r?\n/);
    expect(lines?.[0]).toBe(line);
    expect(lines?.filter((each) => /^(Bcc|Status):/.test(each))).toEqual(["Status: new"]);
  });

  test("secrets of channels are encrypted in the database, and included in a rotation of the key", async () => {
    const databaseUrl = await engine.url();
    const api = await startTestApi({
      databaseUrl,
      keys: new FixedKeys([firstKey, secondKey]),
      config: { outgoing: { allowedNetworks: ["127.0.0.0/8"], pagerDutyUrl: receiver().url } },
    });
    const work = await Work.open(api);
    const { template } = await work.template(
      [
        webhook(`${receiver().url}/hook`, secret),
        { type: "slack", params: { url: `${receiver().url}/slack/T0/hidden-path` } },
        { type: "pagerduty", params: { routing_key: "R0UT1NG" } },
      ],
      0,
    );
    await work.case({ template: { id: template.id } });
    receiver().statuses.push(503, 503, 503);
    api.clock.advance(minutes(16));
    await api.work();
    expect(await work.deliveries("waiting")).toHaveLength(3);
    const stored = async () => {
      const tables = ["notification_groups", "deliveries"].map(
        (name) => `select doc, hidden from case_management_${name}`,
      );
      return JSON.stringify(await administer(databaseUrl, tables.join(" union all ")));
    };
    const before = await stored();
    for (const each of [secret, "hidden-path", "R0UT1NG"]) expect(before).not.toContain(each);
    expect(before).toContain(`sealed:1:${firstKey.id}:`);

    expect(await api.store.secrets.rotateTo(secondKey.id)).toBeGreaterThan(3);
    const after = await stored();
    expect(after).not.toContain(firstKey.id);
    expect(after).toContain(`sealed:1:${secondKey.id}:`);
    receiver().messages.length = 0;
    api.clock.advance(hours(1));
    await api.work();
    const sent = new Map(receiver().messages.map((message) => [message.path, message]));
    const { headers, body = "" } = sent.get("/hook") ?? {};
    const timestamp = String(headers?.["x-webhook-timestamp"]);
    expect(headers?.["x-webhook-signature"]).toBe(
      `v1=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`,
    );
    expect(sent.has("/slack/T0/hidden-path")).toBe(true);
    expect(sent.get("/")?.body).toContain('"routing_key":"R0UT1NG"');
  });
});
