import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { digestOf, ociLayout, tarOf } from "../../../testing/image.ts";
import { systemClock } from "../src/foundation/clock.ts";
import { assessImages } from "../src/domain/container/assessments/assess-images.ts";
import { refreshRegistries } from "../src/domain/container/registries/refresh.ts";
import { HttpOutgoing } from "../src/outgoing/http-outgoing.ts";
import {
  alpine,
  debian,
  distroless,
  imagesOf,
  npm,
  osRelease,
  pulls,
  storedImages,
} from "./support/assessed-images.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { have } from "./support/identities.ts";
import { checksPath, log4shell, reportsPath, type Report } from "./support/images.ts";
import { workerOf } from "./support/jobs.ts";
import { blobOf, topOf, type Layout } from "./support/oci-registry.ts";
import {
  createRegistry,
  login,
  ociRegistry,
  readRegistry,
  registriesPath,
  registryServer,
  updateRegistry,
  wholeRegistry,
} from "./support/registries.ts";
import { sharedApi } from "./support/shared-api.ts";

const days = (count: number): number => count * 86_400_000;

withPostgresAtNight((engine) => {
  const shared = sharedApi(engine, registryServer);
  const open = () => shared.open("assessments");

  describe("images of a registry", () => {
    test("are assessed, and reports, exports and policies contain them", async () => {
      const api = await open();
      await have(api, "osv", [log4shell]);
      const content = {
        "shop/checkout": { "1.0": ociLayout(debian) },
        "shop/edge": { latest: ociLayout(alpine) },
        "shop/static": { latest: ociLayout(distroless) },
      };
      const real = await ociRegistry({ content });
      await createRegistry(api, { type: "docker", url: real.url });
      await api.work();
      expect(await imagesOf(api)).toMatchObject([
        { repository: "shop/checkout", tag: "1.0", os_name: "debian", package_count: 3 },
        { repository: "shop/edge", tag: "latest", os_name: "alpine", package_count: 1 },
        { repository: "shop/static", architecture: "arm64", package_count: 1 },
      ]);
      const registry = new URL(real.url).host;
      const query = { registry, repository: "shop/checkout", tag: "1.0" };
      const { body: report } = await api.request<Report>("GET", reportsPath, { query });
      expect(report.Packages.map(({ Product, LayerIndex }) => [Product, LayerIndex])).toEqual([
        ["zlib1g", 0],
        ["openssl", 1],
      ]);
      expect(report.ImageInfo).toMatchObject({
        Registry: registry,
        Repository: "shop/checkout",
        Tag: "1.0",
        Digest: digestOf(topOf(content["shop/checkout"]["1.0"])),
      });
      expect(report.Vulnerabilities).toMatchObject([
        { Vulnerability: { CVEID: "CVE-2021-23337", Product: { Product: "lodash" } } },
      ]);
      expect(report.Detections).toMatchObject([{ Detection: { Type: "secret" } }]);
      await have(api, "image-policies", [
        {
          uuid: "5b1d6f0e-2c47-4f7b-9a58-3d0c61e8f472",
          name: "No vulnerable packages",
          precedence: 1,
          policy_data: {
            rules: [
              {
                action: "block",
                policy_rules_data: {
                  conditions: [{ property: "severity", operator: "at_least", values: ["high"] }],
                },
              },
            ],
          },
        },
      ]);
      const check = await api.request<readonly object[]>("GET", checksPath, { query });
      expect(check.body).toMatchObject([{ deny: true }]);
    });

    test("with several platforms have a scan for each, and other manifests none", async () => {
      const api = await open();
      const both = ociLayout(
        { ...alpine, architecture: "amd64" },
        { ...alpine, architecture: "arm64" },
      );
      const real = await ociRegistry({ content: { tools: { "2": both, sig: signature() } } });
      await createRegistry(api, { type: "docker", url: real.url });
      await api.work();
      const images = await imagesOf(api);
      expect(images.map(({ architecture }) => architecture).toSorted()).toEqual(["amd64", "arm64"]);
      const index = digestOf(topOf(both));
      const query = { digest: index, architecture: "arm64" };
      const { body } = await api.request<Report>("GET", reportsPath, { query });
      expect(body.ImageInfo).toMatchObject({ IndexDigest: index, Architecture: "arm64" });
      expect(
        (await storedImages(api)).map(({ tags, state }) => [...tags, state]).toSorted(),
      ).toEqual([
        ["2", "assessed"],
        ["sig", "skipped"],
      ]);
    });

    test("are pulled once, until a tag has a new digest", async () => {
      const api = await open();
      const tags: Record<string, Layout> = { "1": ociLayout(alpine), latest: ociLayout(alpine) };
      const real = await ociRegistry({ content: { edge: tags }, withoutDigests: true });
      const { id } = await createRegistry(api, { type: "docker", url: real.url });
      await api.work();
      expect(pulls(real)).toHaveLength(2);
      expect((await imagesOf(api)).map(({ tag }) => tag).toSorted()).toEqual(["1", "latest"]);
      api.clock.advance(days(1));
      await api.work();
      expect(pulls(real)).toHaveLength(2);
      tags["latest"] = ociLayout({ ...alpine, layers: [[osRelease("alpine", "3.19.0")]] });
      await updateRegistry(api, id, { state: "pause" });
      api.clock.advance(days(1));
      await api.work();
      expect(pulls(real)).toHaveLength(2);
      await updateRegistry(api, id, { state: "resume" });
      await api.work();
      expect(pulls(real)).toHaveLength(4);
      // The tag no longer refers to the first image, which still has another tag.
      expect((await imagesOf(api)).map(({ tag }) => tag).toSorted()).toEqual(["1", "latest"]);
      const query = { repository: "edge", tag: "latest" };
      const check = await api.request<readonly object[]>("GET", checksPath, { query });
      expect(check.body).toHaveLength(1);
      const { body } = await api.request<Report>("GET", reportsPath, { query });
      expect(body.OSInfo).toMatchObject({ Version: "3.19.0" });
    });

    test.each([
      ["Docker Hub: a token for each repository", "bearer", login],
      [
        "ECR: basic with a token of some hours",
        "basic",
        { username: "AWS", password: "eyJwYXlsb2Fk" },
      ],
      ["Harbor: a token for a robot", "bearer", { username: "robot$shop+scan", password: "Rb0t" }],
    ] as const)("are pulled as registries authenticate: %s", async (_name, signIn, details) => {
      const api = await open();
      const content = {
        "a/edge": { "1": ociLayout(alpine) },
        "b/edge": { "1": ociLayout(debian) },
      };
      const real = await ociRegistry({ content, signIn, ...details, tokenUses: 2 });
      await createRegistry(api, { type: "docker", url: real.url, credential: { details } });
      await api.work();
      expect((await imagesOf(api)).map(({ repository }) => repository)).toEqual([
        "a/edge",
        "b/edge",
      ]);
    });

    test("are pulled with the key of a service account", async () => {
      const api = await open();
      const account = {
        type: "service_account",
        project_id: "shop",
        private_key_id: "1",
        private_key: "-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----\n",
        client_email: "scanner@shop.example",
        client_id: "1",
      };
      const password = JSON.stringify(account);
      const real = await ociRegistry({
        content: { edge: { "1": ociLayout(alpine) } },
        signIn: "bearer",
        username: "_json_key",
        password,
      });
      const details = { project_id: "shop", service_account_json: account };
      await createRegistry(api, { type: "gcr", url: real.url, credential: { details } });
      await api.work();
      expect(await imagesOf(api)).toHaveLength(1);
    });

    test("are pulled from another host, which does not get the authorization", async () => {
      const api = await open();
      const content = { edge: { "1": ociLayout(alpine) } };
      const seen: (string | undefined)[] = [];
      const layers = createServer((request, response) => {
        seen.push(request.headers.authorization);
        const digest = request.url?.split("/").at(-1) ?? "";
        response.end(blobOf(content.edge, digest));
      });
      await new Promise<void>((resolve) => layers.listen(0, "127.0.0.1", resolve));
      onTestFinished(() => void layers.close());
      const layerHost = `http://127.0.0.1:${(layers.address() as AddressInfo).port}`;
      const real = await ociRegistry({ content, signIn: "bearer", ...login, layerHost });
      await createRegistry(api, { type: "docker", url: real.url, credential: { details: login } });
      await api.work();
      expect(seen).toEqual([undefined, undefined]);
      expect(await imagesOf(api)).toHaveLength(1);
    });

    test("are not pulled from private addresses that a redirect names", async () => {
      const api = await open();
      const content = { edge: { "1": ociLayout(alpine) } };
      const real = await ociRegistry({ content, layerHost: "http://10.1.2.3" });
      await createRegistry(api, { type: "docker", url: real.url });
      await api.work();
      const [image] = await storedImages(api);
      expect(image).toMatchObject({ state: "failed" });
      expect(image?.reason).toContain("10.1.2.3 is a private address");
      expect(await imagesOf(api)).toEqual([]);
    });

    test("that a registry cannot deliver for some time are pulled later, from where the pull stopped", async () => {
      const api = await open();
      const real = await ociRegistry({ content: { edge: { "1": ociLayout(debian) } } });
      await createRegistry(api, { type: "docker", url: real.url });
      let broken = 0;
      real.onRequest = async () => {
        if (pulls(real).length === 2 && real.requests.at(-1)?.includes("/blobs/") === true) {
          broken += 1;
          real.statuses.push(503);
        }
      };
      await api.work();
      expect(broken).toBe(1);
      expect(await imagesOf(api)).toEqual([]);
      real.onRequest = () => undefined;
      api.clock.advance(10_000);
      await api.work();
      expect(await imagesOf(api)).toHaveLength(1);
      const all = pulls(real);
      // The second part was refused once; the complete first part is not pulled again.
      expect(all).toHaveLength(4);
      expect(new Set(all).size).toBe(3);
    });

    test(
      "that are broken or too large are reported as failed, and tried again the next day",
      { tags: ["exhaustive"] },
      async () => {
        const api = await open();
        const broken = new Map(ociLayout(alpine));
        const [layer = ""] = [...broken.keys()];
        const other = gzipSync(tarOf([npm("evil", "6.6.6")]));
        broken.set(
          layer,
          Buffer.concat([other, Buffer.alloc(1_000)]).subarray(0, broken.get(layer)?.length),
        );
        const bomb = gzipSync(
          Buffer.concat([tarOf([npm("a", "1.0.0")]), Buffer.alloc(2 * 2 ** 20)]),
        );
        const content: Record<string, Record<string, Layout>> = {
          bomb: { "1": ociLayout({ layers: [bomb] }) },
          broken: { "1": broken },
          good: { "1": ociLayout(alpine) },
          maze: { "1": indexOf(signature(), 200) },
          huge: {
            "1": ociLayout({ ...alpine, descriptor: (same) => ({ ...same, size: 11 * 2 ** 30 }) }),
          },
          short: { "1": ociLayout({ ...alpine, descriptor: (same) => ({ ...same, size: 10 }) }) },
        };
        const real = await ociRegistry({ content });
        await createRegistry(api, { type: "docker", url: real.url });
        await api.work();
        const reasons = new Map(
          (await storedImages(api)).map(({ repository, reason }) => [repository, reason]),
        );
        expect(reasons.get("bomb")).toContain("bytes after its end marker");
        expect(reasons.get("broken")).toContain("does not match its digest");
        expect(reasons.get("huge")).toMatch(
          /^it has \d{11} bytes; at most 10737418240 are pulled$/,
        );
        expect(reasons.get("short")).toMatch(/has more bytes than the manifest says$/);
        expect(reasons.get("good")).toBeNull();
        expect(reasons.get("maze")).toContain("more than 100 manifests");
        expect(pulls(real).some((each) => each.includes("/v2/huge/"))).toBe(false);
        content["broken"] = { "1": ociLayout(alpine) };
        api.clock.advance(days(1));
        await api.work();
        const { length } = await imagesOf(api);
        expect(length).toBe(2);
      },
    );

    test("that a registry names before it limits requests are assessed", async () => {
      const api = await open();
      const layouts = {
        "1": ociLayout(alpine),
        "2": ociLayout(debian),
        "3": ociLayout(distroless),
      };
      const real = await ociRegistry({ content: { edge: layouts } });
      const { id } = await createRegistry(api, { type: "docker", url: real.url });
      real.onRequest = async () => {
        if (real.requests.at(-1) === "HEAD /v2/edge/manifests/3") real.statuses.push(429);
      };
      await api.work();
      expect(await readRegistry(api, id)).toMatchObject({ state: "active" });
      expect((await wholeRegistry(api, id))?.listing).toEqual({
        repositories: 1,
        tags: 3,
        complete: false,
      });
      expect((await imagesOf(api)).map(({ tag }) => tag).toSorted()).toEqual(["1", "2"]);
      real.onRequest = () => undefined;
      api.clock.advance(days(1));
      await api.work();
      expect(await imagesOf(api)).toHaveLength(3);
    });

    test("that take too long to read are reported as failed", async () => {
      const api = await open();
      const { store, blobs } = api;
      const real = await ociRegistry({ content: { edge: { "1": ociLayout(alpine) } } });
      await createRegistry(api, { type: "docker", url: real.url });
      const outgoing = new HttpOutgoing(registryServer.config.outgoing);
      const parts = { store, blobs, outgoing, fileClock: systemClock };
      await workerOf(api, [
        refreshRegistries(store, outgoing),
        assessImages({ ...parts, readMilliseconds: 0 }),
      ]).drain();
      expect(await storedImages(api)).toMatchObject([
        { state: "failed", reason: "it cannot be read within 0 s" },
      ]);
    });

    test("of a deleted registry are no longer pulled, and their scans stay", async () => {
      const api = await open();
      const content = {
        a: { "1": ociLayout(alpine) },
        b: { "1": ociLayout(debian) },
        c: { "1": ociLayout(distroless) },
      };
      const real = await ociRegistry({ content });
      const { id } = await createRegistry(api, { type: "docker", url: real.url });
      let deleting: Promise<unknown> | undefined;
      real.onRequest = () =>
        real.requests.at(-1)?.startsWith("GET /v2/b/blobs/") === true
          ? (deleting ??= api.request("DELETE", registriesPath, { query: { ids: id } }))
          : undefined;
      await api.work();
      expect(deleting).toBeDefined();
      expect((await imagesOf(api)).map(({ repository }) => repository)).toEqual(["a"]);
      expect(pulls(real).some((each) => each.includes("/v2/c/"))).toBe(false);
      expect(await storedImages(api)).toEqual([]);
    });
  });
});

/** A manifest that is not an image, as tools for signatures store it beside images. */
function signature(): Layout {
  const config = Buffer.from("{}");
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: "application/vnd.oci.image.manifest.v1+json",
      config: {
        mediaType: "application/vnd.dev.cosign.simplesigning.v1+json",
        digest: digestOf(config),
        size: config.length,
      },
      layers: [],
    }),
  );
  const manifests = [{ digest: digestOf(manifest), size: manifest.length }];
  return new Map([
    [`blobs/${digestOf(config).replace(":", "/")}`, config],
    [`blobs/${digestOf(manifest).replace(":", "/")}`, manifest],
    ["index.json", Buffer.from(JSON.stringify({ manifests }))],
  ]);
}

/** An index with the same manifest many times. */
function indexOf(layout: Layout, count: number): Layout {
  const { manifests } = JSON.parse(String(layout.get("index.json"))) as { manifests: object[] };
  const repeated = Array.from({ length: count }, () => manifests).flat();
  return new Map([...layout, ["index.json", Buffer.from(JSON.stringify({ manifests: repeated }))]]);
}
