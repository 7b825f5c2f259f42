import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import { withPostgresAtNight } from "./support/engines.ts";
import { have } from "./support/identities.ts";
import { inventory, log4shell, reportsPath, sendInventory } from "./support/images.ts";
import { sharedApi } from "./support/shared-api.ts";

withPostgresAtNight((engine) => {
  const suite = sharedApi(engine);
  const open = async () => {
    const api = await suite.open();
    await have(api, "osv", [log4shell]);
    return api;
  };

  test("a report as CycloneDX is valid against the official schema of 1.6", async () => {
    const api = await open();
    const { uuid: id } = (await sendInventory(api, inventory())).body.resources;
    const query = { report_format: "cyclonedx-json" };
    const { body } = await api.request("GET", `${reportsPath}/${id}`, { query });
    expect(cyclonedxProblems(body)).toEqual([]);
    expect(body).toMatchObject({
      vulnerabilities: [
        {
          id: "CVE-2021-44228",
          affects: [{ ref: "pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1" }],
        },
        { id: "CVE-2021-45046" },
        { id: "CVE-2021-45105" },
      ],
    });
    expect(cyclonedxProblems({ ...(body as object), version: "one" })).not.toEqual([]);
  });

  test("package URLs name the architecture and the distribution, and escape plus signs", async () => {
    const api = await open();
    const urlsOf = async (system: readonly [string, string], packages: readonly object[]) => {
      const sent = inventory((draft) => {
        draft.inventory.OSInfo = { Name: system[0], Version: system[1], LayerIndex: 0 };
        draft.inventory.Packages = packages.map((each) => ({ ...each, LayerIndex: 0 }));
        draft.inventory.ApplicationPackages = [
          {
            type: "gobinary",
            libraries: [
              {
                Name: "github.com/docker/docker",
                Version: "v24.0.7+incompatible",
                LayerIndex: 0,
              },
            ],
          },
        ];
      });
      const { uuid: id } = (await sendInventory(api, sent)).body.resources;
      const query = { report_format: "cyclonedx-json" };
      const { body } = await api.request<{ readonly components: readonly { purl?: string }[] }>(
        "GET",
        `${reportsPath}/${id}`,
        { query },
      );
      expect(cyclonedxProblems(body)).toEqual([]);
      return body.components.flatMap(({ purl }) => purl ?? []);
    };
    const packageOf = (Product: string, MajorVersion: string, SoftwareArchitecture: string) => ({
      Product,
      MajorVersion,
      SoftwareArchitecture,
    });
    expect(
      await urlsOf(["debian", "12"], [packageOf("libstdc++6", "1:12.2.0-14+deb12u1", "amd64")]),
    ).toEqual([
      "pkg:deb/debian/libstdc%2B%2B6@1:12.2.0-14%2Bdeb12u1?arch=amd64&distro=debian-12",
      "pkg:golang/github.com/docker/docker@v24.0.7%2Bincompatible",
    ]);
    expect(
      await urlsOf(["rhel", "9.3"], [packageOf("bind", "32:9.16.23-14.el9", "x86_64")]),
    ).toEqual(
      expect.arrayContaining([
        "pkg:rpm/redhat/bind@9.16.23-14.el9?arch=x86_64&distro=rhel-9.3&epoch=32",
      ]),
    );
    expect(
      await urlsOf(["Alpine Linux", "3.18.4"], [packageOf("busybox", "1.36.1-r2", "")]),
    ).toEqual(expect.arrayContaining(["pkg:apk/alpine/busybox@1.36.1-r2?distro=alpine-3.18.4"]));
  });

  test("a report as SARIF is valid against the official schema of 2.1.0", async () => {
    const api = await open();
    const { uuid: id } = (await sendInventory(api, inventory())).body.resources;
    const query = { report_format: "sarif" };
    const { body } = await api.request("GET", `${reportsPath}/${id}`, { query });
    expect(sarifProblems(body)).toEqual([]);
    expect(sarifProblems({ ...(body as object), version: 1 })).not.toEqual([]);
    expect(body).toMatchObject({
      runs: [
        {
          results: [
            { ruleId: "CVE-2021-44228", level: "error" },
            { ruleId: "CVE-2021-45046", level: "error" },
            { ruleId: "CVE-2021-45105", level: "error" },
            { ruleId: "generic-api-key", level: "error" },
          ],
        },
      ],
    });
  });
});

const resolve = createRequire(import.meta.url).resolve;

/** Validates a document against a JSON Schema of draft 7 or older. */
function schemaProblems(schema: object, document: unknown, schemas: object[] = []): unknown[] {
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    schemas,
    validateSchema: false,
    unicodeRegExp: false,
  });
  addFormats.default(ajv);
  for (const format of ["iri-reference", "idn-email"]) ajv.addFormat(format, true);
  const validate = ajv.compile(schema);
  return validate(document) ? [] : (validate.errors ?? []);
}

/** The official schema of CycloneDX 1.6. */
function cyclonedxProblems(document: unknown): unknown[] {
  const folder = resolve("@cyclonedx/cyclonedx-library/package.json").replace(
    /package\.json$/,
    "res/schema/",
  );
  const read = (name: string): object => ({
    ...(JSON.parse(readFileSync(`${folder}${name}.SNAPSHOT.schema.json`, "utf8")) as object),
    // The schemas refer to each other by file name.
    $id: `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`,
  });
  return schemaProblems(read("bom-1.6"), document, [read("spdx"), read("jsf-0.82")]);
}

/** The official schema of SARIF 2.1.0. */
function sarifProblems(document: unknown): unknown[] {
  const folder = resolve("@microsoft/jest-sarif/package.json").replace(
    /package\.json$/,
    "lib/schemas/",
  );
  const text = readFileSync(`${folder}sarif-2.1.0-rtm.5.json`, "utf8");
  const { $schema: _, id: __, ...schema } = JSON.parse(text) as Record<string, unknown>;
  return schemaProblems(schema, document);
}
