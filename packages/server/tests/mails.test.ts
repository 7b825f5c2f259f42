import { expect, test } from "vitest";
import { deliverMails } from "../src/mail/deliver-mails.ts";
import { enqueueMails, listMails, outbox, type NewMail } from "../src/mail/outbox.ts";
import { SmtpMailer } from "../src/mail/smtp-mailer.ts";
import { platformCid } from "../src/store/types/types.ts";
import { startTestApi } from "./support/api.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { workerOf } from "./support/jobs.ts";
import { days, hours, minutes } from "./support/manual-clock.ts";
import { startSmtpServer, type TestSmtpServer } from "./support/smtp-server.ts";
import { child, newStore } from "./support/store.ts";

const mail = (rest: Partial<NewMail> = {}): NewMail => ({
  cid: child,
  kind: "invitation",
  to: "zoe@example.com",
  subject: "Grüße an Zoë",
  text: "Accept with ivt_1.\nÜber 7 Tage.",
  ...rest,
});

withPostgresAtNight((engine) => {
  async function delivery(smtp: Pick<TestSmtpServer, "url">) {
    const { store, clock } = await newStore(engine, [outbox]);
    const mailer = new SmtpMailer({ url: smtp.url, from: "Platform <platform@mail.example>" });
    const worker = workerOf({ store, clock }, [deliverMails(store, mailer)]);
    const write = (...mails: readonly NewMail[]) =>
      store.write(platformCid, (transaction) => enqueueMails(transaction, mails, clock.now()));
    const listed = () => listMails(store, clock.now(), { limit: 10 });
    const jobs = () => store.jobs.list({ limit: 10 });
    return { store, clock, mailer, write, listed, jobs, drain: () => worker.drain() };
  }

  test("a mail in the outbox is sent once, and its record says so", async () => {
    const smtp = await startSmtpServer();
    const { clock, write, listed, jobs, drain } = await delivery(smtp);
    await write(mail());
    const [waiting] = await listed();
    expect(waiting).toMatchObject({ state: "waiting", subject: "Grüße an Zoë" });
    clock.advance(minutes(1));
    expect(await drain()).toBe(1);
    expect(await drain()).toBe(0);
    const sent_at = clock.now().toISOString();
    expect(await listed()).toEqual([{ ...waiting, state: "sent", sent_at }]);
    const messageId = `<${waiting?.id}@mail.example>`;
    expect(smtp.mails).toMatchObject([
      {
        from: "platform@mail.example",
        to: ["zoe@example.com"],
        headers: {
          from: "Platform <platform@mail.example>",
          to: "zoe@example.com",
          subject: "=?UTF-8?Q?Gr=C3=BC=C3=9Fe_an_Zo=C3=AB?=",
          "message-id": messageId,
          date: "Sun, 01 Mar 2026 12:00:00 +0000",
          "auto-submitted": "auto-generated",
        },
        body: expect.stringContaining("Accept with ivt_1.\r\n=C3=9Cber 7 Tage."),
      },
    ]);
    expect(await jobs()).toMatchObject([
      { kind: "mails.deliver", result: { state: "sent", message_id: messageId } },
    ]);
  });

  test("a server that cannot be reached is retried until it responds", async () => {
    const smtp = await startSmtpServer();
    const { clock, write, listed, jobs, drain, store } = await delivery({
      url: "smtp://127.0.0.1:1",
    });
    await write(mail());
    await drain();
    expect(await jobs()).toMatchObject([{ state: "failed", attempts: 1 }]);
    expect((await jobs())[0]?.error).toMatch(/ECONNREFUSED/);
    expect((await listed())[0]?.state).toBe("waiting");
    clock.advance(hours(1));
    // The process is restarted with the right address.
    const mailer = new SmtpMailer({ url: smtp.url, from: "platform@mail.example" });
    await workerOf({ store, clock }, [deliverMails(store, mailer)]).drain();
    expect(smtp.mails).toHaveLength(1);
    expect((await listed())[0]?.state).toBe("sent");
  });

  test("a temporary error is retried, a permanent one is not", async () => {
    const answers = [450, 550];
    const smtp = await startSmtpServer({
      onRcptTo(_address, _session, callback) {
        const responseCode = answers.shift();
        if (responseCode === undefined) return callback();
        callback(Object.assign(new Error("mailbox not available"), { responseCode }));
      },
    });
    const { clock, write, listed, jobs, drain } = await delivery(smtp);
    await write(mail());
    await drain();
    expect(await jobs()).toMatchObject([{ state: "failed" }]);
    clock.advance(hours(1));
    await drain();
    expect(await jobs()).toMatchObject([{ state: "dead", attempts: 2 }]);
    expect(await listed()).toMatchObject([
      { state: "failed", error: expect.stringContaining("mailbox not available") },
    ]);
    expect(smtp.mails).toEqual([]);
  });

  test.each([
    ["MAIL FROM", 451, "failed"],
    // The sender is a setting of the server: no mail is to blame.
    ["MAIL FROM", 550, "failed"],
    ["RCPT TO", 450, "failed"],
    ["RCPT TO", 550, "dead"],
    ["DATA", 452, "failed"],
    ["DATA", 554, "dead"],
  ] as const)("an answer to %s with %i makes the job %s", async (command, responseCode, state) => {
    const refused = Object.assign(new Error("no"), { responseCode });
    const smtp = await startSmtpServer({
      onMailFrom: (_address, _session, callback) =>
        callback(command === "MAIL FROM" ? refused : null),
      onRcptTo: (_address, _session, callback) => callback(command === "RCPT TO" ? refused : null),
      ...(command === "DATA"
        ? {
            onData: (stream, _session, callback) => {
              stream.resume().on("end", () => callback(refused));
            },
          }
        : {}),
    });
    const { write, jobs, drain } = await delivery(smtp);
    await write(mail());
    await drain();
    expect(await jobs()).toMatchObject([{ state, attempts: 1 }]);
  });

  test("wrong credentials do not count against the mail, which waits", async () => {
    const smtp = await startSmtpServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth({ username, password }, _session, callback) {
        const isRight = username === "me@x" && password === "p:/w";
        callback(isRight ? null : new Error("no"), isRight ? { user: username } : undefined);
      },
    });
    const { clock, write, jobs, drain, store } = await delivery({
      url: `smtp://me%40x:wrong@127.0.0.1:${smtp.port}`,
    });
    await write(mail());
    await drain();
    expect(await jobs()).toMatchObject([{ state: "failed" }]);
    expect((await jobs())[0]?.error).not.toContain("wrong");
    clock.advance(hours(1));
    const url = `smtp://me%40x:p%3A%2Fw@127.0.0.1:${smtp.port}`;
    const mailer = new SmtpMailer({ url, from: "platform@mail.example" });
    await workerOf({ store, clock }, [deliverMails(store, mailer)]).drain();
    expect(smtp.mails).toHaveLength(1);
  });

  test.each([
    [{ subject: "Hello\r\nBcc: all@example.com" }, "subject: control characters are not allowed"],
    [{ to: "a@example.com, b@example.com" }, "to: expected one e-mail address"],
    [{ to: "a@example.com\r\nBcc: b@example.com" }, "to: expected one e-mail address"],
    [{ to: "A <a@example.com>" }, "to: expected one e-mail address"],
  ])("a mail with injected headers is rejected: %j", async (wrong, reason) => {
    const smtp = await startSmtpServer();
    const { write, listed, jobs, drain } = await delivery(smtp);
    await write(mail(wrong), mail());
    await drain();
    expect(smtp.mails).toHaveLength(1);
    expect(smtp.mails[0]?.to).toEqual(["zoe@example.com"]);
    expect((await jobs()).map(({ state }) => state).toSorted()).toEqual(["dead", "succeeded"]);
    const failed = (await listed()).find(({ state }) => state === "failed");
    expect(failed?.error).toContain(reason);
  });

  test("a mail that is sent twice, after a crash, has the same id", async () => {
    const smtp = await startSmtpServer();
    const { clock, mailer, write, drain, store } = await delivery(smtp);
    await write(mail());
    const claim = { kinds: ["mails.deliver"], limit: 1, worker: "gone", now: clock.now() };
    const [job] = await store.jobs.claim({ ...claim, leaseUntil: clock.now() });
    const [stored] = await listMails(store, clock.now(), { limit: 1 });
    if (job === undefined || stored === undefined) throw new Error("there is no mail to send");
    // The process dies between the server's answer and the commit.
    await mailer.send({ ...stored, date: new Date(stored.created_at) });
    await drain();
    expect(smtp.mails).toHaveLength(2);
    expect(new Set(smtp.mails.map(({ headers }) => headers["message-id"])).size).toBe(1);
  });

  test("a mail that could not be sent for a week is given up", async () => {
    const smtp = await startSmtpServer();
    const { clock, write, listed, drain } = await delivery(smtp);
    await write(mail());
    clock.advance(days(7) + 1);
    await write(mail({ to: "new@example.com" }));
    await drain();
    expect(smtp.mails.map(({ to }) => to)).toEqual([["new@example.com"]]);
    expect((await listed()).map(({ state }) => state)).toEqual(["sent", "expired"]);
  });

  test.each([true, false])("a server sends its mails automatically: %s", async (backgroundWork) => {
    const smtp = await startSmtpServer();
    const sender = { url: smtp.url, from: "platform@mail.example" };
    const config = { backgroundWork, mail: sender };
    const api = await startTestApi({ databaseUrl: await engine.url(), config });
    const created = await api.request("POST", "/user-management/entities/users/v1", {
      body: { uid: "zoe@example.com", first_name: "Zoe" },
    });
    expect(created.status, created.text).toBe(201);
    if (backgroundWork) await smtp.arrival;
    else {
      expect(smtp.mails).toEqual([]);
      await api.work();
    }
    expect(smtp.mails).toMatchObject([
      { to: ["zoe@example.com"], headers: { subject: "Your account at first" } },
    ]);
  });
});
