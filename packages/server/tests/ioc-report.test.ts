import { expect, test } from "vitest";
import { withPostgresAtNight } from "./support/engines.ts";
import { domain, hash, iocSuite, paths, type Session } from "./support/ioc.ts";
import { minutes } from "./support/manual-clock.ts";

interface Report {
  readonly content_type: string;
  readonly file_name: string;
  readonly row_count: number;
  readonly content: string;
}

withPostgresAtNight((engine) => {
  const suite = iocSuite(engine);

  const report = async (api: Session, body: object): Promise<Report> => {
    const answer = await api.request<Report>("POST", paths.report, { body });
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };

  test("JSON contains the records as served, newest first", async () => {
    const api = await suite.open();
    const [a] = await api.stored(domain("a.example"));
    api.clock.advance(minutes(1));
    const [b] = await api.stored(domain("b.example"));
    const { content, ...about } = await report(api, { report_format: "json" });
    expect(JSON.parse(content)).toEqual([b, a]);
    const stamp = api.clock.now().toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
    expect(about).toEqual({
      report_format: "json",
      content_type: "application/json",
      file_name: `indicators-${stamp}Z.json`,
      row_count: 2,
    });
    expect((await report(await suite.open(), { report_format: "json" })).content).toBe("[]");
  });

  test("CSV has a header, quotes and no formulas", async () => {
    const api = await suite.open();
    const [created] = await api.stored(
      hash("a", {
        description: "=cmd|'/c calc'!A1, \"quoted\"",
        source: "two\nlines",
        tags: ["x", "y"],
        platforms: ["windows", "mac"],
      }),
    );
    const { content, content_type, row_count } = await report(api, { report_format: "csv" });
    expect([content_type, row_count]).toEqual(["text/csv", 1]);
    const [header = ""] = content.split("\r\n", 1);
    expect(header.split(",").slice(0, 6)).toEqual([
      "id",
      "type",
      "value",
      "action",
      "mobile_action",
      "severity",
    ]);
    const row = content.slice(header.length + 2);
    expect(row).toContain(`${created?.id},sha256,${"a".repeat(64)},detect,no_action,high,`);
    expect(row).toContain(`"two\nlines","'=cmd|'/c calc'!A1, ""quoted""",windows;mac,x;y,`);
    expect(row.endsWith("\r\n")).toBe(true);
    expect(row.split(",").filter((cell) => cell === "-1")).toEqual(["-1"]);
  });

  test("search takes precedence over filter, query and sort, which work without it", async () => {
    const api = await suite.open();
    await api.stored(
      domain("a.example", { severity: "low" }),
      domain("b.example"),
      domain("c.example", { source: "feed" }),
    );
    const values = async (body: object) =>
      (
        JSON.parse((await report(api, { report_format: "json", ...body })).content) as {
          value: string;
        }[]
      ).map(({ value }) => value);
    const beside = { filter: "severity:'high'", query: "source:null", sort: "value" };
    expect(await values(beside)).toEqual(["b.example"]);
    expect(await values({ ...beside, search: { sort: "value.desc" } })).toEqual([
      "c.example",
      "b.example",
      "a.example",
    ]);
    expect(await values({ search: { filter: "severity:'high'", query: "source:'feed'" } })).toEqual(
      ["c.example"],
    );
    expect(await values({ from_parent: true })).toEqual([]);
    const wrong = await api.request("POST", paths.report, {
      body: { report_format: "json", search: { filter: "nope:1" } },
    });
    expect(wrong.status).toBe(400);
  });
});
