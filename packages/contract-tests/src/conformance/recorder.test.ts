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
  test("is content with responses that conform", () => {
    const recorder = conformanceRecorder();
    recorder.observe(good);
    recorder.assertClean();
    expect(recorder.observed()).toBe(1);
  });

  test("names each departure once, and how often it came", () => {
    const recorder = conformanceRecorder();
    recorder.observe({ ...good, body: '["mac", "toaster"]' });
    recorder.observe({ ...good, body: '["toaster"]' });
    recorder.observe({ ...good, status: 418 });
    expect(recorder.findings()).toHaveLength(2);
    expect(() => recorder.assertClean()).toThrow(
      /platform\.query\.v1 200, body\[1\].*, 2 times\n.*418/,
    );
  });

  test("does not let a test pass that it saw nothing of", () => {
    expect(() => conformanceRecorder().assertClean()).toThrow("no response was observed");
  });
});

describe("the checked fetch", () => {
  const url = "http://127.0.0.1/iocs/queries/platforms/v1?limit=1";
  const answering = (body: string) => async () => new Response(body, { headers });

  test("hands on what conforms, unread", async () => {
    const response = await checkedFetch(answering('["mac"]'))(url);
    expect(await response.json()).toEqual(["mac"]);
  });

  test("throws for what does not, or tells its recorder", async () => {
    await expect(checkedFetch(answering('["toaster"]'))(new URL(url))).rejects.toThrow("body[0]");
    const recorder = conformanceRecorder();
    await checkedFetch(answering('["toaster"]'), recorder)(new Request(url));
    expect(recorder.findings()).toMatchObject([{ kind: "invalid-body", at: "body[0]" }]);
  });
});
