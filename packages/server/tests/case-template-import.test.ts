import { expect, test } from "vitest";
import { CaseConfiguration, only } from "./support/case-configuration.ts";
import {
  exportTemplates,
  fillConfiguration,
  importProblems,
  importTemplates,
  phishing,
} from "./support/case-template-files.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { minutes } from "./support/manual-clock.ts";
import { sharedApi } from "./support/shared-api.ts";
import { filesOf } from "./support/zip-files.ts";

withPostgresAtNight((engine) => {
  const shared = sharedApi(engine);
  const open = async () => new CaseConfiguration(await shared.open());

  test("a file creates missing records, and a dry run only reports them", async () => {
    const configuration = await open();
    const dry = await importTemplates(configuration, phishing, { dryRun: true });
    expect(only(dry)).toMatchObject({
      name: "Phishing",
      has_access: true,
      difference: expect.stringContaining("+  description: For mails that want something\n"),
    });
    expect(only(dry).difference).toMatch(/^=+\n--- stored\t?\n\+\+\+ imported\t?\n@@/);
    expect((await configuration.query("templates/v1")).body).toEqual([]);
    const created = only(await importTemplates(configuration, phishing));
    expect(created).not.toHaveProperty("difference");
    expect(await configuration.read("templates/v1", created.id)).toEqual(created);
    expect(created.fields).toMatchObject([{ name: "Reported by", required: false }]);
  });

  test("an import makes a template equal to the file, and remaining parts keep their ids", async () => {
    const configuration = await open();
    const { group, sla, template } = await fillConfiguration(configuration);
    const files = await filesOf(await exportTemplates(configuration, { ids: template.id }));
    const changed = (files.get("Ransomware-extortion.yaml") ?? "")
      .replace('  description: "For everything: that encrypts"\n', "")
      .replace('value: "0123"', "value: other")
      .replace("duration_seconds: 28800", "duration_seconds: 60")
      .replace("description: Day and night", "description: At night");
    const dry = only(await importTemplates(configuration, changed, { dryRun: true }));
    for (const line of [
      '-        - value: "0123"',
      "+        - value: other",
      "-        duration_seconds: 28800",
      "+    description: At night",
    ]) {
      expect(dry.difference?.split("\n").map((each) => each.replace(/^([+-])\s+/, "$1"))).toContain(
        line.replace(/^([+-])\s+/, "$1"),
      );
    }
    expect(await configuration.read("templates/v1", template.id)).toEqual(template);
    configuration.api.clock.advance(minutes(5));
    const imported = only(await importTemplates(configuration, changed));
    expect(imported.id).toBe(template.id);
    expect(imported).not.toHaveProperty("description");
    expect(imported.fields.map(({ id }) => id)).toEqual(template.fields.map(({ id }) => id));
    expect(imported.fields[1]?.options[0]).toEqual(template.fields[1]?.options[0]);
    expect(imported.fields[1]?.options[1]).toMatchObject({ value: "other" });
    expect(imported.sla_rules).toEqual(template.sla_rules);
    expect((await configuration.read("slas/v1", sla.id)).goals[1]?.duration_seconds).toBe(60);
    expect(await configuration.read("notification-groups/v2", group.id)).toMatchObject({
      description: "At night",
      channels: group.channels,
    });
  });

  test("a file must contain the secrets that no stored channel has", async () => {
    const configuration = await open();
    const { template } = await fillConfiguration(configuration);
    const files = await filesOf(await exportTemplates(configuration, { ids: template.id }));
    const text = files.get("Ransomware-extortion.yaml") ?? "";
    const other = await open();
    const problems = await importProblems(other, text);
    expect(problems).toEqual([
      expect.stringMatching(
        /^body\.file: "templates\.yaml" line \d+, notification_groups\[0\]\.channels\[1\]\.params\.secret: is required for a channel of type webhook; exported files leave secrets out$/,
      ),
      expect.stringMatching(/channels\[2\]\.params\.url: expected the complete URL/),
      expect.stringMatching(/channels\[3\]\.params\.routing_key: is required/),
    ]);
    const complete = text
      .replace(
        "url: https://hooks.example/cases",
        "url: https://hooks.example/cases\n          secret: a secret of sixteen",
      )
      .replace("url: https://slack.example", "url: https://slack.example/T0/x")
      .replace("severity: error", "severity: error\n          routing_key: R0");
    expect((await importTemplates(other, complete)).status).toBe(200);
    expect(
      (
        await importProblems(
          await open(),
          complete.replace("https://hooks.example/cases", "https://169.254.169.254/"),
        )
      )[0],
    ).toContain(
      "notification_groups[0].channels[1].params.url: 169.254.169.254 is a link-local address",
    );
  });

  test.each([
    ["format: 1\ntemplate:\n  name: A\n  name: B\n", "line 4: Map keys must be unique"],
    ["format: 1\ntemplate: &a\n  name: A\n  fields: [*a]\n", "line 4: aliases are not supported"],
    ["a: &a [*a]\n", "line 1: aliases are not supported"],
    ["format: 1\ntemplate:\n  nam: A\n", "line 3, template.name: is required"],
    ["format: 2\ntemplate:\n  name: A\n", "line 1, format: "],
    ["format: 1\n", "line 1, template: is required"],
    ["format: 1\ntemplate: !!js/function 'x'\n", "line 2: "],
    [
      `${phishing}      options: [{ value: x }]\n      default_value: y\n`,
      "line 10, template.fields[0].default_value: expected one of the options",
    ],
    [
      `${phishing}  sla: Critical\n`,
      "line 9, template.sla: there is no SLA named Critical, neither in the files nor in the tenant",
    ],
    [
      '{"format":1,\n"template":{"name":"A","sla_rules":[{"type":"fql","condition":"x:1","sla":"S"}]}}',
      "line 2, template.sla_rules[0].condition: ",
    ],
  ])("an invalid file is rejected with its line: %j", async (content, message) => {
    const problems = await importProblems(await open(), content);
    expect(problems[0]).toContain(`body.file: "templates.yaml" ${message}`);
  });

  test("a file with too deep nesting is rejected before it is parsed", async () => {
    const configuration = await open();
    const deep = ["[".repeat(100_000), `a:\n${"{a: ".repeat(100_000)}`, `${"- ".repeat(100_000)}x`];
    const problems = await Promise.all(
      deep.map((content) => importProblems(configuration, content)),
    );
    expect(problems.map(([problem]) => problem?.split(" line ")[1])).toEqual(
      [1, 2, 1].map((line) => `${line}: is nested too deeply`),
    );
  });
});
