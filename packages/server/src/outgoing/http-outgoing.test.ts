import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { HttpOutgoing } from "./http-outgoing.ts";
import { OutgoingRefusedError } from "./outgoing.ts";

interface Receiver {
  readonly port: number;
  readonly requests: { host: string | undefined; body: string }[];
}

async function receiver(answer: RequestListener = (_, response) => void response.end("ok")) {
  const requests: Receiver["requests"] = [];
  const server: Server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      requests.push({ host: request.headers.host, body });
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, requests };
}

/** Answers each question with the next list of addresses, and the last one from then on. */
function resolving(...answers: readonly (readonly string[])[]) {
  const lookedUp: string[] = [];
  const resolve = async (hostname: string): Promise<readonly string[]> => {
    const answer = answers[Math.min(lookedUp.length, answers.length - 1)] ?? [];
    lookedUp.push(hostname);
    return answer;
  };
  return { asked: lookedUp, resolve };
}

const local = ["127.0.0.0/8"];
const request = { headers: { "content-type": "application/json" }, body: '{"n":1}' };

test("sends to the checked address, with the host name of the URL", async () => {
  const { port, requests } = await receiver();
  const { asked: lookedUp, resolve } = resolving(["127.0.0.1"], ["169.254.169.254"]);
  const outgoing = new HttpOutgoing({ allowedNetworks: local, resolve });
  expect(await outgoing.post(`http://hooks.example:${port}/x`, request)).toBe(200);
  expect(lookedUp).toEqual(["hooks.example"]);
  expect(requests).toEqual([{ host: `hooks.example:${port}`, body: '{"n":1}' }]);
});

test("a name that later resolves to a forbidden address is rejected then", async () => {
  const { port, requests } = await receiver();
  const { resolve } = resolving(["127.0.0.1"], ["169.254.169.254"]);
  const outgoing = new HttpOutgoing({ allowedNetworks: local, resolve });
  await outgoing.post(`http://hooks.example:${port}/`, request);
  await expect(outgoing.post(`http://hooks.example:${port}/`, request)).rejects.toThrow(
    "hooks.example is 169.254.169.254, a link-local address; only public addresses",
  );
  expect(requests).toHaveLength(1);
});

test.each([
  "https://127.0.0.1/",
  "https://0x7f.1/",
  "https://0177.0.0.1/",
  "https://2130706433/",
  "https://127.1/",
  "https://[::1]/",
  "https://[::ffff:127.0.0.1]/",
  "https://[::ffff:a9fe:a9fe]/",
  "https://[64:ff9b::a9fe:a9fe]/",
  "https://[::7f00:1]/",
  "https://169.254.169.254/latest/meta-data/",
  "https://0/",
  "https://169.254.169.254./",
  "https://169。254。169。254/",
  "https://①②⑦.0.0.1/",
  "https://[2002:a9fe:a9fe::]/",
  "https://[::ffff:0:127.0.0.1]/",
])("rejects %s without a look-up", async (url) => {
  const { asked: lookedUp, resolve } = resolving(["1.1.1.1"]);
  const outgoing = new HttpOutgoing({ allowedNetworks: [], resolve });
  await expect(outgoing.post(url, request)).rejects.toThrow(OutgoingRefusedError);
  expect(await outgoing.refusal(url)).toContain("address");
  expect(lookedUp).toEqual([]);
});

test("one forbidden address among several rejects the name", async () => {
  const { resolve } = resolving(["1.1.1.1", "::1"]);
  const outgoing = new HttpOutgoing({ allowedNetworks: [], resolve });
  expect(await outgoing.refusal("https://hooks.example/")).toBe(
    "hooks.example is ::1, a loopback address; only public addresses and the networks that the operator allows can be used",
  );
});

test("requires https, unless the operator allows the network", async () => {
  const { resolve } = resolving(["1.1.1.1"]);
  const outgoing = new HttpOutgoing({ allowedNetworks: local, resolve });
  expect(await outgoing.refusal("http://hooks.example/")).toBe("expected a URL with https");
  expect(await outgoing.refusal("ftp://hooks.example/")).toBe("expected a URL with https");
  expect(await outgoing.refusal("https://a:b@hooks.example/")).toContain("without user name");
  expect(await outgoing.refusal("https://hooks.example/")).toBeNull();
  expect(await outgoing.refusal("http://127.0.0.1:8080/")).toBeNull();
});

test("a name that cannot be resolved is a connection error, not a rejection", async () => {
  const resolve = () => Promise.reject(new Error("ENOTFOUND hooks.example"));
  const outgoing = new HttpOutgoing({ allowedNetworks: [], resolve });
  expect(await outgoing.refusal("https://hooks.example/")).toBeNull();
  const failed = outgoing.post("https://hooks.example/", request);
  await expect(failed).rejects.toThrow("ENOTFOUND");
  await expect(failed).rejects.not.toBeInstanceOf(OutgoingRefusedError);
});

test("does not follow redirects", async () => {
  const target = await receiver();
  const { port } = await receiver((_, response) => {
    response.writeHead(307, { location: `http://127.0.0.1:${target.port}/` }).end();
  });
  const outgoing = new HttpOutgoing({ allowedNetworks: local });
  expect(await outgoing.post(`http://127.0.0.1:${port}/`, request)).toBe(307);
  expect(target.requests).toEqual([]);
});

test("aborts a response that is too long or never ends", async () => {
  const long = await receiver((_, response) => void response.end("x".repeat(70_000)));
  const silent = await receiver(() => undefined);
  const outgoing = new HttpOutgoing({ allowedNetworks: local });
  await expect(outgoing.post(`http://127.0.0.1:${long.port}/`, request)).rejects.toThrow(
    "the response is too long",
  );
  const hasty = new HttpOutgoing({ allowedNetworks: local, milliseconds: 100 });
  await expect(hasty.post(`http://127.0.0.1:${silent.port}/`, request)).rejects.toThrow(
    "no response within 0.1 s",
  );
  const slow = new HttpOutgoing({
    allowedNetworks: [],
    milliseconds: 50,
    resolve: () => new Promise(() => undefined),
  });
  await expect(slow.post("https://hooks.example/", request)).rejects.toThrow("no response within");
});

test("a HEAD has no body, and a download arrives in parts", async () => {
  const { port } = await receiver((_, response) => {
    response.writeHead(200, { "x-digest": "1" });
    response.write("first");
    response.end("second");
  });
  const outgoing = new HttpOutgoing({ allowedNetworks: local });
  const url = `http://127.0.0.1:${port}/`;
  const head = await outgoing.head(url, { headers: {} });
  expect([head.status, head.headers["x-digest"], head.body]).toEqual([200, "1", ""]);
  const { status, content } = await outgoing.download(url, { headers: {} });
  expect([status, (await content.toArray()).join("")]).toEqual([200, "firstsecond"]);
});

test(
  "a download ends when no data arrives for the time limit, or when the caller gives up",
  { tags: ["exhaustive"] },
  async () => {
    const { port } = await receiver((_, response) => void response.write("first"));
    const url = `http://127.0.0.1:${port}/`;
    // The limit includes the time to connect, which a busy machine needs.
    const slow = new HttpOutgoing({ allowedNetworks: local, milliseconds: 3_000 });
    const stalled = await slow.download(url, { headers: {} });
    await expect(stalled.content.toArray()).rejects.toThrow("no data for 3 s");
    const patient = new HttpOutgoing({ allowedNetworks: local });
    const stopping = new AbortController();
    const { content } = await patient.download(url, { headers: {}, signal: stopping.signal });
    stopping.abort();
    await expect(content.toArray()).rejects.toThrow("aborted");
  },
);

test("a download is refused where any other request is", async () => {
  const outgoing = new HttpOutgoing({ allowedNetworks: [] });
  for (const url of ["https://169.254.169.254/", "http://203.0.113.7/"]) {
    await expect(outgoing.download(url, { headers: {} })).rejects.toThrow(OutgoingRefusedError);
  }
});
