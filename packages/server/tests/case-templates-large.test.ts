/** @module-tag exhaustive */
import { expect, test } from "vitest";
import { CaseConfiguration, problemsOf } from "./support/case-configuration.ts";
import { importTemplates } from "./support/case-template-files.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { sharedApi } from "./support/shared-api.ts";

const fieldsWith = (fields: number, options: number, data_type = "string") =>
  Array.from({ length: fields }, (_, field) => ({
    name: `field ${field}`,
    data_type,
    input_type: "select",
    options: Array.from({ length: options }, (_option, value) => ({ value: `value ${value}` })),
  }));

withPostgresAtNight((engine) => {
  const suite = sharedApi(() => engine.url());

  const importTemplate = (configuration: CaseConfiguration, template: object) =>
    importTemplates(configuration, JSON.stringify({ format: 1, template }), { name: "large.json" });

  test("a template with more options than a snapshot can hold is rejected before it is stored", async () => {
    const configuration = new CaseConfiguration(await suite.open());
    const fields = fieldsWith(50, 300);
    const expected = "have 15000 options together, of at most 13981; leave out fields or options";
    const posted = await configuration.post("templates/v1", { name: "Large", fields });
    expect(posted.status).toBe(400);
    expect(problemsOf(posted)).toEqual([`body.fields: ${expected}`]);
    const imported = await importTemplate(configuration, { name: "Large", fields });
    expect(imported.status).toBe(400);
    expect(problemsOf(imported)).toEqual([
      `body.file: "large.json" line 1, template.fields: ${expected}`,
    ]);
    expect((await configuration.query("templates/v1")).body).toEqual([]);
  });

  test("a file with thousands of invalid options gets the first 100 problems and the number of the others", async () => {
    const configuration = new CaseConfiguration(await suite.open());
    const fields = fieldsWith(10, 200, "number");
    const imported = await importTemplate(configuration, { name: "Large", fields });
    expect(imported.status).toBe(400);
    const problems = problemsOf(imported);
    expect(problems).toHaveLength(101);
    expect(problems.at(-1)).toMatch(/^and \d+ more problems$/);
  });
});
