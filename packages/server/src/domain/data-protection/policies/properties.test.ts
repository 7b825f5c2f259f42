import { document } from "@security-platform/spec";
import { describe, expect, test } from "vitest";
import { changedProperties } from "./properties.ts";
import {
  defaultProperties,
  propertiesOf,
  propertyTable,
  type PropertiesInput,
  type Platform,
} from "./property-table.ts";
import { ownHeader } from "./property-rules.ts";

/** The result of a change to a policy with default properties. */
const change = (input: PropertiesInput, platform: Platform = "win", before: PropertiesInput = {}) =>
  changedProperties(platform, { ...defaultProperties(platform), ...before } as never, input, "p");

const problemsOf = (...parameters: Parameters<typeof change>): readonly string[] => {
  const changed = change(...parameters);
  return "problems" in changed
    ? changed.problems.map(({ at, message }) => `${at}: ${message}`)
    : [];
};

const accepted = (...parameters: Parameters<typeof change>): void =>
  expect(problemsOf(...parameters)).toEqual([]);

test("the table contains every property of the document, and valid defaults", () => {
  const { schemas } = document().components;
  const shown = schemas["DataProtectionPolicyProperties"];
  expect(propertyTable.map(({ name }) => name).toSorted()).toEqual(
    Object.keys(shown?.["properties"] as object).toSorted(),
  );
  const always = shown?.["required"] as readonly string[];
  for (const platform of ["win", "mac"] as const) {
    accepted({}, platform);
    const defaults = Object.keys(defaultProperties(platform));
    expect(defaults).toEqual(expect.arrayContaining([...always]));
    for (const { name, requires } of propertiesOf(platform)) {
      if (requires !== undefined) expect(defaults, name).toContain(requires.name);
    }
  }
  const only = (platform: Platform) => {
    const others = new Set(
      propertiesOf(platform === "win" ? "mac" : "win").map(({ name }) => name),
    );
    return propertiesOf(platform).flatMap(({ name }) => (others.has(name) ? [] : [name]));
  };
  expect(only("mac")).toEqual(["enable_ocr"]);
  expect(only("win")).toHaveLength(15);
});

test("members keep their order, independent of the order in the request", () => {
  const changed = change({ euj_dialog_timeout: 60, classifications: ["a".repeat(32)] });
  if (!("properties" in changed)) throw new Error("refused");
  expect(Object.keys(changed.properties)).toEqual(Object.keys(defaultProperties("win")));
  expect(changed.properties).toEqual({
    ...defaultProperties("win"),
    euj_dialog_timeout: 60,
    classifications: ["a".repeat(32)],
  });
});

test("null keeps a list, [] clears it", () => {
  const before = { classifications: ["a".repeat(32)] };
  expect(change({ classifications: null }, "mac", before)).toMatchObject({ properties: before });
  expect(change({ classifications: [] }, "mac", before)).toMatchObject({
    properties: { classifications: [] },
  });
});

test("properties of the other platform are rejected, all at once", () => {
  expect(
    problemsOf({ enable_screen_capture: false, enable_network_inspection: true }, "mac"),
  ).toEqual([
    "p.enable_screen_capture: enable_screen_capture is not a field of Data Protection mac policy",
    "p.enable_network_inspection: enable_network_inspection is not a field of Data Protection mac policy",
  ]);
  expect(problemsOf({ enable_ocr: true })).toEqual([
    "p.enable_ocr: enable_ocr is not a field of Data Protection win policy",
  ]);
  accepted(
    { browsers_without_active_extension: "block_policy", block_all_data_access: true },
    "mac",
  );
});

const needed: readonly (readonly [PropertiesInput, PropertiesInput])[] = [
  [{ similarity_threshold: "70" }, { similarity_detection: true }],
  [{ block_all_data_access: true }, { browsers_without_active_extension: "block_policy" }],
  [{ network_inspection_files_exceeding_size_limit: "block" }, { enable_network_inspection: true }],
  [{ network_inspection_exclude_list_v2: ["a.example"] }, { enable_network_inspection: true }],
  [{ evidence_encrypted_enabled: true }, { evidence_download_enabled: true }],
  [{ evidence_storage_free_disk_perc: 3 }, { evidence_download_enabled: true }],
  [{ evidence_storage_max_size: 3 }, { evidence_download_enabled: true }],
  [{ enable_screen_capture: true }, { evidence_download_enabled: true }],
  [
    { screen_capture_duration_pre_event: "5" },
    { enable_screen_capture: true, evidence_download_enabled: true },
  ],
  [
    { screen_capture_duration_post_event: "10" },
    { enable_screen_capture: true, evidence_download_enabled: true },
  ],
];

describe.each(needed)("%j needs %j", (property, requirement) => {
  const [name = ""] = Object.keys(property);
  const [required = ""] = Object.keys(requirement);

  test("is rejected without it, and accepted with it, in one request or in two", () => {
    const [problem, ...more] = problemsOf(property);
    expect(more).toEqual([]);
    expect(problem).toMatch(new RegExp(`^p\\.${name}: can differ from .* only with ${required} `));
    accepted({ ...property, ...requirement });
    accepted(property, "win", requirement);
  });

  test("the required property cannot be removed alone", () => {
    const [standard] = propertyTable.flatMap((each) => (each.name === required ? [each] : []));
    const off = { [required]: standard?.default } as PropertiesInput;
    const problems = problemsOf(off, "win", { ...property, ...requirement });
    expect(problems.join("\n")).toMatch(
      new RegExp(`p\\.${required}: must stay .* while ${name} differs from`),
    );
    const back = propertyTable.find((each) => each.name === name)?.default;
    const rest = Object.fromEntries(
      Object.keys(requirement)
        .filter((each) => each !== required)
        .map((each) => [each, propertyTable.find((entry) => entry.name === each)?.default]),
    );
    accepted({ ...off, [name]: back } as PropertiesInput, "win", {
      ...property,
      ...requirement,
      ...rest,
    });
  });
});

test.each([
  [{ enable_context_inspection: false, similarity_detection: true }, "similarity_detection"],
  [
    { enable_context_inspection: false, enable_clipboard_web_origin: true },
    "enable_clipboard_web_origin",
  ],
  [{ enable_content_inspection: false, inspection_depth: "deep_scan" }, "inspection_depth"],
  [{ enable_content_inspection: false, min_confidence_level: "high" }, "min_confidence_level"],
] as const)("%j reports %s", (input, blamed) => {
  expect(problemsOf(input)).toEqual([expect.stringMatching(new RegExp(`^p\\.${blamed}: `))]);
  accepted({ enable_context_inspection: false, enable_content_inspection: false });
});

test("text in images is read unless content inspection is off", () => {
  expect(problemsOf({ enable_content_inspection: false }, "mac")).toEqual([]);
  expect(problemsOf({ enable_content_inspection: false, enable_ocr: false }, "mac")).toEqual([
    "p.enable_ocr: can differ from true only with enable_content_inspection true; send that as well",
  ]);
});

test.each([
  ["be_splash_message_source", "be_splash_custom_message", "mac"],
  ["be_splash_message_source", "be_splash_custom_message", "win"],
  ["allow_notifications", "custom_allow_notification", "win"],
  ["block_notifications", "custom_block_notification", "win"],
] as const)("%s custom needs %s on %s", (source, text, platform) => {
  expect(problemsOf({ [source]: "custom" }, platform)).toEqual([
    `p.${source}: custom needs ${text}; send it as well`,
  ]);
  accepted({ [source]: "custom", [text]: "Ask first." }, platform);
  accepted({ [source]: "custom" }, platform, { [text]: "Ask first." });
  accepted({ [text]: "Ask first." }, platform);
  accepted({ [source]: "default" }, platform, { [source]: "custom", [text]: "Ask first." });
  accepted({ [text]: "1\n2\r\n3\r4" }, platform);
  expect(problemsOf({ [text]: "1\n2\n3\n4\n5" }, platform)).toEqual([
    `p.${text}: expected at most 4 lines, got 5`,
  ]);
});

test("custom notifications are only for Windows", () => {
  for (const source of ["allow_notifications", "block_notifications"] as const) {
    expect(problemsOf({ [source]: "custom" }, "mac")).toEqual([
      `p.${source}: custom is not a value of ${source} of Data Protection mac policy`,
    ]);
    accepted({ [source]: "default" }, "mac");
  }
});

test.each([
  [512, "Bytes"],
  [0.512, "KB"],
  [524_288_000, "Bytes"],
  [524.288, "MB"],
  [524_288, "KB"],
  [100, "MB"],
] as const)("files of %d %s can be the maximum to inspect", (size, unit) => {
  accepted({ max_file_size_to_inspect: size, max_file_size_to_inspect_unit: unit });
});

test.each([
  [511, "Bytes"],
  [0.5, "KB"],
  [524_288_001, "Bytes"],
  [524.289, "MB"],
  [104_857_600, "KB"],
] as const)("files of %d %s cannot", (size, unit) => {
  expect(
    problemsOf({ max_file_size_to_inspect: size, max_file_size_to_inspect_unit: unit }),
  ).toEqual([`p.max_file_size_to_inspect: expected 512 to 524288000 bytes, got ${size} ${unit}`]);
});

test("a unit without a size is checked with the stored size", () => {
  expect(problemsOf({ max_file_size_to_inspect_unit: "MB" })).toEqual([
    "p.max_file_size_to_inspect_unit: expected 512 to 524288000 bytes, got 104857600 MB",
  ]);
});

test("pasted content is measured in bytes, and the maximum is not below the minimum", () => {
  const sizes = (min: number, max: number, unit: "Bytes" | "KiB") => ({
    be_paste_clipboard_min_size: min,
    be_paste_clipboard_min_size_unit: unit,
    be_paste_clipboard_max_size: max,
    be_paste_clipboard_max_size_unit: unit,
  });
  accepted(sizes(0, 0, "Bytes"));
  accepted(sizes(64, 64, "KiB"));
  accepted(sizes(65_536, 65_536, "Bytes"));
  expect(problemsOf(sizes(1, 64.001, "KiB"))).toEqual([
    "p.be_paste_clipboard_max_size: expected 0 to 65536 bytes, got 64.001 KiB",
  ]);
  expect(problemsOf(sizes(65, 65, "KiB"))).toHaveLength(2);
  expect(problemsOf(sizes(2, 1, "KiB"))).toEqual([
    "p.be_paste_clipboard_max_size: be_paste_clipboard_max_size cannot be less than be_paste_clipboard_min_size, got 1 KiB and 2 KiB",
  ]);
  expect(problemsOf({ be_paste_clipboard_min_size: 65 })).toEqual([
    "p.be_paste_clipboard_min_size: be_paste_clipboard_max_size cannot be less than be_paste_clipboard_min_size, got 0.0625 KiB and 65 Bytes",
  ]);
});

const header = (text: string, own: boolean, selected: boolean) => ({
  header: text,
  default: own,
  selected,
});
const own = header(ownHeader, true, true);
const platformHeader = header("Why?", false, false);

test.each([
  ["the platform's own selected", [own, platformHeader], []],
  ["the tenant's selected", [header(ownHeader, true, false), header("Why?", false, true)], []],
  [
    "other words first",
    [header("Why?", true, true), platformHeader],
    [`.headers[0].header: invalid first header, expected "${ownHeader}"`],
  ],
  [
    "both said to be whose they are not",
    [header(ownHeader, false, true), header("Why?", true, false)],
    [
      ".headers[0].default: expected true, because the first header is the built-in one",
      ".headers[1].default: expected false, because the first header is the built-in one",
    ],
  ],
  [
    "both selected",
    [own, header("Why?", false, true)],
    [".headers: expected exactly one selected header, got 2"],
  ],
  [
    "none selected",
    [header(ownHeader, true, false), platformHeader],
    [".headers: expected exactly one selected header, got 0"],
  ],
])("headers with %s", (_, headers, expected) => {
  expect(problemsOf({ euj_header_text: { headers } })).toEqual(
    expected.map((problem) => `p.euj_header_text${problem}`),
  );
});

const option = (justification: string, id: string, standard: boolean, selected = true) => ({
  id,
  justification,
  default: standard,
  selected,
});
const business = option("Business purposes", "Business purposes", true);
const personal = option("Personal use", "Personal use", true);

test.each([
  ["the platform's own alone", [business, personal], []],
  [
    "four",
    [business, { ...personal, selected: false }, option("A", "", false), option("B", "", false)],
    [],
  ],
  [
    "the first two the other way round",
    [personal, business],
    [
      '[0].justification: expected "Business purposes", the built-in text',
      '[1].justification: expected "Personal use", the built-in text',
    ],
  ],
  [
    "defaults that are not theirs",
    [option("Business purposes", "", false), personal, option("A", "x", true)],
    [
      "[0].default: expected true; the first two are built in",
      "[2].default: expected false; the first two are built in",
    ],
  ],
  [
    "one selected",
    [business, { ...personal, selected: false }],
    [": expected at least 2 selected justifications, got 1"],
  ],
])("justifications with %s", (_, justifications, expected) => {
  expect(problemsOf({ euj_dropdown_options: { justifications } })).toEqual(
    expected.map((problem) => `p.euj_dropdown_options.justifications${problem}`),
  );
});

test("a logo is a PNG, and the empty text clears it", () => {
  const png =
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==";
  accepted({ euj_dialog_box_logo: png });
  expect(change({ euj_dialog_box_logo: "" }, "win", { euj_dialog_box_logo: png })).toMatchObject({
    properties: { euj_dialog_box_logo: "" },
  });
  expect(problemsOf({ euj_dialog_box_logo: "data:image/png;base64,R0lGODlh" })).toEqual([
    "p.euj_dialog_box_logo: the data is not a PNG",
  ]);
});
