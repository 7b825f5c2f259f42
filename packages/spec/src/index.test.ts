import { readFileSync } from "node:fs";
import { describe, expect, expectTypeOf, test } from "vitest";
import {
  companionDocument,
  completeDocument,
  document,
  fqlTables,
  operationById,
  operations,
  type FieldsOf,
  type FileMembersOf,
  type HeadersOf,
  type Indicator,
  type PathOf,
  type QueryInputOf,
  type QueryOf,
  type RequestBody,
  type ResponseBody,
} from "./index.ts";

describe("the package's data", () => {
  test.each([
    "openapi.json",
    "openapi.yaml",
    "openapi.envelope.json",
    "companion.json",
    "companion.envelope.json",
  ])("other tools find %s in the package", (name) => {
    const file = new URL(import.meta.resolve(`@security-platform/spec/${name}`));
    expect(readFileSync(file, "utf8")).toMatch(/^\{?\s*"?openapi"?: "?3\.1/);
  });

  test("every operation of both documents is in the index, once", () => {
    const inDocument = Object.values(completeDocument().paths).flatMap((item) =>
      Object.values(item).map((operation) => operation["operationId"]),
    );
    expect(operations().map(({ id }) => id as unknown)).toEqual(expect.arrayContaining(inDocument));
    expect(new Set(operations().map(({ id }) => id)).size).toBe(inDocument.length);
  });

  test("the document of the API contains none of the companion operations", () => {
    const of = (name: "platform" | "companion") =>
      new Set(operations().flatMap((each) => (each.document === name ? [each.path] : [])));
    expect(of("platform")).toEqual(new Set(Object.keys(document().paths)));
    expect(of("companion")).toEqual(new Set(Object.keys(companionDocument().paths)));
    expect(document().tags.map(({ name }) => name)).not.toContain("Companion");
    expect(operationById("createHostGroups")).toMatchObject({
      document: "companion",
      collection: "companion",
    });
  });

  test("an operation is found by its id, with everything but schemas resolved", () => {
    expect(operationById("indicator.combined.v1")).toMatchObject({
      method: "get",
      path: "/iocs/combined/indicator/v1",
      collection: "ioc",
      tag: "IOC",
      scope: "ioc-management:read",
      successStatus: 200,
      paging: "after",
      cursorParameter: "after",
      answer: "records",
    });
    expect(operationById("no.such.operation")).toBeUndefined();
    expect(operationById("oauth2AccessToken")).toMatchObject({ scope: null, successStatus: 201 });
    const limit = operationById("indicator.combined.v1").parameters.find(
      ({ name }) => name === "limit",
    );
    expect(limit?.schema).toEqual({ type: "integer", minimum: 1, maximum: 2000, default: 100 });
  });

  test("the kind of a success depends on its content", () => {
    expect(operationById("DownloadExportFile").answer).toBe("file");
    expect(operationById("HeadImageScanInventory").answer).toBe("none");
    expect(operationById("get_policy_rules").answer).toBe("envelope");
    expect(operationById("indicator.search.v1").answer).toBe("ids");
  });

  test("every deprecated operation documents its deprecation headers", () => {
    const deprecated = operations().filter((operation) => operation.deprecated);
    expect(deprecated.length).toBeGreaterThan(20);
    for (const { id, replacedBy, responses, successStatus } of deprecated) {
      const success = responses.find(({ status }) => status === successStatus);
      expect(success?.headers["Deprecation"], id).toMatchObject({ required: true });
      const link = success?.headers["Link"];
      expect(replacedBy === undefined || link?.required, id).toBe(true);
    }
  });

  test("the FQL of parameters and of bodies is known", () => {
    const filter = operationById("indicator.search.v1").parameters.find(
      ({ name }) => name === "filter",
    );
    expect(filter?.fql).toEqual({ use: "filter", resource: "indicators" });
    expect(operationById("indicator.update.v1").requestBody?.fql).toEqual([
      { path: "bulk_update.filter", use: "filter", resource: "indicators" },
    ]);
    expect(operationById("indicator.aggregate.v1").requestBody?.fql[0]).toEqual({
      path: "",
      use: "aggregate",
      resource: "indicators",
    });
  });

  test("every used table exists", () => {
    const used = operations().flatMap(({ parameters, requestBody }) => [
      ...parameters.flatMap(({ fql }) => fql?.resource ?? []),
      ...(requestBody?.fql ?? []).flatMap(({ resource }) => resource ?? []),
    ]);
    expect(Object.keys(fqlTables)).toEqual(expect.arrayContaining(used));
    expect(used).toContain("indicators");
    expect(fqlTables.indicators.fields.severity_number.derive.map.high).toBe(70);
  });
});

test("types follow the document", () => {
  expectTypeOf<QueryInputOf<"indicator.combined.v1">["limit"]>().toEqualTypeOf<
    number | undefined
  >();
  expectTypeOf<QueryOf<"indicator.combined.v1">["limit"]>().toEqualTypeOf<number>();
  expectTypeOf<QueryOf<"indicator.combined.v1">["offset"]>().toEqualTypeOf<number | undefined>();
  expectTypeOf<QueryOf<"indicator.get.v1">["ids"]>().toEqualTypeOf<readonly string[]>();
  expectTypeOf<RequestBody<"indicator.search.v1">>().toEqualTypeOf<undefined>();
  expectTypeOf<RequestBody<"indicator.create.v1">["indicators"][number]["type"]>().toEqualTypeOf<
    Indicator["type"]
  >();
  expectTypeOf<RequestBody<"oauth2AccessToken">["client_id"]>().toEqualTypeOf<string | undefined>();
  expectTypeOf<FieldsOf<"entities.templates_import.post.v1">>().toEqualTypeOf<{
    readonly dry_run?: boolean;
  }>();
  expectTypeOf<FileMembersOf<"entities.files_upload.post.v1">>().toEqualTypeOf<"file">();
  expectTypeOf<FieldsOf<"indicator.create.v1">>().toEqualTypeOf<
    RequestBody<"indicator.create.v1">
  >();
  expectTypeOf<ResponseBody<"indicator.create.v1">>().toEqualTypeOf<readonly Indicator[]>();
  expectTypeOf<keyof PathOf<"indicator.create.v1">>().toEqualTypeOf<never>();
  expectTypeOf<PathOf<"DeleteImageDetails">["image_id"]>().toEqualTypeOf<string>();
  expectTypeOf<HeadersOf<"PostImageScanInventory">["X-Scan-Ticket"]>().toEqualTypeOf<string>();
  expectTypeOf<keyof HeadersOf<"indicator.create.v1">>().toEqualTypeOf<"Idempotency-Key">();
  expectTypeOf<keyof HeadersOf<"indicator.search.v1">>().toEqualTypeOf<never>();
});
