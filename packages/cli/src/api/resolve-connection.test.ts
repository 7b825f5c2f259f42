import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { writeCredentials } from "../demo/credentials.ts";
import { CommandError } from "../terminal/exit-codes.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { resolveConnection, type ConnectionOptions } from "./resolve-connection.ts";
import { announceServer, findServer, withdrawServer } from "./running-server.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(join(folder, ".data"));
});

const profile = { url: "https://p.test", client_id: "p", client_secret: "p-secret" };
const demo = { client_id: "d", client_secret: "d-secret", cid: "c" };
const variables = { SECPLAT_CLIENT_ID: "v", SECPLAT_CLIENT_SECRET: "v-secret" };

const resolveWith = (
  options: Partial<ConnectionOptions> = {},
  environment: Readonly<Record<string, string>> = {},
) =>
  resolveConnection(
    { data: ".data", ...options },
    {
      workingFolder: folder,
      environment: { SECPLAT_PROFILES: join(folder, "profiles.json"), ...environment },
    },
  );

const writeProfiles = (profiles: unknown): void =>
  writeFileSync(join(folder, "profiles.json"), JSON.stringify(profiles));
const dataFolder = (): string => join(folder, ".data");
const local = { url: "http://127.0.0.1:4711", process_id: process.pid, ca_file: "/ca.pem" };

test("options come first, then variables, a profile, and the server on this machine", () => {
  writeCredentials(dataFolder(), demo);
  expect(resolveWith()).toMatchObject({ url: "http://127.0.0.1:8080", clientId: "d" });
  announceServer(dataFolder(), local);
  expect(resolveWith()).toMatchObject({
    url: local.url,
    clientId: "d",
    clientSecret: "d-secret",
    caFile: "/ca.pem",
    source: "the demo in .data",
  });
  writeProfiles({
    default: { ...profile, member_cid: "m" },
    other: { ...profile, client_id: "o" },
  });
  expect(resolveWith()).toMatchObject({
    url: "https://p.test",
    clientId: "p",
    clientSecret: "p-secret",
    memberCid: "m",
    source: "the profile default",
  });
  expect(resolveWith({}, { SECPLAT_PROFILE: "other" }).clientId).toBe("o");
  expect(resolveWith({}, variables)).toMatchObject({ url: local.url, clientId: "v" });
  expect(resolveWith({}, { ...variables, SECPLAT_PROFILE: "other" }).clientId).toBe("v");
  expect(resolveWith({}, { ...variables, SECPLAT_URL: "https://v.test" }).url).toBe(
    "https://v.test",
  );
  expect(resolveWith({ profile: "other" }, variables).clientId).toBe("o");
  const options = { clientId: "f", url: "https://f.test", memberCid: "f-cid" };
  expect(resolveWith(options, { ...variables, SECPLAT_URL: "https://v.test" })).toMatchObject({
    ...options,
    clientSecret: "v-secret",
  });
});

test("the secret of a profile that nobody chose is sent only to its own server", () => {
  writeCredentials(dataFolder(), demo);
  writeProfiles({ default: profile });
  expect(resolveWith({ url: "https://p.test/" }).clientId).toBe("p");
  expect(resolveWith({ url: "https://other.test" }).clientId).toBe("d");
  expect(resolveWith({ url: "https://other.test", profile: "default" }).clientId).toBe("p");
});

test.each([
  [{}, {}, "there are no credentials; set SECPLAT_CLIENT_ID and SECPLAT_CLIENT_SECRET"],
  [{ clientId: "f" }, {}, "set SECPLAT_CLIENT_SECRET to the secret"],
  [{ clientId: "f", profile: "default" }, {}, "--client-id and --profile exclude each other"],
  [{ profile: "defalt" }, {}, "Did you mean default?"],
  [{}, { SECPLAT_PROFILE: "none" }, "there is no profile none in "],
  [{ profile: "broken" }, {}, "profile broken: client_secret must be a non-empty string"],
])("explains what %j and %j lack", (options, environment, reason) => {
  writeProfiles({
    default: { ...profile, url: "https://p.test" },
    broken: { ...profile, client_secret: 1 },
  });
  if (Object.keys({ ...options, ...environment }).length === 0) writeProfiles({});
  expect(() => resolveWith(options, environment)).toThrow(CommandError);
  expect(() => resolveWith(options, environment)).toThrow(reason);
});

test("does not repeat the content of an unreadable file of profiles", () => {
  writeFileSync(join(folder, "profiles.json"), '{"default": s3cret');
  expect(() => resolveWith()).toThrow(/profiles\.json is not JSON( \(line 1 column \d+\))?$/);
});

test("a server is found until it stops, and not if it was killed", () => {
  announceServer(dataFolder(), local);
  withdrawServer(dataFolder(), process.pid + 1);
  expect(findServer(dataFolder())).toEqual(local);
  withdrawServer(dataFolder(), process.pid);
  expect(findServer(dataFolder())).toBeUndefined();
  // Larger than any process id.
  announceServer(dataFolder(), { ...local, process_id: 2 ** 30 });
  expect(findServer(dataFolder())).toBeUndefined();
  writeFileSync(join(dataFolder(), "server.json"), "{");
  expect(findServer(dataFolder())).toBeUndefined();
});
