import type { Operation } from "@security-platform/spec";
import { operationById } from "@security-platform/spec";
import { describe, expect, test } from "vitest";
import { clientSample, literal } from "./client-sample.ts";
import { curlSample, quote } from "./curl.ts";
import { sampleInput } from "./sample-input.ts";

const operation = (change: object): Operation =>
  ({ ...operationById("indicator.get.v1"), ...change }) as Operation;

const sampleOf = (sampled: Operation) => [sampled, sampleInput(sampled)] as const;

describe("quote", () => {
  test.each([
    ["limit=1", "limit=1"],
    ["filter=type:'domain'+a:1", `"filter=type:'domain'+a:1"`],
    ["filter=type:!'domain'", String.raw`'filter=type:!'\''domain'\'''`],
    ["a=$b", "'a=$b'"],
  ])("%s becomes %s", (text, quoted) => {
    expect(quote(text)).toBe(quoted);
  });
});

describe("curlSample", () => {
  test("revokes a token of its own, because the reader needs $TOKEN for the other samples", () => {
    const sample = curlSample(...sampleOf(operationById("oauth2RevokeToken")));
    expect(sample).toContain("OLD_TOKEN=$(curl -s $BASE_URL/oauth2/token ");
    expect(sample).toContain('-d "token=$OLD_TOKEN"');
  });

  test.each(["indicator.get.v1", "oauth2AccessToken"] as const)("%s needs no other token", (id) => {
    expect(curlSample(...sampleOf(operationById(id)))).not.toContain("OLD_TOKEN");
  });

  test("repeats a list, fills the path and states the method if curl would choose another", () => {
    const parameters = [
      { name: "id", in: "path", required: true, description: "", schema: {}, example: "a/b" },
      {
        name: "ids",
        in: "query",
        required: true,
        description: "",
        schema: {},
        example: ["x", "y"],
      },
      { name: "after", in: "query", required: false, description: "", schema: {}, example: "z" },
    ];
    expect(
      curlSample(...sampleOf(operation({ method: "delete", path: "/things/{id}", parameters }))),
    ).toBe(
      [
        `curl -s -G -X DELETE "$BASE_URL/things/a%2Fb" \\`,
        `  -H "Authorization: Bearer $TOKEN" \\`,
        "  --data-urlencode ids=x \\",
        "  --data-urlencode ids=y",
      ].join("\n"),
    );
  });

  test("sends the parts of an upload, with the file from standard input", () => {
    const sample = curlSample(...sampleOf(operationById("entities.files_upload.post.v1")));
    expect(sample).toContain('curl -s "$BASE_URL/case-files/entities/files/upload/v1"');
    expect(sample).toContain("-F \"file=@-;filename=example.txt\" <<'FILE'\n");
    expect(clientSample(...sampleOf(operationById("entities.files_upload.post.v1")))).toContain(
      "file: new Blob([",
    );
  });

  test("requests headers only, and sends the documented ones", () => {
    const head = operationById("HeadImageScanInventory");
    expect(curlSample(...sampleOf(head))).toContain(`curl -s -I "$BASE_URL${head.path}"`);
    const post = operationById("PostImageScanInventory");
    expect(curlSample(...sampleOf(post))).toContain('-H "X-Scan-Ticket: ');
    expect(clientSample(...sampleOf(post))).toContain('"X-Scan-Ticket": ');
  });

  test("keeps parameters in the URL if there is a body", () => {
    const parameters = [
      {
        name: "filter",
        in: "query",
        required: false,
        description: "",
        schema: {},
        example: "a:'b+c'",
      },
    ];
    const requestBody = {
      required: true,
      fql: [],
      content: { "application/json": { schema: {}, examples: { one: { value: { a: "it's" } } } } },
    };
    expect(
      curlSample(...sampleOf(operation({ method: "post", path: "/p", parameters, requestBody }))),
    ).toBe(
      [
        `curl -s "$BASE_URL/p?filter=a%3A%27b%2Bc%27" \\`,
        `  -H "Authorization: Bearer $TOKEN" \\`,
        `  -H "Content-Type: application/json" \\`,
        "  -d @- <<'JSON'",
        "{",
        `  "a": "it's"`,
        "}",
        "JSON",
      ].join("\n"),
    );
  });

  test("requires an example of each required input", () => {
    const parameters = [{ name: "ids", in: "query", required: true, description: "", schema: {} }];
    expect(() => curlSample(...sampleOf(operation({ parameters })))).toThrow(/ids has no example/);
  });

  test("takes credentials from variables", () => {
    expect(curlSample(...sampleOf(operationById("oauth2AccessToken")))).toContain(
      `-d "client_id=$CLIENT_ID"`,
    );
    expect(clientSample(...sampleOf(operationById("oauth2AccessToken")))).not.toContain(
      "client_secret:",
    );
  });
});

describe("literal", () => {
  test("breaks long lines", () => {
    expect(literal({ a: [1, "b"], "c-d": null }, "")).toBe(`{ a: [1, "b"], "c-d": null }`);
    const long = "x".repeat(80);
    expect(literal({ a: [long, long] }, "")).toBe(
      `{\n  a: [\n    "${long}",\n    "${long}",\n  ],\n}`,
    );
  });
});
