import { completeDocument, operations } from "@security-platform/spec";
import postman from "postman-collection";
import { describe, expect, test } from "vitest";
import { collectionsOf } from "../reference/index-pages.ts";
import { postmanCollection } from "./postman.ts";
import { requestFolders } from "./requests.ts";

const folders = requestFolders(collectionsOf(operations(), completeDocument().tags));

describe("the collection for Postman", () => {
  const json = postmanCollection(folders, "1.0.0");
  const collection = new postman.Collection(json);
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

  test("gets a token with its variables, and does not send it where none is needed", () => {
    const token = found.find(({ request }) => request.url.getPath() === "/oauth2/token");
    expect(token?.request.auth?.type).toBe("noauth");
    expect(collection.auth?.type).toBe("oauth2");
    const parameters = collection.auth?.parameters();
    const values = parameters?.toObject() as Readonly<Record<string, string>>;
    expect(values).toEqual({
      grant_type: "client_credentials",
      accessTokenUrl: "{{baseUrl}}/oauth2/token",
      clientId: "{{clientId}}",
      clientSecret: "{{clientSecret}}",
      client_authentication: "body",
      addTokenTo: "header",
      headerPrefix: "Bearer",
    });
    expect(collection.variables.get("baseUrl")).toBe("http://127.0.0.1:8080");
  });

  test("defines every variable that it uses", () => {
    const used = new Set(
      [...JSON.stringify(json).matchAll(/\{\{([^}]*)\}\}/g)].map(([, name = ""]) => name),
    );
    expect([...used].toSorted()).toEqual(["baseUrl", "clientId", "clientSecret"]);
    for (const name of used) expect(collection.variables.has(name)).toBe(true);
  });
});
