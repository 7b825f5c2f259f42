import { expect, test } from "vitest";
import { check } from "../testing/check.ts";
import { fileNameIsComponentName } from "./file-name-is-component-name.ts";

test("names in the style of their kind are valid", () => {
  const files = {
    "ioc/schemas/SdmfQuery.yaml": "{}",
    "ioc/parameters/LimitTo500.yaml": "{}",
    "ioc/examples/sdmf-rows.yaml": "{}",
    "ioc/fql/indicators.yaml": "{}",
    "shared/headers/X-Trace-Id.yaml": "{}",
    "shared/headers/WWW-Authenticate.yaml": "{}",
    "ioc/paths/anything_v1.yaml": "{}",
  };
  expect(check(fileNameIsComponentName, files)).toEqual([]);
});

test("other styles, deeper folders, duplicate names and components without a file are found", () => {
  const reports = check(fileNameIsComponentName, {
    "openapi.yaml": "components:\n  schemas: {}\n  securitySchemes: {}\n",
    "ioc/schemas/thing.yaml": "{}",
    "ioc/schemas/sub/Part.yaml": "{}",
    "container/schemas/Part.yaml": "{}",
    "ioc/examples/OneThing.yaml": "{}",
  });
  expect(reports.map(({ file, found: what }) => [file, what])).toEqual([
    ["ioc/schemas/thing.yaml", "name thing"],
    ["ioc/schemas/sub/Part.yaml", "ioc/schemas/sub/Part.yaml"],
    ["container/schemas/Part.yaml", "the name of ioc/schemas/sub/Part.yaml"],
    ["ioc/examples/OneThing.yaml", "name OneThing"],
    ["openapi.yaml", "components.schemas in openapi.yaml"],
  ]);
});
