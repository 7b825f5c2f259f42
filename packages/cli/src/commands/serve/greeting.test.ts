import { expect, test } from "vitest";
import { greetPerson, greetScript, type Greeting } from "./greeting.ts";

const greeting: Greeting = {
  url: "http://127.0.0.1:8080",
  docs_url: "http://127.0.0.1:8080/docs/",
  ca_file: null,
  metrics_url: null,
  database: "sqlite:/project/.data/platform.sqlite",
  ready_milliseconds: 812,
  process_id: 42,
  workers: 1,
  version: "1.2.3",
  demo: {
    client_id: "id",
    client_secret: "secret",
    cid: "cid",
    access_token: "token",
    expires_in: 1_799,
  },
};

test("prints everything needed for a first request", () => {
  const text = greetPerson(greeting, []);
  expect(text).toContain("Security Platform API 1.2.3, ready in 0.8 s\n");
  expect(text).toContain("\n  base URL       http://127.0.0.1:8080\n");
  expect(text).toContain("\n  client id      id\n  client secret  secret\n");
  expect(text).toContain(
    '\n  curl -H "Authorization: Bearer token" "http://127.0.0.1:8080/iocs/combined/indicator/v1?limit=2"\n',
  );
});

test("prints the lifetime of the token", () => {
  expect(greetPerson(greeting, [])).toContain("its token is valid for half an hour:\n");
  if (greeting.demo === null) throw new Error("the greeting has a demo");
  const brief = { ...greeting, demo: { ...greeting.demo, expires_in: 60 } };
  expect(greetPerson(brief, [])).toContain("its token is valid for 60 s:\n");
});

test("explains how to create a client if there is no demo", () => {
  const text = greetPerson({ ...greeting, demo: null, docs_url: null }, ["Create one:", ""]);
  expect(text).toContain("\n\nCreate one:\n\nCtrl-C stops it");
  expect(text).not.toMatch(/curl|documentation/);
});

test("prints one flat line for scripts", () => {
  const line = greetScript(greeting);
  expect(line.endsWith("}\n")).toBe(true);
  const { demo: _demo, ...rest } = greeting;
  expect(JSON.parse(line)).toEqual({ ...rest, ...greeting.demo });
  expect(JSON.parse(greetScript({ ...greeting, demo: null }))).toEqual({
    ...rest,
    client_id: null,
    client_secret: null,
    cid: null,
    access_token: null,
    expires_in: null,
  });
});
