import { startPlatform, type TestPlatform } from "@security-platform/testing";
import type { Operation } from "@security-platform/spec";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { operationsInOrder, reads, requestOf } from "./support/samples-of-pages.ts";

/** The day on which the examples of the document play. */
const today = "2026-03-03T10:00:00Z";

type Members = Readonly<Record<string, unknown>>;

/** Operations whose responses differ each time, and why. */
const unlike: Readonly<Record<string, string>> = {
  "entities.files_download.get.v1": "a signed link",
  "entities.files_download.post.v1": "signed links",
  "entities.files_bulk-download.post.v1": "a signed link",
  "entities.templates_export.get.v1": "a signed link",
  "entities.get-rtr-file-metadata.post.v1": "the test double has no connection to hosts",
  FetchFilesDownloadInfo: "signed links",
  FetchFilesDownloadInfoV2: "signed links",
  DownloadFile: "a signed link",
  GetCredentials: "a token",
  GetIndicatorsReport: "a file with all indicators",
  LaunchExportJob: "a new export",
};

const exampleOf = ({ responses, successStatus }: Operation): unknown => {
  const success = responses.find(({ status }) => status === successStatus);
  return Object.values(success?.content["application/json"]?.examples ?? {})[0]?.value;
};

/** The records that the example shows, if the request names records. */
function idsOfExample({ parameters, ...operation }: Operation): Members {
  const example = exampleOf(operation as Operation);
  const takesIds = parameters.some(
    (parameter) => parameter.in === "query" && parameter.name === "ids",
  );
  if (!takesIds || !Array.isArray(example) || !example.every(isObject)) return {};
  const ids = example.map((record) => record["id"]);
  return ids.every((id) => typeof id === "string") ? { ids } : {};
}

/** Without the members that differ in each response. */
function comparable(value: unknown): unknown {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  const { meta: _meta, errors: _errors, ...members } = value as Members;
  return members;
}

/** Where the example says something else than the response. Its lists may be shorter. */
function* differences(example: unknown, actual: unknown, at = ""): Generator<string> {
  if (Array.isArray(example) && Array.isArray(actual)) {
    for (const [index, item] of example.entries()) {
      const isShown = actual.some((each) => [...differences(item, each)].length === 0);
      if (isShown) continue;
      const like = actual.find((each) => idOf(each) === idOf(item)) ?? actual[index];
      yield* differences(item, like, `${at}[${index}]`);
    }
    if (example.length === 0 && actual.length > 0) yield `${at}: is not empty`;
    return;
  }
  if (isObject(example) && isObject(actual)) {
    for (const name of new Set([...Object.keys(example), ...Object.keys(actual)])) {
      yield* differences(example[name], actual[name], `${at}.${name}`);
    }
    return;
  }
  if (example !== actual) yield `${at}: ${show(example)} instead of ${show(actual)}`;
}

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const idOf = (value: unknown): unknown =>
  isObject(value) ? (value["id"] ?? value["uuid"] ?? value["device_id"] ?? value["name"]) : value;

const show = (value: unknown): string => JSON.stringify(value)?.slice(0, 100) ?? "nothing";

const compared = operationsInOrder.filter(
  (operation) =>
    reads(operation) && !(operation.id in unlike) && exampleOf(operation) !== undefined,
);

describe("the example of a response is what the demo returns", () => {
  let platform: TestPlatform;
  let token: string;

  beforeAll(async () => {
    platform = await startPlatform({ now: today });
    const { credentials } = await platform.seed.world("small");
    const body = new URLSearchParams({
      client_id: credentials.clientId,
      client_secret: credentials.clientSecret,
    });
    const response = await platform.fetch("/oauth2/token", { method: "POST", body });
    ({ access_token: token } = (await response.json()) as { access_token: string });
  });

  afterAll(() => platform?.stop());

  test.each(compared.map((operation) => ({ id: operation.id, operation })))(
    "of $id",
    async ({ operation }) => {
      const request = await requestOf(operation, {
        url: platform.baseUrl,
        token,
        query: idsOfExample(operation),
      });
      const response = await platform.fetch(request);
      const body: unknown = await response.json();
      expect([...differences(comparable(exampleOf(operation)), comparable(body))]).toEqual([]);
    },
  );
});
