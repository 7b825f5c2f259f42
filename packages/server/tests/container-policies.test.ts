import { expect, test } from "vitest";
import { imagePolicies } from "../src/domain/container/image-policies/image-policies.ts";
import { importRecords } from "../src/imports/index.ts";
import type { TestApi } from "./support/api.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { have } from "./support/identities.ts";
import { checksPath, inventory, log4shell, sendInventory } from "./support/images.ts";
import { sharedApi } from "./support/shared-api.ts";

const uuid = "5b1d6f0e-2c47-4f7b-9a58-3d0c61e8f472";
const condition = (text: string) => {
  const [property = "", operator = "", ...values] = text.split(" ");
  return { property, operator, values };
};

const shop = {
  uuid: "0c8e9d5a-6f1b-4e3c-9f2d-7b4a1c5e8d60",
  name: "shop",
  description: "",
  created_at: "2026-03-01T00:00:00Z",
  updated_at: "2026-03-01T00:00:00Z",
};

/** A policy that blocks images; conditions as `severity at_least high`. */
const policy = (rules: readonly string[], group: readonly string[] = []) => ({
  uuid,
  name: "Shop",
  precedence: 1,
  policy_data: {
    groups:
      group.length === 0
        ? []
        : [{ ...shop, policy_group_data: { conditions: group.map(condition) } }],
    rules: [{ action: "block", policy_rules_data: { conditions: rules.map(condition) } }],
  },
});

const inRule = "policy_data.rules[0].policy_rules_data.conditions[0]";
const inGroup = "policy_data.groups[0].policy_group_data.conditions[0]";

withPostgresAtNight((engine) => {
  const suite = sharedApi(engine);
  const importLines = ({ store, clock, tenant }: TestApi, lines: readonly object[]) =>
    importRecords(store, {
      cid: tenant.cid,
      kind: "image-policies",
      clock,
      lines: lines.map((line) => JSON.stringify(line)),
    });

  test("a condition that can never be met is refused with the nearest value", async () => {
    const api = await suite.open();
    const severities = "unknown, none, low, medium, high, critical";
    const cases: readonly (readonly [rule: string, group: string, problem: string])[] = [
      [
        "severity at_least crticial",
        "",
        `${inRule}.values[0]: expected one of ${severities}, got "crticial"; did you mean critical?`,
      ],
      [
        "severity matches crit.*",
        "",
        `${inRule}.values[0]: expected one of ${severities}, got "crit.*"`,
      ],
      [
        "cvss_score at_least nine",
        "",
        `${inRule}.values[0]: expected a number from 0 to 10 such as 7.5, got "nine"`,
      ],
      [
        "cvss_score at_least 11",
        "",
        `${inRule}.values[0]: expected a number from 0 to 10 such as 7.5, got "11"`,
      ],
      [
        "cvss_score matches 9.*",
        "",
        `${inRule}.operator: cvss_score cannot be compared with matches; expected any_of or at_least`,
      ],
      [
        "detection_type any_of secret secrets",
        "",
        `${inRule}.values[1]: expected one of malware, secret, misconfiguration, cis, got "secrets"; did you mean secret?`,
      ],
      [
        "fix_available any_of yes",
        "",
        `${inRule}.values[0]: expected one of true, false, got "yes"`,
      ],
      [
        "cve_id any_of CVE-2021-4422x",
        "",
        `${inRule}.values[0]: expected an identifier such as CVE-2021-44228, got "CVE-2021-4422x"`,
      ],
      ...["CVE-2021-.*", "CVE-2021-4422x*", "("].map(
        (pattern) =>
          [
            `cve_id matches ${pattern}`,
            "",
            `${inRule}.values[0]: expected a pattern such as CVE-2021-*, in which * stands for any text, got ${JSON.stringify(pattern)}`,
          ] as const,
      ),
      [
        "tag at_least 4",
        "",
        `${inRule}.operator: tag cannot be compared with at_least; expected any_of or matches`,
      ],
      [
        "severity any_of high",
        "repository any_of shop/*",
        `${inGroup}.values[0]: "shop/*" is a pattern; only the operator matches supports patterns`,
      ],
      [
        "severity any_of high",
        "severity any_of high",
        `${inGroup}.property: severity is a property of findings; a group selects images by registry, repository, tag`,
      ],
      [
        "severty any_of high",
        "",
        `${inRule}.property: expected one of severity, cvss_score, cve_id, detection_type, package_name, fix_available, registry, repository, tag, got "severty"; did you mean severity?`,
      ],
      [
        "severity atleast high",
        "",
        `${inRule}.operator: expected one of any_of, at_least, matches, got "atleast"; did you mean at_least?`,
      ],
    ];
    const good = policy(
      [
        "severity at_least HIGH",
        "cvss_score at_least 7.5",
        "cve_id matches CVE-2021-* *44228 ghsa-*",
      ],
      ["tag matches 4.*"],
    );
    const lines = cases.map(([rule, group]) => policy([rule], group === "" ? [] : [group]));
    const outcome = await importLines(api, [...lines, good]);
    expect(outcome).toMatchObject({ imported: 1, rejected: cases.length });
    expect(outcome.problems.map(({ line, message }) => `${line} ${message}`)).toEqual(
      cases.map(([, , problem], index) => `${index + 1} ${problem}`),
    );
  });

  test("each condition denies the images that meet it, and no others", async () => {
    const api = await suite.open();
    const severity = [
      { type: "CVSS_V2", score: "AV:N/AC:M/Au:N/C:C/I:C/A:C" },
      ...log4shell.severity,
    ];
    await have(api, "osv", [{ ...log4shell, severity }]);
    await sendInventory(api, inventory());
    const query = { repository: "shop/checkout", tag: "4.2.0" };
    // The image has a critical vulnerability with a score of 10 by version 3 of CVSS, and of 9.3 by version 2.
    for (const [rule, deny] of [
      ["severity at_least critical", true],
      ["severity at_least high", true],
      ["severity any_of low", false],
      ["severity any_of low CRITICAL", true],
      ["cvss_score at_least 10", true],
      ["cvss_score any_of 10", true],
      ["cvss_score any_of 9.3", false],
      ["cve_id any_of cve-2021-44228", true],
      ["cve_id matches CVE-2021-*", true],
      ["cve_id matches CVE-2020-*", false],
      ["package_name any_of org.apache.logging.log4j:log4j-core", true],
      ["fix_available any_of true", true],
      ["fix_available any_of false", false],
      ["detection_type any_of malware", false],
      ["repository any_of shop/checkout", true],
      ["repository any_of shop", false],
      ["tag matches 4.*", true],
      ["tag matches 4.1*", false],
    ] as const) {
      await have(api, "image-policies", [policy([rule])]);
      const { body } = await api.request<readonly { deny: boolean }[]>("GET", checksPath, {
        query,
      });
      expect([rule, body[0]?.deny]).toEqual([rule, deny]);
    }
  });

  test("unknown members of rules are refused", async () => {
    const api = await suite.open();
    const [rule] = policy(["severity at_least high"]).policy_data.rules;
    const misspelt = { action: "block", policy_rule_data: rule?.policy_rules_data };
    const outcome = await importLines(api, [{ ...policy([]), policy_data: { rules: [misspelt] } }]);
    expect(outcome).toMatchObject({ imported: 0, rejected: 1 });
    expect(outcome.problems[0]?.message).toContain("policy_data.rules[0].policy_rule_data");
  });

  test("a stored policy with an invalid condition denies the images that it may be about", async () => {
    const api = await suite.open();
    await have(api, "osv", [log4shell]);
    await sendInventory(api, inventory());
    const check = async (stored: object) => {
      const at = api.clock.now().toISOString();
      const record = {
        description: "",
        is_default: false,
        is_enabled: true,
        created_at: at,
        updated_at: at,
        ...stored,
      };
      // As an earlier version imported it.
      await api.store.write(api.tenant.cid, async (transaction) => {
        const records = transaction.records(imagePolicies);
        await records.remove([uuid], api.clock.now());
        await records.insert([record as never], api.clock.now());
      });
      const query = { repository: "shop/checkout", tag: "4.2.0" };
      const { body } = await api.request<readonly object[]>("GET", checksPath, { query });
      return body[0];
    };
    const invalid = condition("severity at_least crticial");
    expect(await check(policy(["severity at_least crticial"]))).toMatchObject({
      deny: true,
      action: "block",
      conditions: [invalid],
      policy: { uuid },
    });
    expect(await check(policy([], ["severity any_of high"]))).toMatchObject({
      deny: true,
      conditions: [condition("severity any_of high")],
    });
    // The policy is not about this image.
    expect(
      await check(policy(["severity at_least crticial"], ["repository matches other/*"])),
    ).toMatchObject({ deny: false });
  });
});
