import { collectionSchema } from "@usebruno/schema";
import { completeDocument, operations } from "@security-platform/spec";
import postman from "postman-collection";
import { describe, expect, test } from "vitest";
import { collectionsOf } from "../reference/index-pages.ts";
import { brunoCollection } from "./bruno.ts";
import { postmanCollection } from "./postman.ts";
import { requestFolders } from "./requests.ts";

const folders = requestFolders(collectionsOf(operations(), completeDocument().tags));

describe("the collection for Postman", () => {
  const collection = new postman.Collection(postmanCollection(folders, "1.0.0"));
  const found: postman.Item[] = [];
  collection.forEachItem((item) => found.push(item));

  test("has a request for every operation", () => {
    expect(found.length).toBe(operations().length);
  });

  test("has URLs with the values of the examples", () => {
    const item = found.find(({ name }) => name === operations()[0]?.summary);
    expect(item?.request.url.getHost()).toBe("{{baseUrl}}");
    const search = found.find(({ request }) => request.url.getPath().endsWith("/indicator/v1"));
    expect(search?.request.url.query.get("filter")).toContain("platforms:");
  });

  test("creates a token with the variables of the collection, and sends it elsewhere", () => {
    const token = found.find(({ request }) => request.url.getPath() === "/oauth2/token");
    const fields = token?.request.body?.urlencoded;
    expect(fields?.get("client_id")).toBe("{{clientId}}");
    expect(token?.request.auth?.type).toBe("noauth");
    expect(collection.auth?.parameters().get("token")).toBe("{{token}}");
    expect(collection.variables.get("baseUrl")).toBe("http://127.0.0.1:8080");
  });
});

describe("the collection for Bruno", () => {
  test("is one that Bruno imports, with a request for every operation", async () => {
    const collection = (await collectionSchema.validate(brunoCollection(folders), {
      strict: true,
      abortEarly: false,
    })) as { readonly items: readonly { readonly items: readonly { readonly uid: string }[] }[] };
    const requests = collection.items.flatMap(({ items }) => items);
    expect(requests.length).toBe(operations().length);
    expect(new Set(requests.map(({ uid }) => uid)).size).toBe(requests.length);
  });

  test("is refused with a member that Bruno does not have", async () => {
    const wrong = { ...brunoCollection(folders), environments: [{ name: 1 }] };
    await expect(collectionSchema.validate(wrong)).rejects.toThrow();
  });
});
