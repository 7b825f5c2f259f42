import { canonicalInstant } from "@security-platform/fql";
import { isMailAddress } from "./mail-address.ts";

type TextCheck = (text: string) => boolean;

const always: TextCheck = () => true;
const matches =
  (pattern: RegExp): TextCheck =>
  (text) =>
    pattern.test(text);

const word = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+";
const label = "[a-z0-9]+(?:-+[a-z0-9]+)*";
const mailAddress = new RegExp(`^${word}(?:\\.${word})*@(?:${label}\\.)+${label}$`, "i");

/** RFC 3986: the letters of a user or host, of a path, and of a query or fragment. */
const [ofHost, ofPath, ofQuery] = ["", ":@/", ":@/?"].map(
  (more) => `(?:[\\w\\-.~!$&'()*+,;=${more}]|%[0-9a-f]{2})`,
) as [string, string, string];
const user = `(?:${ofHost}|:)*@`;
const host = `(?:\\[[0-9a-f:.]+\\]|${ofHost}*)`;
const authority = `//(?:${user})?${host}(?::\\d*)?(?:/${ofPath}*)?`;
const path = `(?:/(?!/)${ofPath}*|(?!/)${ofPath}+)`;
const uri = new RegExp(
  `^[a-z][a-z0-9+.-]*:(?:${authority}|${path})(?:\\?${ofQuery}*)?(?:#${ofQuery}*)?$`,
  "i",
);

/** The formats of the document. What is accepted must be readable by the parsers of the platform. */
const formats: Readonly<Record<string, TextCheck>> = {
  "date-time": (text) => canonicalInstant(text) !== null,
  email: (text) => mailAddress.test(text) && isMailAddress(text),
  // The parser judges what stands in the brackets of an address.
  uri: (text) => uri.test(text) && URL.canParse(text),
  uuid: matches(/^(?:urn:uuid:)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i),
  // These say how a value is used; every text is one.
  password: always,
  binary: always,
};

/** Undefined for an unknown format. */
export const formatCheck = (name: string): TextCheck | undefined =>
  Object.hasOwn(formats, name) ? formats[name] : undefined;
