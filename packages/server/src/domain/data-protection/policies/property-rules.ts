/** Rules for policy properties that the schema of the document cannot express. Each function is one rule. */
import {
  propertiesOf,
  type Platform,
  type Properties,
  type PropertyName,
} from "./property-table.ts";

/** A problem of the properties. */
export interface Finding {
  /** The properties involved. The error names the first of them that the request contains. */
  readonly names: readonly [PropertyName, ...PropertyName[]];
  /** The place inside the property, such as `.headers[0].header`. */
  readonly inside?: string;
  readonly message: string;
}

type Rule = (properties: Properties, platform: Platform) => readonly Finding[];

/** Texts for end users, each with the property that selects the custom text or the platform's text. */
const texts = [
  ["be_splash_message_source", "be_splash_custom_message"],
  ["allow_notifications", "custom_allow_notification"],
  ["block_notifications", "custom_block_notification"],
] as const;

const linesOfText = 4;

const textRule: Rule = (properties, platform) =>
  texts.flatMap(([source, name]): readonly Finding[] => {
    const text = properties[name];
    const custom = properties[source] === "custom";
    if (custom && !propertiesOf(platform).some((property) => property.name === name)) {
      const message = `custom is not a value of ${source} of Data Protection ${platform} policy`;
      return [{ names: [source], message }];
    }
    if (custom && text === undefined) {
      return [{ names: [source], message: `custom needs ${name}; send it as well` }];
    }
    const lines = (text ?? "").split(/\r\n|\r|\n/).length;
    if (lines <= linesOfText) return [];
    const message = `expected at most ${linesOfText} lines, got ${lines}`;
    return [{ names: [name], message }];
  });

const bytesOfUnit = { Bytes: 1, KB: 1_000, MB: 1_000_000, KiB: 1_024 } as const;

/** Rounded to a millionth of a byte, because binary numbers cannot represent 0.1 KiB exactly. */
const bytesOf = (size: number, unit: keyof typeof bytesOfUnit): number =>
  Math.round(size * bytesOfUnit[unit] * 1e6) / 1e6;

const inspectedFrom = 512;
const inspectedTo = 524_288_000;

const fileSizeRule: Rule = ({
  max_file_size_to_inspect: size,
  max_file_size_to_inspect_unit: unit,
}) => {
  const bytes = bytesOf(size, unit);
  if (bytes >= inspectedFrom && bytes <= inspectedTo) return [];
  const message = `expected ${inspectedFrom} to ${inspectedTo} bytes, got ${size} ${unit}`;
  return [{ names: ["max_file_size_to_inspect", "max_file_size_to_inspect_unit"], message }];
};

const pastedTo = 65_536;

const pasteSizeRule: Rule = (properties) => {
  const sizes = (["min", "max"] as const).map((end) => {
    const name = `be_paste_clipboard_${end}_size` as const;
    const unitName = `${name}_unit` as const;
    const sizeText = `${properties[name]} ${properties[unitName]}`;
    return {
      name,
      unitName,
      sizeText,
      bytes: bytesOf(properties[name], properties[unitName]),
    };
  });
  const tooLarge = sizes
    .filter(({ bytes }) => bytes > pastedTo)
    .map(({ name, unitName, sizeText }) => ({
      names: [name, unitName] as const,
      message: `expected 0 to ${pastedTo} bytes, got ${sizeText}`,
    }));
  const [least, most] = sizes;
  if (tooLarge.length > 0 || least === undefined || most === undefined) return tooLarge;
  if (least.bytes <= most.bytes) return [];
  const message = `be_paste_clipboard_max_size cannot be less than be_paste_clipboard_min_size, got ${most.sizeText} and ${least.sizeText}`;
  return [{ names: [most.name, most.unitName, least.name, least.unitName], message }];
};

/** The platform's text above the list of justifications. */
export const ownHeader = "Your organization asks you to justify this action.";

const headerRule: Rule = ({ euj_header_text }) => {
  if (euj_header_text === undefined) return [];
  const wrong = (inside: string, message: string): Finding => ({
    names: ["euj_header_text"],
    inside,
    message,
  });
  const { headers } = euj_header_text;
  const findings = headers.flatMap((header, index): readonly Finding[] => {
    const own = index === 0;
    const at = `.headers[${index}]`;
    if (own && header.header !== ownHeader) {
      return [wrong(`${at}.header`, `invalid first header, expected "${ownHeader}"`)];
    }
    if (header.default === own) return [];
    return [
      wrong(`${at}.default`, `expected ${own}, because the first header is the built-in one`),
    ];
  });
  const selected = headers.filter((header) => header.selected).length;
  if (selected === 1) return findings;
  return [...findings, wrong(".headers", `expected exactly one selected header, got ${selected}`)];
};

/** The platform's justifications. */
export const ownJustifications: readonly string[] = ["Business purposes", "Personal use"];

const selectedJustifications = 2;

const justificationRule: Rule = ({ euj_dropdown_options }) => {
  if (euj_dropdown_options === undefined) return [];
  const wrong = (inside: string, message: string): Finding => ({
    names: ["euj_dropdown_options"],
    inside: `.justifications${inside}`,
    message,
  });
  const { justifications } = euj_dropdown_options;
  const findings = justifications.flatMap((option, index): readonly Finding[] => {
    const own = ownJustifications[index];
    const at = `[${index}]`;
    if (own !== undefined && option.justification !== own) {
      return [wrong(`${at}.justification`, `expected "${own}", the built-in text`)];
    }
    return [
      ...(own === undefined || option.id === own ? [] : [wrong(`${at}.id`, `expected "${own}"`)]),
      ...(option.default === (own !== undefined)
        ? []
        : [wrong(`${at}.default`, `expected ${own !== undefined}; the first two are built in`)]),
    ];
  });
  const selected = justifications.filter((option) => option.selected).length;
  if (selected >= selectedJustifications) return findings;
  const message = `expected at least ${selectedJustifications} selected justifications, got ${selected}`;
  return [...findings, wrong("", message)];
};

/** The signature of a PNG file. */
const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const logoRule: Rule = ({ euj_dialog_box_logo: logo }) => {
  if (logo === "") return [];
  const data = Buffer.from(logo.slice(logo.indexOf(",") + 1), "base64");
  if (data.subarray(0, pngSignature.length).equals(pngSignature)) return [];
  return [{ names: ["euj_dialog_box_logo"], message: "the data is not a PNG" }];
};

/** All rules. */
export const propertyRules: readonly Rule[] = [
  textRule,
  fileSizeRule,
  pasteSizeRule,
  headerRule,
  justificationRule,
  logoRule,
];
