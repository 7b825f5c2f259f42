/** The compiler checks this file: `npm run typecheck` fails if a line with an expected error compiles. */
import { parseFilter, type Filter } from "@security-platform/fql";
import type { components } from "@security-platform/spec";
import { describe, expectTypeOf, it } from "vitest";
import type { Client } from "./client.ts";
import { isNotFound } from "./errors.ts";
import { filters } from "./filters.ts";
import type { Page } from "./page.ts";
import type { Answer, Data, FlatInput, Input, RecordOf, SortKey, FieldsOf } from "./types.ts";

type Indicator = components["schemas"]["Indicator"];

/** Never called: only its types matter. */
const compiles = (uses: (client: Client) => unknown): void => {
  expectTypeOf(uses).toBeFunction();
};

describe("inputs", () => {
  it("accepts documented parameters and no others", () => {
    compiles((client) => client.call("indicator.combined.v1"));
    compiles((client) => client.call("indicator.combined.v1", { query: { limit: 10 } }));
    compiles((client) => client.ioc.listIndicators({ limit: 10, offset: 20 }));
    // @ts-expect-error misspelt
    compiles((client) => client.call("indicator.combined.v1", { query: { limits: 10 } }));
    // @ts-expect-error misspelt
    compiles((client) => client.ioc.listIndicators({ limits: 10 }));
    // @ts-expect-error must be a number
    compiles((client) => client.call("indicator.combined.v1", { query: { limit: "10" } }));
    // @ts-expect-error null is not a number
    compiles((client) => client.ioc.listIndicators({ limit: null }));
    // @ts-expect-error `call` needs parameters in their sections
    compiles((client) => client.call("indicator.combined.v1", { limit: 10 }));
    // @ts-expect-error unknown operation
    compiles((client) => client.call("indicator.combined.v2"));
    // @ts-expect-error unknown method
    compiles((client) => client.ioc.findIndicators());
  });

  it("requires required parameters", () => {
    compiles((client) => client.call("indicator.get.v1", { query: { ids: ["a"] } }));
    compiles((client) => client.ioc.countDevices({ type: "domain", value: "a.test" }));
    // @ts-expect-error ids are required
    compiles((client) => client.call("indicator.get.v1"));
    // @ts-expect-error ids are required
    compiles((client) => client.ioc.getIndicators({}));
    // @ts-expect-error value is required
    compiles((client) => client.ioc.countDevices({ type: "domain" }));
    // @ts-expect-error not a type that can be looked up
    compiles((client) => client.ioc.countDevices({ type: "url", value: "a.test" }));
  });

  it("accepts a body only for operations that have one", () => {
    const indicators = [
      { type: "domain", value: "a.test", platforms: ["linux"], applied_globally: true },
    ] as const;
    compiles((client) => client.ioc.createIndicators({ body: { indicators } }));
    compiles((client) =>
      client.ioc.createIndicators({ ignore_warnings: true, body: { indicators } }),
    );
    // @ts-expect-error the body is missing
    compiles((client) => client.ioc.createIndicators({ ignore_warnings: true }));
    compiles((client) =>
      client.ioc.createIndicators({
        body: {
          // @ts-expect-error misspelt nested member
          indicators: [{ type: "domain", value: "a.test", platform: ["linux"] }],
        },
      }),
    );
    // @ts-expect-error the operation has no body
    compiles((client) => client.ioc.listIndicators({ body: {} }));
    const withBody = { query: { ids: ["a"] }, body: undefined } as const;
    compiles((client) => client.call("indicator.get.v1", withBody));
    const withWrongBody = { query: { ids: ["a"] }, body: { ids: ["a"] } };
    // @ts-expect-error the operation has no body, even in a variable
    compiles((client) => client.call("indicator.get.v1", withWrongBody));
  });

  it("accepts path parameters, headers and the parts of an upload", () => {
    compiles((client) => client.container.deleteImage({ image_id: "a" }));
    compiles((client) => client.call("DeleteImageDetails", { path: { image_id: "a" } }));
    // @ts-expect-error a path parameter is missing
    compiles((client) => client.call("DeleteImageDetails"));
    type Scan = Input<"PostImageScanInventory">;
    expectTypeOf<Scan["headers"]>().toEqualTypeOf<{ readonly "X-Scan-Ticket": string }>();
    expectTypeOf<FlatInput<"PostImageScanInventory">["X-Scan-Ticket"]>().toEqualTypeOf<string>();
    const parts = { case_id: "a", file: new Blob(["a"]) };
    compiles((client) => client.caseManagement.uploadFile({ body: parts }));
    compiles((client) => client.caseManagement.uploadFile({ body: new FormData() }));
    // @ts-expect-error the file is missing
    compiles((client) => client.caseManagement.uploadFile({ body: { case_id: "a" } }));
  });

  it("accepts readonly lists, and undefined for optional inputs", () => {
    const ids: readonly string[] = ["a"];
    const limit: number | undefined = undefined as number | undefined;
    compiles((client) => client.ioc.getIndicators({ ids }));
    compiles((client) => client.ioc.listIndicators({ limit }));
    // @ts-expect-error a required parameter must not be undefined
    compiles((client) => client.ioc.getIndicators({ ids: undefined }));
  });

  it("accepts filters as text and as trees, with the right fields", () => {
    const f = filters.indicators;
    const filter = f.and(f.where("type").equals("domain"), f.where("expired").equals(false));
    compiles((client) => client.ioc.listIndicators({ filter }));
    compiles((client) => client.ioc.listIndicators({ filter: "type:'domain'" }));
    compiles((client) => client.ioc.listIndicators({ filter: parseFilter("type:'domain'") }));
    compiles((client) =>
      client.ioc.updateIndicators({ body: { bulk_update: { filter, action: "detect" } } }),
    );
    const other = filters.executions.where("command_line").text("x");
    // @ts-expect-error a filter on another resource
    compiles((client) => client.ioc.listIndicators({ filter: other }));
    // @ts-expect-error a number is not a filter
    compiles((client) => client.ioc.listIndicators({ filter: 5 }));
    expectTypeOf<Filter>().toExtend<NonNullable<FlatInput<"indicator.combined.v1">["filter"]>>();
  });

  it("accepts sort orders as text and as lists of keys", () => {
    compiles((client) => client.ioc.listIndicators({ sort: "type.asc,value" }));
    compiles((client) => client.ioc.listIndicators({ sort: ["severity_number.desc", "value"] }));
    // @ts-expect-error not a sort key
    compiles((client) => client.ioc.listIndicators({ sort: ["severity.down"] }));
    expectTypeOf<"tags">().not.toExtend<SortKey<FieldsOf<"indicators">>>();
    expectTypeOf<"created_on.desc">().toExtend<SortKey<FieldsOf<"indicators">>>();
  });

  it("accepts the fields of the operation in aggregates", () => {
    compiles((client) =>
      client.ioc.aggregateIndicators({
        body: {
          name: "types",
          type: "terms",
          field: "type",
          filter: filters.indicators.where("expired").equals(false),
          sub_aggregates: [{ name: "severities", type: "terms", field: "severity" }],
        },
      }),
    );
    compiles((client) =>
      // @ts-expect-error not a field of indicators
      client.ioc.aggregateIndicators({ body: { name: "x", type: "terms", field: "colour" } }),
    );
  });

  it("gives both forms of a call the same parameters", () => {
    type Query = NonNullable<Input<"indicator.delete.v1">["query"]>;
    expectTypeOf<FlatInput<"indicator.delete.v1">>().toExtend<Query>();
    expectTypeOf<Input<"indicator.get.v1">["path"]>().toEqualTypeOf<undefined>();
  });
});

describe("outputs", () => {
  it("come from the document", () => {
    expectTypeOf<Data<"indicator.get.v1">>().toEqualTypeOf<readonly Indicator[]>();
    expectTypeOf<Data<"indicator.search.v1">>().toEqualTypeOf<readonly string[]>();
    expectTypeOf<RecordOf<"indicator.combined.v1">>().toEqualTypeOf<Indicator>();
    expectTypeOf<Data<"oauth2AccessToken">["expires_in"]>().toEqualTypeOf<number>();
    expectTypeOf<Data<"oauth2RevokeToken">["meta"]["trace_id"]>().toEqualTypeOf<string>();
  });

  it("are a Blob for a file, and undefined without a body", () => {
    expectTypeOf<Data<"DownloadExportFile">>().toEqualTypeOf<Blob>();
    expectTypeOf<Data<"HeadImageScanInventory">>().toEqualTypeOf<undefined>();
  });

  it("have page data only for paging operations", () => {
    expectTypeOf<Answer<"indicator.combined.v1">["page"]>().toEqualTypeOf<Page>();
    expectTypeOf<Answer<"action.query.v1">["page"]>().toEqualTypeOf<Page>();
    expectTypeOf<Answer<"indicator.get.v1">["page"]>().toEqualTypeOf<undefined>();
  });

  it("are the same for both forms of a call", () => {
    type Readable = Awaited<ReturnType<Client["ioc"]["listIndicators"]>>;
    expectTypeOf<Readable>().toEqualTypeOf<Answer<"indicator.combined.v1">>();
  });

  it("narrows the type of the records in a 404", () => {
    const error: unknown = undefined;
    if (isNotFound(error, "indicator.get.v1")) {
      expectTypeOf(error.found).toEqualTypeOf<readonly Indicator[]>();
    }
  });
});
