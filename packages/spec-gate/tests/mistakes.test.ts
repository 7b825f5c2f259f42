import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { formats } from "../src/command-line.ts";
import { api, none, one, project } from "./settings-project.ts";

const usage = (sentence: string) => ({
  code: 2,
  stdout: "",
  stderr: `spec-gate: ${sentence}; see --help\n`,
});

describe("a misspelled word of the command line is answered with the nearest one", () => {
  test.each([
    ["a.json b.json --formt json", "there is no option --formt; did you mean --format?"],
    ["a.json b.json --formt=json", "there is no option --formt; did you mean --format?"],
    ["a.json b.json --aproval x", "there is no option --aproval; did you mean --approvals?"],
    [
      "a.json b.json --check-versions",
      "there is no option --check-versions; did you mean --check-version?",
    ],
    ["a.json b.json --zzzzzzzz", "there is no option --zzzzzzzz"],
    ["rules --explian x", "there is no option --explian; did you mean --explain?"],
    ["changelog a.json --form v1", "there is no option --form; did you mean --from?"],
    ["chagelog a.json", "there is no command chagelog; did you mean changelog?"],
    ["a.json b.json --format", "--format: expected a value after it"],
    ["a.json b.json --output --check-version", "--output: expected a value after it"],
    ["rule", "there is no command rule; did you mean rules?"],
    ["gitdiff a b", "there is no command gitdiff; did you mean git-diff?"],
    ["rules --format txt", "--format: expected text, json for rules, got txt; did you mean text?"],
    [
      "changelog a.json --format htm",
      "--format: expected markdown, html, json for changelog, got htm; did you mean html?",
    ],
    [
      "a.json b.json --format josn",
      `--format: expected ${formats.join(", ")}, got josn; did you mean json?`,
    ],
    [
      "a.json b.json --also sariff=x",
      `--also: expected ${formats.join(", ")}, got sariff; did you mean sarif?`,
    ],
  ])("%s", async (words, sentence) => {
    const { run } = project({ "a.json": one, "b.json": none });
    expect(await run(words.split(" "))).toEqual(usage(sentence));
  });

  test("unless a document has this name", async () => {
    const { run, path } = project({ rule: JSON.stringify(one) });
    expect(await run([path("rule"), path("rule")])).toMatchObject({ code: 0 });
  });

  test("also in a file of approvals", async () => {
    const { run } = project({
      "a.json": one,
      "ok.yaml": "- { rule: operation-removed, place: x, reasn: y, expiry: 2030-01-01 }",
    });
    const { stderr } = await run(["a.json", "a.json", "--approvals", "ok.yaml"]);
    expect(stderr).toContain("the member reasn is not known; did you mean reason?");
  });
});

describe("a file of an option", () => {
  const written = ["--output", "--changelog", "--also", "--approve"];

  test.each(written)(
    "of %s in a folder that does not exist is answered with the cure",
    async (option) => {
      const { run, path } = project({ "a.json": one, "b.json": none });
      mkdirSync(path("folder"));
      writeFileSync(path("file"), "");
      for (const [name, problem] of [
        [
          "absent/report",
          `cannot be written: the folder ${path("absent")} does not exist; create it first`,
        ],
        [
          "file/report",
          `cannot be written: ${path("file")} is a file, not a folder; name another path`,
        ],
        ["folder", "is a folder; name a file in it"],
      ] as const) {
        const file = path(name);
        const more = {
          "--also": ["--also", `json=${file}`],
          "--approve": [
            "--approvals",
            file,
            ..."--approve --reason x --expiry 2030-01-01".split(" "),
          ],
        }[option] ?? [option, file];
        for (const format of formats) {
          const { code, stdout, stderr } = await run([
            "a.json",
            "b.json",
            "--format",
            format,
            ...more,
          ]);
          expect({ code, stdout, stderr }).toEqual({
            ...usage(`${option}: ${file} ${problem}`),
            ...(format === "text" ? {} : { stdout: expect.stringMatching(/cannot[- ]judge/i) }),
          });
        }
      }
    },
  );

  test.each([
    ["--approvals", "create it, or write it with --approve"],
    [
      "--config",
      "create it, or leave the option out to use spec-gate.yaml beside the new document",
    ],
    ["--with-server", "create it as a JSON file with old and new"],
  ])("of %s that does not exist is answered with the cure", async (option, cure) => {
    const { run, path } = project({ "a.json": one });
    const { code, stderr } = await run(["a.json", "a.json", option, path("absent")]);
    expect([code, stderr]).toEqual([
      2,
      `spec-gate: ${option}: ${path("absent")} does not exist; ${cure}\n`,
    ]);
  });

  test("that is no UTF-8 is refused with the place", async () => {
    const { run, path } = project({ "a.json": one });
    writeFileSync(path("ok.yaml"), Buffer.from("# ok\n# caf\xe9\n[]\n", "latin1"));
    for (const option of ["--approvals", "--config"]) {
      const { code, stderr } = await run(["a.json", "a.json", option, path("ok.yaml")]);
      expect([code, stderr]).toEqual([
        2,
        `spec-gate: ${option}: ${path("ok.yaml")}:2:6: the byte 0xE9 is not UTF-8; save the file as UTF-8\n`,
      ]);
    }
  });

  test("of --refs-within must be a folder that exists", async () => {
    const { run, path } = project({ "a.json": one });
    const { code, stderr } = await run(["a.json", "a.json", "--refs-within", path("absent")]);
    expect([code, stderr]).toEqual([
      2,
      `spec-gate: --refs-within: the folder ${path("absent")} does not exist; see --help\n`,
    ]);
  });

  test.skipIf(process.getuid?.() === 0)(
    "that may not be read or written is answered with the cure",
    async () => {
      const { run, path } = project({ "a.json": one, secret: "[]" });
      chmodSync(path("secret"), 0);
      for (const option of ["--approvals", "--output"]) {
        const { code, stderr } = await run(["a.json", "a.json", option, path("secret")]);
        expect([code, stderr]).toEqual([
          2,
          expect.stringContaining("this user has no permission for it"),
        ]);
      }
    },
  );
});

describe("a document that is no UTF-8", () => {
  const titled = (title: string) => ({ ...one, info: { title, version: "1.0.0" } });

  test("is judged with a note of the place in every format, or refused if it is UTF-16", async () => {
    const { run, path, report } = project({ "a.json": one });
    writeFileSync(
      path("b.json"),
      Buffer.from(`\n${JSON.stringify(titled("Caf\xe9 \uFFFD"))}`, "latin1"),
    );
    const note =
      "b.json:2:40: the byte 0xE9 is not UTF-8, and is read as U+FFFD; save the file as UTF-8";
    expect((await report("a.json", path("b.json"))).notes).toEqual([expect.stringContaining(note)]);
    for (const format of formats) {
      const { code, stdout } = await run(["a.json", path("b.json"), "--format", format]);
      expect([code, stdout], format).toEqual([
        0,
        expect.stringContaining("the byte 0xE9 is not UTF-8"),
      ]);
    }
    writeFileSync(path("c.json"), Buffer.from(`\uFEFF${JSON.stringify(one)}`, "utf16le"));
    const { code, stderr } = await run(["a.json", path("c.json")]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("c.json is UTF-16; save it as UTF-8"),
    ]);
  });

  test("may have the replacement character itself", async () => {
    const { report, path } = project({ "a.json": one, "b.json": titled("\uFFFD") });
    expect((await report("a.json", "b.json")).notes).toEqual([]);
    const bytes = Buffer.concat([
      Buffer.from(JSON.stringify(titled("\uFFFD|"))),
      Buffer.from([0xff]),
    ]);
    writeFileSync(
      path("c.yaml"),
      Buffer.concat([Buffer.from("# \uFFFD "), Buffer.from([0xff, 0x0a]), bytes.subarray(0, -1)]),
    );
    expect((await report("a.json", path("c.yaml"))).notes).toEqual([
      expect.stringContaining("c.yaml:1:5: the byte 0xFF is not UTF-8"),
    ]);
  });
});

test("an empty document and one of one odd byte are refused with a sentence", async () => {
  const { run, path } = project({ "a.json": api({}) });
  for (const bytes of [[], [0xff], [0xfe]]) {
    writeFileSync(path("b.json"), Buffer.from(bytes));
    const { code, stderr } = await run(["a.json", path("b.json")]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^spec-gate: .*b\.json.*\n$/)]);
  }
});
