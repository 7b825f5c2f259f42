import { where } from "@security-platform/fql";
import { expect, test } from "vitest";
import { assignGroups } from "../src/inventory/assign-groups.ts";
import { hostGroup, hostGroups } from "../src/inventory/host-groups.ts";
import { hosts } from "../src/inventory/hosts.ts";
import type { JobKind } from "../src/jobs/job-kind.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { dynamic, fleetSuite, groupId, host, type Fleet } from "./support/hosts.ts";
import { workerOf } from "./support/jobs.ts";

const hostCount = 4_500;
/** Maximum number of hosts that a change of groups updates in its own transaction. */
const atOnce = 2_000;

const manyHosts = Array.from({ length: hostCount }, (_none, number) => host(number));

/** Stores a group of all hosts, without running jobs. */
const addGroup = ({ store, clock, cid }: Fleet): Promise<unknown> =>
  store.write(cid, (transaction) =>
    transaction.records(hostGroups).insert(
      [
        hostGroup({
          id: groupId("a"),
          name: "all",
          description: "",
          group_type: "dynamic",
          assignment_rule: "platform_name:'Windows'",
          created_by: "test",
          created_timestamp: clock.now().toISOString(),
          modified_by: "test",
          modified_timestamp: clock.now().toISOString(),
        }),
      ],
      clock.now(),
    ),
  );

const assigned = ({ store, clock, cid }: Fleet): Promise<number> =>
  store.records(hosts, { cid }).count(where.equal("groups", groupId("a")), clock.now());

withPostgresAtNight((engine) => {
  const openFleet = fleetSuite(engine);

  test(
    "all hosts are updated when an import of groups ends",
    { tags: ["exhaustive"] },
    async () => {
      const fleet = await openFleet();
      await fleet.have("hosts", manyHosts);
      await fleet.have("host-groups", [dynamic("a", "platform_name:'Windows'")]);
      expect(await assigned(fleet)).toBe(hostCount);
      await fleet.consistent();
    },
  );

  test(
    "other writes run between the batches, and an interrupted attempt is completed",
    { tags: ["exhaustive"] },
    async () => {
      const fleet = await openFleet();
      const { store, clock, cid } = fleet;
      await fleet.have("hosts", manyHosts);
      await addGroup(fleet);
      expect(await assigned(fleet)).toBe(atOnce);

      const kind = assignGroups(store);
      const counts: number[] = [];
      const cutOff: JobKind = {
        ...kind,
        run: (job) =>
          kind.run({
            ...job,
            write: async (work, options) => {
              if (counts.length === 3) throw new Error("the process ends here");
              const result = await job.write(work, options);
              // A host that arrives in between has its groups from its own transaction.
              await fleet.have("hosts", [host(hostCount + counts.length)]);
              counts.push(await assigned(fleet));
              return result;
            },
          }),
      };
      await workerOf(fleet, [cutOff]).drain();
      expect(counts).toEqual([atOnce + 1, atOnce + 2, 3_000 + 3]);

      clock.advance(3_600_000);
      expect(await workerOf(fleet, [kind]).drain()).toBe(1);
      expect(await assigned(fleet)).toBe(hostCount + 3);
      await fleet.consistent();
      const [job] = await store.jobs.list({ limit: 1, cid });
      expect(job).toMatchObject({ state: "succeeded", attempts: 2, result: { changed: 1_500 } });
    },
  );
});
