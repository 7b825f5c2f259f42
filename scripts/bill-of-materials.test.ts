import { expect, test } from "vitest";
import { billOf, packagesOf, type BillOfMaterials } from "./bill-of-materials.ts";

const component = (ref: string, name = ref.replace(/@[^@]*$/, "")) => ({
  "bom-ref": ref,
  name,
  purl: `pkg:npm/${ref.replace(/^@/, "%40")}`,
});

const whole: BillOfMaterials = {
  bomFormat: "CycloneDX",
  specVersion: "1.5",
  metadata: { component: component("root@0.0.0") },
  components: [
    component("@security-platform/server@1.0.0", "server"),
    component("@security-platform/fql@1.0.0", "fql"),
    component("web@2.0.0"),
    component("log@3.0.0"),
    component("tests@4.0.0"),
  ],
  dependencies: [
    { ref: "@security-platform/server@1.0.0", dependsOn: ["web@2.0.0", "tests@4.0.0"] },
    { ref: "@security-platform/fql@1.0.0", dependsOn: ["tests@4.0.0"] },
    { ref: "web@2.0.0", dependsOn: ["log@3.0.0"] },
    { ref: "log@3.0.0", dependsOn: ["web@2.0.0"] },
    { ref: "tests@4.0.0", dependsOn: [] },
  ],
};

test("the bill of a package has what it depends on, without development and the project's own", () => {
  const depends = ["web@2.0.0", "@security-platform/fql@1.0.0"];
  const bill = billOf(whole, "@security-platform/server@1.0.0", { depends });
  expect(bill).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.5" });
  expect(bill.metadata.component.name).toBe("@security-platform/server");
  expect(bill.components.map(({ name }) => name)).toEqual(["@security-platform/fql", "log", "web"]);
  expect(bill.dependencies).toEqual([
    { ref: "@security-platform/server@1.0.0", dependsOn: depends.toSorted() },
    { ref: "@security-platform/fql@1.0.0", dependsOn: [] },
    { ref: "log@3.0.0", dependsOn: ["web@2.0.0"] },
    { ref: "web@2.0.0", dependsOn: ["log@3.0.0"] },
  ]);
});

test("the bill of a bundle has what its notices list, and what it depends on", () => {
  const bundles = packagesOf("web 2.0.0, license: MIT\n\nThe terms of web 2.0.0\n");
  const bill = billOf(whole, "@security-platform/server@1.0.0", {
    bundles,
    depends: ["@security-platform/fql@1.0.0"],
  });
  expect(bill.components.map(({ name }) => name)).toEqual(["@security-platform/fql", "web"]);
  expect(bill.dependencies.at(-1)).toEqual({ ref: "web@2.0.0", dependsOn: [] });
});

test("a bill is refused if npm does not know a package", () => {
  expect(() =>
    billOf(whole, "@security-platform/server@1.0.0", { bundles: ["gone@1.0.0"] }),
  ).toThrow("npm sbom does not list gone@1.0.0");
});
