import { describe, expect, test } from "vitest";
import { ExclusionSets } from "../src/domain/ioa-exclusions/matching/exclusion-sets.ts";
import { matchedExclusions } from "../src/domain/ioa-exclusions/matching/matched.ts";
import { resources } from "../src/platform/resources.ts";
import { openStoreAt } from "../src/host/open-store-at.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import {
  exclusion,
  exclusionSuite,
  hex,
  paths,
  processLines,
  type Exclusion,
  type Session,
} from "./support/ioa-exclusions.ts";
import { type ErrorBody, messages } from "./support/session.ts";

const backup = {
  image_file_name: String.raw`\Device\HarddiskVolume3\Program Files\Harbour Backup\bin\harbour-backup.exe`,
  command_line: String.raw`"C:\Program Files\Harbour Backup\bin\harbour-backup.exe" --snapshot 20260302`,
  parent_image_file_name: String.raw`\Device\HarddiskVolume3\Windows\System32\services.exe`,
  parent_command_line: String.raw`C:\Windows\system32\services.exe`,
  grandparent_image_file_name: String.raw`\Device\HarddiskVolume3\Windows\System32\wininit.exe`,
  grandparent_command_line: "wininit.exe",
};

withPostgresAtNight((engine) => {
  const suite = exclusionSuite(engine);

  describe("matched rules", () => {
    test("every expression must match its complete line, ignoring case", async () => {
      const { stored, matched } = await suite.open();
      const all = {
        cl_regex: "tool --run .*",
        parent_ifn_regex: ".*parent",
        parent_cl_regex: "parent -x",
        grandparent_ifn_regex: ".*grand",
        grandparent_cl_regex: "grand -y",
      };
      await stored(exclusion("tool", all));
      const lines = {
        command_line: "TOOL --run \n1",
        parent_image_file_name: "/bin/Parent",
        parent_command_line: "parent -X",
        grandparent_image_file_name: "/bin/grand",
        grandparent_command_line: "grand -y",
      };
      expect(await matched(processLines("c:\\TOOL.exe", lines))).toEqual(["tool"]);
      for (const [name, value] of Object.entries(lines)) {
        expect(await matched(processLines("c:\\tool.exe", { ...lines, [name]: "" }))).toEqual([]);
        const longer = { ...lines, [name]: `x${value}` };
        if (!name.includes("image")) {
          expect(await matched(processLines("c:\\tool.exe", longer))).toEqual([]);
        }
      }
      expect(await matched(processLines("c:\\tool.exe.bak", lines))).toEqual([]);
    });

    test("are those of the requested patterns, by name", async () => {
      const { stored, matched } = await suite.open();
      const any = { ifn_regex: ".*tool.*" };
      await stored(
        exclusion("bravo", any),
        exclusion("Alpha", { ...any, cl_regex: ".*.*" }),
        exclusion("charlie", { ...any, pattern_id: "5702" }),
        exclusion("delta", { ...any, pattern_id: "1" }),
        exclusion("no required text", { ifn_regex: "[a-z]+" }),
      );
      expect(await matched(processLines("tool"))).toEqual(["Alpha", "bravo", "no required text"]);
      expect(await matched(processLines("tool", { pattern_ids: ["5702", "1"] }))).toEqual([
        "charlie",
        "delta",
      ]);
      expect(await matched(processLines("tool", { pattern_ids: ["2"] }))).toEqual([]);
      expect(await matched(processLines("else!"))).toEqual([]);
    });

    test("for host groups apply to the hosts in them, and to unknown hosts", async () => {
      const { stored, matched, newGroup } = await suite.open();
      const [inside, outside] = [hex("a"), hex("b")];
      const group = await newGroup(hex("7"), inside);
      const other = await newGroup(hex("8"), outside);
      await stored(
        exclusion("everywhere", { ifn_regex: "tool", host_groups: ["all"] }),
        exclusion("in the group", { ifn_regex: "tool", host_groups: [group] }),
        exclusion("in the other", { ifn_regex: "tool", host_groups: [other] }),
        exclusion("nowhere", { ifn_regex: "tool", host_groups: [] }),
      );
      expect(await matched(processLines("tool", { aid: inside }))).toEqual([
        "everywhere",
        "in the group",
      ]);
      expect(await matched(processLines("tool", { aid: outside }))).toEqual([
        "everywhere",
        "in the other",
      ]);
      expect(await matched(processLines("tool", { aid: hex("c") }))).toEqual([
        "everywhere",
        "in the group",
        "in the other",
        "nowhere",
      ]);
    });

    test("follow every change at once", async () => {
      const { stored, matched, update, request } = await suite.open();
      const execution = processLines("tool");
      expect(await matched(execution)).toEqual([]);
      const [created] = await stored(exclusion("first", { ifn_regex: "tool" }));
      expect(await matched(execution)).toEqual(["first"]);
      await update({ id: created?.id, name: "renamed" });
      expect(await matched(execution)).toEqual(["renamed"]);
      await update({ id: created?.id, ifn_regex: "else" });
      expect(await matched(execution)).toEqual([]);
      await update({ id: created?.id, ifn_regex: "tool" });
      await request("DELETE", paths.exclusionsV1, { query: { ids: [created?.id ?? ""] } });
      expect(await matched(execution)).toEqual([]);
    });

    test("follow changes by another process", async () => {
      const { stored, matched, update, tenant, clock } = await suite.open();
      const url = suite.databaseUrl();
      const elsewhere = await openStoreAt({ url, clock, resources });
      try {
        const scope = { cid: tenant.cid, now: clock.now() };
        const execution = processLines("tool") as Parameters<typeof matchedExclusions>[2];
        const there = async (): Promise<readonly string[]> =>
          (await matchedExclusions(elsewhere, scope, execution)).map(
            (text) => (JSON.parse(text) as Exclusion).name,
          );
        expect(await there()).toEqual([]);
        const [created] = await stored(exclusion("first", { ifn_regex: "tool" }));
        expect(await there()).toEqual(["first"]);
        expect(await matched(execution)).toEqual(["first"]);
        await update({ id: created?.id, ifn_regex: "else" });
        expect(await there()).toEqual([]);
      } finally {
        await elsewhere.close();
      }
    });

    test("belong to the tenant alone", async () => {
      const one = await suite.open();
      const two = await suite.open(one.tenant);
      await one.stored(exclusion("mine", { ifn_regex: "tool" }));
      expect(await two.matched(processLines("tool"))).toEqual([]);
      expect(await one.matched(processLines("tool"))).toEqual(["mine"]);
    });

    test("are cached for recently used tenants, within a memory limit", async () => {
      const sessions = [await suite.open(), await suite.open(), await suite.open()];
      const sets = new ExclusionSets(5_000);
      const setOf = ({ store, tenant, clock }: (typeof sessions)[number]) =>
        sets.of(store, tenant.cid, clock.now());
      const [one, two, three] = sessions as [Session, Session, Session];
      for (const session of sessions) {
        await session.stored(exclusion("a"), exclusion("b"), exclusion("c"));
      }
      const first = await setOf(one);
      expect(await setOf(one)).toBe(first);
      const second = await setOf(two);
      expect(await setOf(one)).toBe(first);
      expect(await setOf(two)).toBe(second);
      await setOf(three);
      expect(sets.bytes).toBeLessThanOrEqual(5_000);
      expect(await setOf(two)).toBe(second);
      expect(await setOf(one)).not.toBe(first);
      await two.stored(exclusion("d"));
      expect(await setOf(two)).not.toBe(second);
    });

    test("are the same for many concurrent callers", async () => {
      const { stored, matched } = await suite.open();
      await stored(exclusion("first", { ifn_regex: "tool" }));
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => matched(processLines("tool"))),
      );
      expect(answers).toEqual(Array.from({ length: 20 }, () => ["first"]));
    });

    test.each([
      [{ pattern_ids: [] }, /pattern_ids: /],
      [{ pattern_ids: ["x"] }, /pattern_ids\[0\]: /],
      [{ pattern_ids: ["1", "1"] }, /pattern_ids: /],
      [{ aid: "x" }, /aid: /],
      [{ command_line: undefined }, /command_line: is required/],
      [{ command_line: "x".repeat(32_769) }, /command_line: /],
      [{ command_line: null }, /command_line: /],
      [{ filter: "x" }, /filter: /],
    ])("reject %j", async (more, message) => {
      const { request } = await suite.open();
      for (const path of [paths.matched, paths.proposed]) {
        const { pattern_ids, ...rest } = processLines("tool", more) as Record<string, unknown>;
        if (path === paths.proposed && "pattern_ids" in more) continue;
        const body = path === paths.matched ? { ...rest, pattern_ids } : rest;
        const answer = await request<ErrorBody>("POST", path, { body });
        expect(answer.status, answer.text).toBe(400);
        expect(messages(answer)[0]).toMatch(message);
      }
    });

    test("expressions on which other engines backtrack are matched against a long line", async () => {
      const { stored, matched } = await suite.open();
      await stored(
        exclusion("nested", { ifn_regex: ".*", cl_regex: "(a+)+" }),
        exclusion("twofold", { ifn_regex: ".*", cl_regex: "(a|aa)+b?" }),
      );
      const line = "a".repeat(32_000);
      expect(await matched(processLines("x", { command_line: `${line}!` }))).toEqual([]);
      expect(await matched(processLines("x", { command_line: `${line}b` }))).toEqual(["twofold"]);
    });
  });

  describe("new rules", () => {
    test("are derived from the lines, match them, and are accepted by the creation", async () => {
      const { request, create, matched, newGroup } = await suite.open();
      const aid = hex("a");
      const group = await newGroup(hex("7"), aid);
      const proposed = await request<Exclusion>("POST", paths.proposed, {
        body: { aid, ...backup },
      });
      expect(proposed.status, proposed.text).toBe(200);
      const expressions = {
        ifn_regex: String.raw`\\Device\\HarddiskVolume\d+\\Program Files\\Harbour Backup\\bin\\harbour-backup\.exe`,
        cl_regex: String.raw`"C:\\Program Files\\Harbour Backup\\bin\\harbour-backup\.exe" --snapshot \d+`,
        parent_ifn_regex: String.raw`\\Device\\HarddiskVolume\d+\\Windows\\System32\\services\.exe`,
        parent_cl_regex: String.raw`C:\\Windows\\system32\\services\.exe`,
        grandparent_ifn_regex: String.raw`\\Device\\HarddiskVolume\d+\\Windows\\System32\\wininit\.exe`,
        grandparent_cl_regex: String.raw`wininit\.exe`,
      };
      expect(proposed.body).toEqual({ aid, ...backup, ...expressions, host_groups: [group] });
      const created = await create({
        name: "Nightly backup",
        pattern_id: "41005",
        ...expressions,
        host_groups: [group],
      });
      expect(created.status, created.text).toBe(201);
      const execution = { aid, pattern_ids: ["41005"], ...backup };
      expect(await matched(execution)).toEqual(["Nightly backup"]);
      const tomorrow = { ...execution, command_line: backup.command_line.replace("0302", "0303") };
      expect(await matched(tomorrow)).toEqual(["Nightly backup"]);
      expect(await matched({ ...execution, parent_image_file_name: "C:\\evil.exe" })).toEqual([]);
    });

    test("have no expression for an empty line, and no groups for an unknown host", async () => {
      const { request } = await suite.open();
      const { pattern_ids: _, ...body } = processLines("/usr/bin/x") as Record<string, unknown>;
      const answer = await request("POST", paths.proposed, { body });
      expect(answer.body).toEqual({ ...body, ifn_regex: "/usr/bin/x", host_groups: [] });
    });

    test("are accepted and match, also for hostile lines", async () => {
      const { request, create, matched } = await suite.open();
      const lines = [
        "\u0001\u001b[2J",
        "\u2028\u202elone\ufffd",
        "a".repeat(32_768),
        String.raw`\Q.*\E(?i)[a-z]+$^\b{1,1000}`,
        "\u{1f600}".repeat(3_000),
        "C:\\Users\\".repeat(2_000),
      ];
      for (const [index, line] of lines.entries()) {
        const pattern_id = String(index);
        const process = {
          aid: hex("e"),
          image_file_name: line,
          command_line: line,
          parent_image_file_name: line,
          parent_command_line: line,
          grandparent_image_file_name: line,
          grandparent_command_line: line,
        };
        const { body } = await request<Record<string, string>>("POST", paths.proposed, {
          body: process,
        });
        const expressions = Object.fromEntries(
          Object.entries(body).filter(([name]) => name.endsWith("_regex")),
        );
        expect(Object.keys(expressions)).toHaveLength(6);
        const created = await create({ name: "hostile", pattern_id, ...expressions });
        expect(created.status, created.text).toBe(201);
        expect(await matched({ ...process, pattern_ids: [pattern_id] })).toEqual(["hostile"]);
      }
    });
  });
});
