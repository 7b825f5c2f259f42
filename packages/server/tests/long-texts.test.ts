import { describe, expect, test } from "vitest";
import { forEachEngine } from "./support/engines.ts";
import { checksPath, inventory, sendInventory } from "./support/images.ts";
import { sharedApi } from "./support/shared-api.ts";

/** Mostly different characters of four bytes in UTF-8, because PostgreSQL compresses index keys. */
const longText = (characters: number): string =>
  Array.from({ length: characters }, (_none, index) =>
    String.fromCodePoint(0x1f300 + ((index * index * 7 + index * 31) % 700)),
  ).join("");

const indicatorsPath = "/iocs/entities/indicators/v1";

forEachEngine((engine) => {
  const suite = sharedApi(engine);

  describe("texts of the maximum length, with four-byte characters, are stored and found", () => {
    test("names of an image, its packages and libraries", async () => {
      const api = await suite.open();
      const [repository, product, library] = [longText(512), longText(511), longText(510)];
      const sent = inventory((draft) => {
        draft.inventory.ImageInfo.Registry = longText(1_024);
        draft.inventory.ImageInfo.Repository = repository;
        draft.inventory.Packages = [{ Product: product, MajorVersion: "1", LayerIndex: 0 }];
        draft.inventory.ApplicationPackages = [
          { type: "npm", libraries: [{ Name: library, Version: "1.0.0", LayerIndex: 0 }] },
        ];
      });
      for (const scan of [await sendInventory(api, sent), await sendInventory(api, sent)]) {
        expect(scan.status).toBe(200);
      }
      const images = await api.request("GET", checksPath, {
        query: { registry: longText(1_024), repository, tag: "4.2.0" },
      });
      expect(images.status).toBe(200);
    });

    test("tags and source of an indicator", async () => {
      const api = await suite.open();
      const indicator = {
        type: "domain",
        value: "bad.example.com",
        action: "detect",
        severity: "low",
        platforms: ["linux"],
        applied_globally: true,
        source: longText(256),
        tags: [longText(128), longText(127)],
      };
      const body = { indicators: [indicator] };
      const created = await api.request<{ id: string }[]>("POST", indicatorsPath, { body });
      expect(created.status).toBe(201);
      for (const filter of [`tags:'${longText(127)}'`, `source:'${longText(256)}'`]) {
        const indicators = await api.request("GET", "/iocs/queries/indicators/v1", {
          query: { filter },
        });
        expect(indicators.body).toEqual([created.body[0]?.id]);
      }
    });
  });
});
