import { describe, expect, test } from "vitest";
import { checkedFetch } from "./checked-fetch.ts";
import { conformanceRecorder } from "./recorder.ts";

const headers = {
  "content-type": "application/json",
  "x-trace-id": "7b1c9a52-4e1d-4f0a-9a53-2f6f0c8f5f10",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
  "x-pagination-limit": "100",
};
const good = { operation: { id: "platform.query.v1" }, status: 200, headers, body: '["mac"]' };

describe("the recorder", () => {
  test("accepts responses that conform", () => {
    const recorder = conformanceRecorder();
    recorder.observe(good);
    recorder.assertClean();
    expect(recorder.observed()).toBe(1);
  });

  test("reports each departure once, with its count", () => {
    const recorder = conformanceRecorder();
    recorder.observe({ ...good, body: '["mac", "toaster"]' });
    recorder.observe({ ...good, body: '["toaster"]' });
    recorder.observe({ ...good, status: 418 });
    expect(recorder.findings()).toHaveLength(2);
    expect(() => recorder.assertClean()).toThrow(
      /platform\.query\.v1 200, body\[1\].*, 2 times\n.*418/,
    );
  });

  test("fails a test without any recorded response", () => {
    expect(() => conformanceRecorder().assertClean()).toThrow("no response was observed");
  });
});

describe("the checked fetch", () => {
  const url = "http://127.0.0.1/iocs/queries/platforms/v1?limit=1";
  const answering = (body: string) => async () => new Response(body, { headers });

  test("passes on a conforming response without reading it", async () => {
    const response = await checkedFetch(answering('["mac"]'))(url);
    expect(await response.json()).toEqual(["mac"]);
  });

  test("throws for any other response, or reports it to its recorder", async () => {
    await expect(checkedFetch(answering('["toaster"]'))(new URL(url))).rejects.toThrow("body[0]");
    const recorder = conformanceRecorder();
    await checkedFetch(answering('["toaster"]'), recorder)(new Request(url));
    expect(recorder.findings()).toMatchObject([{ kind: "invalid-body", at: "body[0]" }]);
  });
});
