import { expect, test } from "vitest";
import { CompleteResponse } from "./complete-response.ts";

const content = '{"name":"é","list":[1,2]}';
const init = {
  status: 201,
  statusText: "Created",
  headers: { "content-type": "application/json" },
};

const bytesOf = (text: string): ArrayBuffer =>
  Uint8Array.from(new TextEncoder().encode(text)).buffer;
const both = (text = content): readonly [Response, Response] => [
  new CompleteResponse(bytesOf(text), init),
  new Response(text, init),
];

const readers: Readonly<Record<string, (response: Response) => Promise<unknown>>> = {
  text: (response) => response.text(),
  json: (response) => response.json(),
  arrayBuffer: (response) => response.arrayBuffer(),
  bytes: (response) => response.bytes(),
  blob: async (response) => {
    const blob = await response.blob();
    return [blob.type, await blob.text()];
  },
  clone: (response) => response.clone().text(),
  body: async (response) => new Response(response.body).text(),
};

test.each(Object.entries(readers))(
  "%s reads what a response of the browser has",
  async (_, read) => {
    const [complete, usual] = both();
    expect(complete.bodyUsed).toBe(false);
    expect(await read(complete)).toEqual(await read(usual));
    expect(complete.bodyUsed).toBe(usual.bodyUsed);
  },
);

test.each(Object.entries(readers))("%s fails after the text is read", async (_, read) => {
  const [complete] = both();
  expect(await complete.text()).toBe(content);
  expect(complete.bodyUsed).toBe(true);
  await expect((async () => read(complete))()).rejects.toThrow(TypeError);
});

test("the text of a body that is read otherwise fails", async () => {
  const [complete] = both();
  await complete.bytes();
  await expect(complete.text()).rejects.toThrow(TypeError);
});

test("a byte order mark is left out, and invalid UTF-8 is replaced, as in a response of the browser", async () => {
  const [complete, usual] = both("\uFEFFa");
  expect(await complete.text()).toBe(await usual.text());
  const invalid = Uint8Array.from([0x61, 0xff]).buffer;
  expect(await new CompleteResponse(invalid, init).text()).toBe("a\uFFFD");
});

test("it has the status and the headers", () => {
  const [complete] = both();
  expect(complete).toBeInstanceOf(Response);
  expect([complete.status, complete.statusText, complete.ok]).toEqual([201, "Created", true]);
  expect(complete.headers.get("content-type")).toBe("application/json");
});
