import { expect, test } from "vitest";
import { postMessages } from "../src/domain/case-management/notifications/deliver.ts";
import { postKind } from "../src/domain/case-management/notifications/deliveries.ts";
import {
  findDelivery,
  retryDelivery,
} from "../src/domain/case-management/notifications/keep-deliveries.ts";
import type { Outgoing } from "../src/outgoing/outgoing.ts";
import { webhook } from "./support/case-configuration.ts";
import { escalationSuite, secret } from "./support/case-escalations.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { days, hours, minutes } from "./support/manual-clock.ts";
import { workerOf } from "./support/jobs.ts";

withPostgresAtNight((engine) => {
  const { receiver, open } = escalationSuite(engine);

  test("a delivery is repeated until it succeeds, with the same id", async () => {
    const work = await open();
    const { template } = await work.template([webhook(`${receiver().url}/hook`, secret)], 0);
    await work.case({ template: { id: template.id } });
    receiver().statuses.push(503, 429);
    work.api.clock.advance(minutes(16));
    await work.api.work();
    expect(receiver().messages).toHaveLength(1);
    const [waiting] = await work.deliveries();
    expect(waiting).toMatchObject({
      state: "waiting",
      attempts: [{ outcome: "the receiver responded with 503", status: 503 }],
    });
    work.api.clock.advance(hours(1));
    await work.api.work();
    work.api.clock.advance(hours(1));
    await work.api.work();
    expect(receiver().messages.map(({ headers }) => headers["x-webhook-id"])).toEqual([
      waiting?.id,
      waiting?.id,
      waiting?.id,
    ]);
    expect(await work.deliveries()).toMatchObject([
      {
        id: waiting?.id,
        state: "delivered",
        delivered_at: work.api.clock.now().toISOString(),
        attempts: [{ status: 503 }, { status: 429 }, { outcome: "delivered", status: 200 }],
      },
    ]);
  });

  test.each([
    [200, "delivered", "delivered"],
    [503, "waiting", "the receiver responded with 503"],
    [404, "waiting", "the receiver responded with 404"],
  ] as const)(
    "the response %i is kept although another process has taken the job",
    async (status, state, outcome) => {
      const work = await open();
      const { template } = await work.template([webhook(`${receiver().url}/hook`, secret)], 0);
      await work.case({ template: { id: template.id } });
      receiver().statuses.push(503);
      work.api.clock.advance(minutes(16));
      await work.api.work();
      work.api.clock.advance(hours(1));
      const { store, clock } = work.api;
      const outgoing = {
        post: async () => {
          clock.advance(hours(1));
          const claim = { kinds: [postKind], limit: 1, worker: "other", now: clock.now() };
          const leaseUntil = new Date(clock.now().getTime() + minutes(1));
          expect(await store.jobs.claim({ ...claim, leaseUntil })).toHaveLength(1);
          return status;
        },
      } as unknown as Outgoing;
      const kind = postMessages(store, outgoing, { pagerDutyUrl: "" });
      await workerOf({ store, clock }, [kind]).drain();
      expect(await work.deliveries()).toMatchObject([
        { state, attempts: [{ status: 503 }, { outcome, status }] },
      ]);
      // The other process ended; the next one continues.
      clock.advance(hours(1));
      await work.api.work();
      expect(await work.deliveries()).toMatchObject([{ state: "delivered" }]);
    },
  );

  test("only the statuses of temporary errors cause another attempt", async () => {
    const temporary = [408, 409, 423, 425, 429, 500, 503, 599];
    const permanent = [301, 304, 400, 401, 403, 404, 410, 422];
    const statuses = [...temporary, ...permanent];
    const work = await open();
    const channels = statuses.map((status) => webhook(`${receiver().url}/${status}`, secret));
    const { template } = await work.template(channels, 0);
    await work.case({ template: { id: template.id } });
    receiver().statuses.push(...statuses);
    work.api.clock.advance(minutes(16));
    await work.api.work();
    const answered = async (state: "waiting" | "failed") =>
      (await work.deliveries(state)).map(({ attempts }) => attempts[0]?.status).toSorted();
    expect(await answered("waiting")).toEqual(temporary);
    expect(await answered("failed")).toEqual(permanent);
    work.api.clock.advance(hours(1));
    await work.api.work();
    expect(await work.deliveries("waiting")).toEqual([]);
  });

  test("a permanent error fails at once, and the command can send the message again", async () => {
    const work = await open();
    const { template } = await work.template(
      [webhook(`${receiver().url}/gone`, secret), webhook(`${receiver().url}/moved`, secret)],
      0,
    );
    await work.case({ template: { id: template.id } });
    receiver().statuses.push(404, 302);
    work.api.clock.advance(minutes(16));
    await work.api.work();
    const failed = await work.deliveries("failed");
    expect(failed.map(({ attempts }) => attempts[0]?.outcome).toSorted()).toEqual([
      "the receiver responded with 302; redirects are not followed",
      "the receiver responded with 404",
    ]);
    const { store, clock } = work.api;
    const [first] = failed;
    if (first === undefined) throw new Error("nothing has failed");
    expect(await findDelivery(store, first.id, clock.now())).toEqual(first);
    expect(await findDelivery(store, "unknown", clock.now())).toBeNull();
    expect(await retryDelivery(store, first, clock.now())).toBe(true);
    await work.api.work();
    const again = await findDelivery(store, first.id, clock.now());
    expect(again).toMatchObject({ state: "delivered", attempts: [{}, { outcome: "delivered" }] });
    expect(await retryDelivery(store, first, clock.now())).toBe(false);
  });

  test("deliveries are kept for 90 days", async () => {
    const work = await open();
    const { template } = await work.template([webhook(`${receiver().url}/hook`, secret)], 0);
    await work.case({ template: { id: template.id } });
    work.api.clock.advance(hours(1));
    await work.api.work();
    const [delivery] = await work.deliveries();
    const until = Date.parse(delivery?.created_at ?? "") + days(90);
    work.api.clock.advance(until - work.api.clock.now().getTime());
    await work.api.work();
    expect(await work.deliveries()).toHaveLength(1);
    // The next purge is a day later.
    work.api.clock.advance(days(1));
    await work.api.work();
    expect(await work.deliveries()).toEqual([]);
  });
});
