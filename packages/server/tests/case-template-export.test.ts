import { expect, test } from "vitest";
import { parse } from "yaml";
import { CaseConfiguration } from "./support/case-configuration.ts";
import {
  exportTemplates,
  fillConfiguration,
  importTemplates,
} from "./support/case-template-files.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { minutes } from "./support/manual-clock.ts";
import { sharedApi } from "./support/shared-api.ts";
import { filesOf } from "./support/zip-files.ts";

withPostgresAtNight((engine) => {
  const shared = sharedApi(engine);
  const open = async () => new CaseConfiguration(await shared.open());

  test.each(["yaml", "json"])(
    "an export as %s that is imported again changes nothing",
    async (format) => {
      const configuration = await open();
      const { group, sla, template } = await fillConfiguration(configuration);
      const archive = await exportTemplates(configuration, { format });
      const files = await filesOf(archive);
      expect([...files.keys()]).toEqual([`Ransomware-extortion.${format}`, `Phishing.${format}`]);
      const text = files.get(`Ransomware-extortion.${format}`) ?? "";
      expect(parse(text)).toMatchObject({
        format: 1,
        template: {
          name: "Ransomware / extortion",
          sla: "Critical",
          fields: [
            { name: "Seen" },
            { name: "Unit", options: [{ value: "yes" }, { value: "0123" }] },
          ],
          sla_rules: [{ condition: "severity:>=80", sla: "Critical" }],
          access_tags: ["EMBERFALL"],
        },
        slas: [{ name: "Critical" }],
        notification_groups: [{ name: "On-call" }],
      });
      for (const secret of ["a secret of sixteen", "R0", "T0", template.id]) {
        expect(text).not.toContain(secret);
      }
      configuration.api.clock.advance(minutes(5));
      const dry = await importTemplates(configuration, archive, { name: "all.zip", dryRun: true });
      expect(dry.body.map(({ difference }) => difference)).toEqual(["", ""]);
      const imported = await importTemplates(configuration, archive, { name: "all.zip" });
      expect(imported.status, imported.text).toBe(200);
      expect(imported.body[0]).toEqual(template);
      expect(await configuration.read("templates/v1", template.id)).toEqual(template);
      expect(await configuration.read("slas/v1", sla.id)).toEqual(sla);
      expect(await configuration.read("notification-groups/v2", group.id)).toEqual(group);
      const snapshots = await configuration.query("template-snapshots/v1");
      expect(snapshots.body).toHaveLength(2);
    },
  );

  test("an export contains the requested templates", async () => {
    const configuration = await open();
    const { template } = await fillConfiguration(configuration);
    const one = await filesOf(await exportTemplates(configuration, { ids: template.id }));
    expect(one.size).toBe(1);
    const filter = "name:'phishing'";
    expect([...(await filesOf(await exportTemplates(configuration, { filter }))).keys()]).toEqual([
      "Phishing.yaml",
    ]);
    const none = await filesOf(await exportTemplates(configuration, { filter, ids: template.id }));
    expect(none.size).toBe(0);
    const { api } = configuration;
    const query = { ids: "0".repeat(32) };
    const unknown = await api.request("GET", "/casemgmt/entities/templates/export/v1", { query });
    expect(unknown.status).toBe(404);
  });
});
