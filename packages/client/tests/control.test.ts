import { onTestFinished, expect, test } from "vitest";
import { createControlClient } from "../src/control.ts";
import { InvalidRequestError, NetworkError, NotFoundError, ServerError } from "../src/index.ts";
import { startLiveServer } from "./support/live-server.ts";

test("calls the control plane with types", async () => {
  const server = await startLiveServer({ development: true });
  const control = createControlClient({ baseUrl: `${server.url}/` });
  const client = await server.connect({ retries: 0 });
  const start = "2031-03-01T12:00:00.000Z";
  await control.setClock({ body: { now: start, frozen: true } });
  expect((await control.getClock()).data).toEqual({ now: start, frozen: true });
  expect((await control.advanceClock({ body: { duration: "3 h" } })).data).toMatchObject({
    now: "2031-03-01T15:00:00.000Z",
  });
  const { data: fault } = await control.addFault({
    body: { operation_id: "platform.query.v1", status: 503 },
  });
  await expect(client.ioc.listPlatforms()).rejects.toBeInstanceOf(ServerError);
  const { data } = await control.listRequests({ operation_id: "platform.query.v1" });
  expect(data.requests.map((request) => [request.status, request.fault])).toEqual([
    [503, fault.id],
  ]);
  expect((await control.listFaults()).data).toEqual({ faults: [] });
});

test("reports what the control plane refuses", async () => {
  const { url: baseUrl } = await startLiveServer({ development: true });
  const control = createControlClient({ baseUrl });
  await expect(control.removeFault({ number: 9 })).rejects.toBeInstanceOf(NotFoundError);
  const { error } = await control.addFault.try({ body: { delay: 1 } as object });
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(error?.message).toContain("unknown field; did you mean delay_ms?");
});

test("sends no credentials, and sends a request once", async () => {
  const sent: Request[] = [];
  const control = createControlClient({
    baseUrl: "http://127.0.0.1:8080",
    fetch: (request) => {
      sent.push(request);
      return Promise.reject(new TypeError("connection lost"));
    },
  });
  await expect(control.getClock()).rejects.toBeInstanceOf(NetworkError);
  expect(sent.map(({ url, headers }) => [url, headers.get("authorization")])).toEqual([
    ["http://127.0.0.1:8080/_control/clock", null],
  ]);
});

test("the URL is that of SECPLAT_URL by default", async () => {
  const before = process.env["SECPLAT_URL"];
  onTestFinished(() => {
    if (before === undefined) delete process.env["SECPLAT_URL"];
    else process.env["SECPLAT_URL"] = before;
  });
  delete process.env["SECPLAT_URL"];
  expect(() => createControlClient()).toThrow(
    new TypeError("there is no URL of the server; set baseUrl, or SECPLAT_URL"),
  );
  process.env["SECPLAT_URL"] = "nowhere";
  expect(() => createControlClient()).toThrow("baseUrl is not an absolute URL: nowhere/_control");
});
