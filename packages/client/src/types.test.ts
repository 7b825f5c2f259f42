/** The compiler checks this file: `npm run typecheck` fails if a line with an expected error compiles. */
import { parseFilter, type Filter } from "@security-platform/fql";
import { Readable } from "node:stream";
import type { components } from "@security-platform/spec";
import { describe, expectTypeOf, test } from "vitest";
import type { Client, Input, Result } from "./client.ts";
import { isNotFound } from "./errors.ts";
import { filters } from "./generated/collections.ts";
import type { ContainerMethods, CreateScanInput } from "./generated/container.ts";
import type {
  GetIndicatorsInput,
  Indicator,
  IndicatorsSortKey,
  IocMethods,
  ListIndicatorsInput,
} from "./generated/ioc.ts";
import type { Oauth2Methods } from "./generated/oauth2.ts";
import type { FileToSend } from "./operations/file-source.ts";
import type { ListCall } from "./operations/list-call.ts";
import type { FileProgress } from "./sending/call-options.ts";
import type { Page } from "./wire/page.ts";

/** Never called: only its types matter. */
const compiles = (uses: (client: Client) => unknown): void => {
  expectTypeOf(uses).toBeFunction();
};

describe("inputs", () => {
  test("accepts documented parameters and no others", () => {
    compiles((client) => client.call("indicator.combined.v1"));
    compiles((client) => client.call("indicator.combined.v1", { limit: 10 }));
    compiles((client) => client.ioc.listIndicators({ limit: 10, offset: 20 }));
    // @ts-expect-error misspelt
    compiles((client) => client.call("indicator.combined.v1", { limits: 10 }));
    // @ts-expect-error misspelt
    compiles((client) => client.ioc.listIndicators({ limits: 10 }));
    // @ts-expect-error must be a number
    compiles((client) => client.call("indicator.combined.v1", { limit: "10" }));
    // @ts-expect-error null is not a number
    compiles((client) => client.ioc.listIndicators({ limit: null }));
    // @ts-expect-error unknown operation
    compiles((client) => client.call("indicator.combined.v2"));
    // @ts-expect-error unknown method
    compiles((client) => client.ioc.findIndicators());
  });

  test("accepts undefined for optional parameters, and for optional members at any depth", () => {
    const description: string | undefined = undefined;
    const limit: number | undefined = undefined;
    compiles((client) => client.ioc.listIndicators({ limit }));
    compiles((client) =>
      client.ioc.createIndicators({
        body: {
          comment: description,
          indicators: [
            {
              type: "domain",
              value: "a.test",
              action: "detect",
              platforms: ["mac"],
              applied_globally: true,
              description,
              mobile_action: undefined,
              metadata: undefined,
            },
          ],
        },
      }),
    );
    compiles((client) => client.caseManagement.createCase({ body: { name: "a", description } }));
  });

  test("requires required parameters", () => {
    compiles((client) => client.call("indicator.get.v1", { ids: ["a"] }));
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

  test("accepts a body only for operations that have one", () => {
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
  });

  test("accepts path parameters, headers and the parts of an upload", () => {
    compiles((client) => client.container.deleteImage({ image_id: "a" }));
    compiles((client) => client.call("DeleteImageDetails", { image_id: "a" }));
    // @ts-expect-error a path parameter is missing
    compiles((client) => client.call("DeleteImageDetails"));
    expectTypeOf<CreateScanInput["X-Scan-Ticket"]>().toEqualTypeOf<string>();
    const parts = { case_id: "a", file: new Blob(["a"]) };
    compiles((client) => client.caseManagement.uploadFile({ body: parts }));
    compiles((client) => client.caseManagement.uploadFile({ body: new FormData() }));
    // @ts-expect-error the file is missing
    compiles((client) => client.caseManagement.uploadFile({ body: { case_id: "a" } }));
  });

  test("accepts files from anywhere, and reports progress only for them", () => {
    const onProgress = ({ transferredBytes }: FileProgress): number => transferredBytes;
    const upload = (client: Client, file: FileToSend): Promise<unknown> =>
      client.caseManagement.uploadFile({ body: { case_id: "a", file } }, { onProgress });
    compiles((client) => upload(client, { path: "a.csv", name: "b.csv" }));
    compiles((client) => upload(client, new Blob([]).stream()));
    compiles((client) => upload(client, Readable.from([])));
    compiles((client) => upload(client, { content: async () => Readable.from([]), size: 1 }));
    // @ts-expect-error text is not a file
    compiles((client) => upload(client, "a.csv"));
    const text = new Blob([]).stream().pipeThrough(new TextDecoderStream());
    // @ts-expect-error text is not bytes
    compiles((client) => upload(client, text));
    compiles((client) => client.container.downloadExport({ id: "a" }, { onProgress }));
    // @ts-expect-error no file is sent or received
    compiles((client) => client.ioc.getIndicators({ ids: ["a"] }, { onProgress }));
  });

  test("accepts records with links", () => {
    compiles(async (client) => {
      const { data: info } = await client.downloads.getFileAddress({
        file_name: "a",
        file_version: "1",
      });
      const { data } = await client.download(info).toFile("a");
      expectTypeOf(data.bytes).toEqualTypeOf<number>();
      const { data: links } = await client.caseManagement.getFileLink({ id: "a" });
      for (const link of links) {
        const { data: stream } = await client.download(link).stream();
        expectTypeOf(stream).toEqualTypeOf<ReadableStream<Uint8Array>>();
      }
    });
    // @ts-expect-error not a link
    compiles((client) => client.download({ url: "a" }));
  });

  test("accepts readonly lists, and undefined for optional inputs", () => {
    const ids: readonly string[] = ["a"];
    const limit: number | undefined = undefined as number | undefined;
    compiles((client) => client.ioc.getIndicators({ ids }));
    compiles((client) => client.ioc.listIndicators({ limit }));
    // @ts-expect-error a required parameter must not be undefined
    compiles((client) => client.ioc.getIndicators({ ids: undefined }));
  });

  test("accepts filters as text and as trees, with the right fields", () => {
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
    // @ts-expect-error a misspelt field
    compiles(() => f.where("severty").equals("low"));
    // @ts-expect-error not a value of the field
    compiles(() => f.where("type").equals("domian"));
    // @ts-expect-error a number is not a filter
    compiles((client) => client.ioc.listIndicators({ filter: 5 }));
    expectTypeOf<Filter>().toExtend<NonNullable<ListIndicatorsInput["filter"]>>();
  });

  test("accepts sort orders as a key and as lists of keys", () => {
    compiles((client) => client.ioc.listIndicators({ sort: "type.asc" }));
    compiles((client) => client.ioc.listIndicators({ sort: ["severity_number.desc", "value"] }));
    // @ts-expect-error not a sort key
    compiles((client) => client.ioc.listIndicators({ sort: ["severity.down"] }));
    // @ts-expect-error a misspelt field
    compiles((client) => client.ioc.listIndicators({ sort: "severty_number.desc" }));
    expectTypeOf<"tags">().not.toExtend<IndicatorsSortKey>();
    expectTypeOf<"created_on.desc">().toExtend<IndicatorsSortKey>();
  });

  test("accepts the fields of the operation in aggregates", () => {
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

  test("rejects null where the document does not allow it", () => {
    const value = { id: "a", severity: "low" } as const;
    compiles((client) => client.ioc.updateIndicators({ body: { indicators: [value] } }));
    compiles((client) =>
      client.ioc.createIndicators({
        body: {
          // @ts-expect-error a new indicator has no severity, or one of the document's
          indicators: [{ type: "domain", value: "a.test", platforms: ["mac"], severity: null }],
        },
      }),
    );
    compiles((client) =>
      // @ts-expect-error an action cannot be removed
      client.ioc.updateIndicators({ body: { indicators: [{ ...value, action: null }] } }),
    );
    compiles((client) =>
      client.ioc.updateIndicators({ body: { indicators: [{ ...value, expiration: null }] } }),
    );
  });

  test("accepts entries in batches, as their operation takes them", () => {
    compiles((client) => client.ioc.updateIndicators.inBatches([{ id: "a", source: null }]));
    // @ts-expect-error an id is required
    compiles((client) => client.ioc.updateIndicators.inBatches([{ source: null }]));
    compiles((client) =>
      client.ioc.deleteIndicators.inBatches(["a"], { input: { comment: "unused" } }),
    );
    compiles((client) =>
      // @ts-expect-error the ids are the entries
      client.ioc.deleteIndicators.inBatches(["a"], { input: { ids: ["b"] } }),
    );
    // @ts-expect-error an id is text
    compiles((client) => client.ioc.deleteIndicators.inBatches([1]));
    compiles((client) =>
      client.companion.removeTenantGroupMembers.inBatches([{ cid_group_id: "a", cids: ["b"] }]),
    );
  });

  test("accepts read-ahead for lists only", () => {
    compiles((client) => client.ioc.listIndicators({}, { readAhead: true }));
    // @ts-expect-error not a list that is read page by page
    compiles((client) => client.ioc.getIndicators({ ids: ["a"] }, { readAhead: true }));
  });
});

describe("outputs", () => {
  type Data<Method extends (...input: never) => PromiseLike<{ readonly data: unknown }>> = Awaited<
    ReturnType<Method>
  >["data"];

  test("come from the document, under their own names", () => {
    expectTypeOf<components["schemas"]["Indicator"]>().toExtend<Indicator>();
    expectTypeOf<keyof Indicator>().toEqualTypeOf<keyof components["schemas"]["Indicator"]>();
    expectTypeOf<Data<IocMethods["getIndicators"]>>().toEqualTypeOf<readonly Indicator[]>();
    expectTypeOf<Data<IocMethods["listIndicatorIds"]>>().toEqualTypeOf<readonly string[]>();
    expectTypeOf<Data<Oauth2Methods["createToken"]>["expires_in"]>().toEqualTypeOf<number>();
    type Revoked = Data<Oauth2Methods["revokeToken"]>;
    expectTypeOf<Revoked["meta"]["trace_id"]>().toEqualTypeOf<string>();
  });

  test("are a Blob for a file, and undefined without a body", () => {
    expectTypeOf<Data<ContainerMethods["downloadExport"]>>().toEqualTypeOf<Blob>();
    expectTypeOf<Data<ContainerMethods["createScanTicket"]>>().toEqualTypeOf<undefined>();
  });

  test("have page data only for paging operations", () => {
    type List = Awaited<ReturnType<IocMethods["listIndicators"]>>;
    expectTypeOf<List["page"]>().toEqualTypeOf<Page>();
    type Get = Awaited<ReturnType<IocMethods["getIndicators"]>>;
    expectTypeOf<Get>().not.toHaveProperty("page");
  });

  test("are entries when a list is iterated", () => {
    compiles(async (client) => {
      for await (const indicator of client.ioc.listIndicators()) {
        expectTypeOf(indicator).toEqualTypeOf<Indicator>();
      }
      for await (const indicator of client.ioc.getIndicators.matching({ filter: "" })) {
        expectTypeOf(indicator).toEqualTypeOf<Indicator>();
      }
      expectTypeOf(await client.ioc.listIndicatorIds().first()).toEqualTypeOf<string | undefined>();
    });
  });

  test("are the same for both forms of a call", () => {
    expectTypeOf<Result<"indicator.combined.v1">>().toEqualTypeOf<ListCall<Indicator>>();
    expectTypeOf<Input<"indicator.get.v1">>().toEqualTypeOf<GetIndicatorsInput>();
  });

  test("have the errors of the documented statuses in the form that does not reject", () => {
    compiles(async (client) => {
      const { data, error } = await client.ioc.getIndicators.try({ ids: ["a"] });
      if (error === undefined) expectTypeOf(data).toEqualTypeOf<readonly Indicator[]>();
      else expectTypeOf(data).toEqualTypeOf<undefined>();
      if (error?.name === "NotFoundError") {
        expectTypeOf(error.found).toEqualTypeOf<readonly Indicator[]>();
      }
      const listed = await client.ioc.listIndicators.try();
      type Name = NonNullable<typeof listed.error>["name"];
      expectTypeOf<"RateLimitError">().toExtend<Name>();
      // The document has no 409 for this operation.
      expectTypeOf<"ConflictError">().not.toExtend<Name>();
    });
  });

  test("narrows the type of the records in a 404", () => {
    compiles((client) => {
      const error: unknown = undefined;
      if (isNotFound(error, client.ioc.getIndicators)) {
        expectTypeOf(error.found).toEqualTypeOf<readonly Indicator[]>();
      }
    });
  });
});
