import { contentPatterns, type ContentPattern } from "../domain/data-protection/kinds.ts";
import { addedAt, predefinedId } from "./data-protection-origin.ts";
import type { SharedEntry } from "./entries.ts";

type Facts = Pick<ContentPattern, "category" | "description" | "example" | "region" | "regexes"> & {
  readonly threshold?: number;
};

const pii = { category: "PII", region: "ALL" } as const;
const phi = { category: "PHI", region: "ALL" } as const;
const card = { category: "PCI DSS", region: "ALL" } as const;
const secret = { category: "Secret", region: "ALL" } as const;
const itar = { category: "ITAR", region: "US" } as const;

/** The patterns by name. Numbers are recognised by their format; check digits are not verified. */
const patterns: Readonly<Record<string, Facts>> = {
  "Credit card number": {
    ...card,
    description: "Numbers of payment cards, four groups of four digits",
    regexes: [String.raw`\b[2-6][0-9]{3}[ -]?[0-9]{4}[ -]?[0-9]{4}[ -]?[0-9]{4}\b`],
    example: "4111 1111 1111 1111",
  },
  "American Express card number": {
    ...card,
    description: "Numbers of American Express cards, which have fifteen digits",
    regexes: [String.raw`\b3[47][0-9]{2}[ -]?[0-9]{6}[ -]?[0-9]{5}\b`],
    example: "3782 822463 10005",
  },
  "Card verification code": {
    ...card,
    description: "The code on the back of a payment card, where it is named",
    regexes: [String.raw`(?i)\b(?:cvv2?|cvc2?|security code)[ :=]{1,3}[0-9]{3,4}\b`],
    example: "CVV: 123",
  },
  "Card expiry date": {
    ...card,
    description: "Until when a payment card is valid, where it is named",
    regexes: [
      String.raw`(?i)\b(?:exp(?:iry|ires|\.)?|valid thru)[ :=]{1,3}(?:0[1-9]|1[0-2])[/-](?:20)?[0-9]{2}\b`,
    ],
    example: "Expires: 09/27",
  },
  "Magnetic stripe data": {
    ...card,
    description: "What the first and second track of a payment card's stripe hold",
    regexes: [
      String.raw`%B[0-9]{12,19}\^[^^?]{2,26}\^[0-9]{7}`,
      String.raw`;[0-9]{12,19}=[0-9]{7,20}\?`,
    ],
    example: ";4111111111111111=27091011234567890?",
  },
  IBAN: {
    ...pii,
    description: "International bank account numbers",
    regexes: [String.raw`\b[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b`],
    example: "DE89 3704 0044 0532 0130 00",
  },
  "SWIFT code": {
    ...pii,
    description: "Codes of banks in international payments, where they are named",
    regexes: [String.raw`(?i)\b(?:swift|bic)[ :=]{1,3}[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?\b`],
    example: "BIC: COBADEFFXXX",
  },
  "E-mail addresses in bulk": {
    ...pii,
    description: "Five or more addresses of electronic mail",
    regexes: [
      String.raw`\b[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{2,63}){1,4}\b`,
    ],
    threshold: 5,
    example: "a@example.com b@example.com c@example.org d@example.net e@example.com",
  },
  "Date of birth": {
    ...pii,
    description: "Dates on which people were born, where that is said",
    regexes: [
      String.raw`(?i)\b(?:date of birth|born(?: on)?|dob)[ :=]{1,3}(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}[./-][0-9]{1,2}[./-][0-9]{2,4})\b`,
    ],
    example: "Date of birth: 1984-05-17",
  },
  "International telephone number": {
    ...pii,
    description: "Telephone numbers with the code of their country",
    regexes: [String.raw`\+[1-9][0-9]{0,2}(?:[ .-]?\(?[0-9]{2,4}\)?){2,5}\b`],
    example: "+44 20 7946 0958",
  },
  "Passport number": {
    ...pii,
    description: "Numbers of passports, where they are named",
    regexes: [String.raw`(?i)\bpassport(?: (?:no|number)\.?)?[ :=#]{1,3}[A-Z0-9]{2}[0-9]{5,7}\b`],
    example: "Passport no: C1234567",
  },
  "IPv4 addresses in bulk": {
    ...pii,
    description: "Ten or more addresses of the internet protocol, version 4",
    regexes: [
      String.raw`\b(?:(?:25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})\.){3}(?:25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})\b`,
    ],
    threshold: 10,
    example: Array.from({ length: 10 }, (_, index) => `192.0.2.${index + 1}`).join(" "),
  },
  "US social security number": {
    ...pii,
    region: "US",
    description: "Numbers of social security in the United States, written in three groups",
    regexes: [
      String.raw`\b(?:00[1-9]|0[1-9][0-9]|[1-5][0-9]{2}|6[0-57-9][0-9]|66[0-57-9]|[78][0-9]{2})-(?:0[1-9]|[1-9][0-9])-(?:000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})\b`,
    ],
    example: "078-05-1120",
  },
  "US individual taxpayer number": {
    ...pii,
    region: "US",
    description: "Numbers of taxpayers in the United States who have no social security number",
    regexes: [String.raw`\b9[0-9]{2}-(?:5[0-9]|6[0-5]|7[0-9]|8[0-8]|9[0-24-9])-[0-9]{4}\b`],
    example: "912-70-1234",
  },
  "US employer number": {
    ...pii,
    region: "US",
    description:
      "Numbers of employers at the tax office of the United States, where they are named",
    regexes: [
      String.raw`(?i)\b(?:ein|employer identification number)[ :=#]{1,3}[0-9]{2}-[0-9]{7}\b`,
    ],
    example: "EIN: 12-3456789",
  },
  "US bank routing number": {
    ...pii,
    region: "US",
    description: "Numbers of banks in the United States, where they are named",
    regexes: [String.raw`(?i)\b(?:routing|aba)(?: (?:no|number))?[ :=#.]{1,3}[0-3][0-9]{8}\b`],
    example: "Routing number: 021000021",
  },
  "California driver licence": {
    ...pii,
    region: "US",
    description: "Numbers of driver licences of California, where they are named",
    regexes: [
      String.raw`(?i)\b(?:driver'?s? licen[cs]e|dl)(?: (?:no|number))?[ :=#.]{1,3}[A-Z][0-9]{7}\b`,
    ],
    example: "Driver license: D1234567",
  },
  "Canadian social insurance number": {
    ...pii,
    region: "CANADA",
    description: "Numbers of social insurance in Canada, written in three groups",
    regexes: [String.raw`\b[1-79][0-9]{2}[ -][0-9]{3}[ -][0-9]{3}\b`],
    example: "130 692 544",
  },
  "UK national insurance number": {
    ...pii,
    region: "UK",
    description: "Numbers of national insurance in the United Kingdom",
    regexes: [
      String.raw`\b[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-D]\b`,
    ],
    example: "AB 12 34 56 C",
  },
  "UK sort code and account": {
    ...pii,
    region: "UK",
    description: "A bank's sort code, and the account's number after it",
    regexes: [String.raw`\b[0-9]{2}-[0-9]{2}-[0-9]{2}[ ,;/]{1,3}[0-9]{8}\b`],
    example: "20-00-00 55779911",
  },
  "German tax number": {
    ...pii,
    region: "EU",
    description: "Numbers of taxpayers in Germany, where they are named",
    regexes: [
      String.raw`(?i)\b(?:steuer-?id(?:nr)?|idnr)[ :.=]{1,3}[1-9][0-9] ?[0-9]{3} ?[0-9]{3} ?[0-9]{3}\b`,
    ],
    example: "Steuer-ID: 65 929 970 489",
  },
  "German pension insurance number": {
    ...pii,
    region: "EU",
    description: "Numbers of pension insurance in Germany",
    regexes: [
      String.raw`\b[0-9]{2} ?(?:0[1-9]|[12][0-9]|3[01])(?:0[1-9]|1[0-2])[0-9]{2} ?[A-Z] ?[0-9]{3}\b`,
    ],
    example: "15 070649 C 103",
  },
  "French social security number": {
    ...pii,
    region: "EU",
    description: "Numbers of social security in France",
    regexes: [
      String.raw`\b[12] ?[0-9]{2} ?(?:0[1-9]|1[0-2]) ?(?:[0-9]{2}|2[AB]) ?[0-9]{3} ?[0-9]{3} ?[0-9]{2}\b`,
    ],
    example: "2 55 08 14 168 025 38",
  },
  "Italian tax code": {
    ...pii,
    region: "EU",
    description: "Codes of taxpayers in Italy",
    regexes: [String.raw`\b[A-Z]{6}[0-9]{2}[A-EHLMPRST][0-9]{2}[A-Z][0-9]{3}[A-Z]\b`],
    example: "RSSMRA85T10A562S",
  },
  "Spanish identity number": {
    ...pii,
    region: "EU",
    description: "Numbers of identity cards of citizens and foreigners in Spain",
    regexes: [String.raw`\b(?:[0-9]{8}|[XYZ][0-9]{7})-?[A-HJ-NP-TV-Z]\b`],
    example: "12345678Z",
  },
  "Dutch citizen service number": {
    ...pii,
    region: "EU",
    description: "Numbers of citizens in the Netherlands, where they are named",
    regexes: [String.raw`(?i)\b(?:bsn|burgerservicenummer)[ :=]{1,3}[0-9]{9}\b`],
    example: "BSN: 111222333",
  },
  "Swedish personal number": {
    ...pii,
    region: "EU",
    description: "Numbers of people in Sweden",
    regexes: [
      String.raw`\b(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])[-+][0-9]{4}\b`,
    ],
    example: "19811218-9876",
  },
  "Polish identity number": {
    ...pii,
    region: "EU",
    description: "Numbers of people in Poland, where they are named",
    regexes: [String.raw`(?i)\bpesel[ :=]{1,3}[0-9]{11}\b`],
    example: "PESEL: 44051401359",
  },
  "Swiss insurance number": {
    ...pii,
    region: "SWITZERLAND",
    description: "Numbers of old-age insurance in Switzerland",
    regexes: [String.raw`\b756\.[0-9]{4}\.[0-9]{4}\.[0-9]{2}\b`],
    example: "756.9217.0769.85",
  },
  "Indian identity number": {
    ...pii,
    region: "INDIA",
    description: "Twelve-digit numbers of residents of India, written in three groups",
    regexes: [String.raw`\b[2-9][0-9]{3}[ -][0-9]{4}[ -][0-9]{4}\b`],
    example: "2345 6789 0123",
  },
  "Indian tax account number": {
    ...pii,
    region: "INDIA",
    description: "Permanent account numbers of taxpayers in India",
    regexes: [String.raw`\b[A-Z]{3}[ABCFGHJLPT][A-Z][0-9]{4}[A-Z]\b`],
    example: "ABCPE1234F",
  },
  "Australian tax file number": {
    ...pii,
    region: "AUSTRALIA",
    description: "Numbers of taxpayers in Australia, where they are named",
    regexes: [
      String.raw`(?i)\b(?:tfn|tax file (?:no|number))[ :.=]{1,3}[0-9]{3} ?[0-9]{3} ?[0-9]{2,3}\b`,
    ],
    example: "TFN: 123 456 782",
  },
  "Brazilian taxpayer number": {
    ...pii,
    region: "BRAZIL",
    description: "Numbers of taxpayers in Brazil",
    regexes: [String.raw`\b[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}\b`],
    example: "529.982.247-25",
  },
  "Medical record number": {
    ...phi,
    description: "Numbers under which a hospital keeps a patient's record, where they are named",
    regexes: [
      String.raw`(?i)\b(?:mrn|medical record(?: (?:no|number))?)[ :=#.]{1,3}[A-Z]{0,2}[0-9]{6,10}\b`,
    ],
    example: "MRN: 00482915",
  },
  "Diagnosis code": {
    ...phi,
    description: "Three or more codes of diseases, tenth revision, with a decimal",
    regexes: [String.raw`\b[A-TV-Z][0-9][0-9AB]\.[0-9A-TV-Z]{1,4}\b`],
    threshold: 3,
    example: "E11.9 and I10.0, later J45.901",
  },
  "US health plan number": {
    ...phi,
    region: "US",
    description: "Numbers of the insured of the health plan of the United States",
    regexes: [
      String.raw`\b[1-9][AC-HJKMNP-RT-Y][0-9AC-HJKMNP-RT-Y][0-9]-?[AC-HJKMNP-RT-Y][0-9AC-HJKMNP-RT-Y][0-9]-?[AC-HJKMNP-RT-Y]{2}[0-9]{2}\b`,
    ],
    example: "1EG4-TE5-MK73",
  },
  "UK health service number": {
    ...phi,
    region: "UK",
    description: "Numbers of patients in the United Kingdom, where they are named",
    regexes: [
      String.raw`(?i)\bnhs(?: (?:no|number))?[ :=#.]{1,3}[0-9]{3}[ -]?[0-9]{3}[ -]?[0-9]{4}\b`,
    ],
    example: "NHS number: 943 476 5919",
  },
  "National drug code": {
    ...phi,
    region: "US",
    description: "Codes of medicines in the United States, where they are named",
    regexes: [String.raw`(?i)\bndc[ :=#]{1,3}[0-9]{4,5}-[0-9]{3,4}-[0-9]{1,2}\b`],
    example: "NDC: 0777-3105-02",
  },
  "Export control marking": {
    ...itar,
    description: "Notices that a document is under the export control of the United States",
    regexes: [
      String.raw`(?i)\bITAR[ -](?:controlled|restricted)\b`,
      String.raw`(?i)\bsubject to (?:the )?international traffic in arms regulations\b`,
      String.raw`(?i)\b22 CFR (?:parts? )?12[0-9]`,
    ],
    example: "ITAR-controlled: do not release to foreign persons",
  },
  "Munitions list category": {
    ...itar,
    description: "Categories of the list of arms of the United States",
    regexes: [
      String.raw`\bUSML,? (?:Category|Cat\.?) (?:X{1,2}(?:I[XV]|V?I{0,3})|I[XV]|VI{0,3}|I{1,3})\b`,
    ],
    example: "USML Category XI",
  },
  "Distribution statement": {
    ...itar,
    description: "Statements of the United States that limit who may have a document",
    regexes: [String.raw`(?i)\bdistribution statement [B-F]\b`],
    example: "DISTRIBUTION STATEMENT D",
  },
  "Private key": {
    ...secret,
    description: "The first line of a private key as text",
    regexes: [String.raw`-----BEGIN (?:(?:RSA|EC|DSA|OPENSSH|ENCRYPTED) )?PRIVATE KEY-----`],
    example: `-----BEGIN ${"PRIVATE"} KEY-----`,
  },
  "AWS access key": {
    ...secret,
    description: "Identifiers of access keys of Amazon Web Services",
    regexes: [String.raw`\b(?:AKIA|ASIA)[A-Z2-7]{16}\b`],
    example: "AKIAIOSFODNN7EXAMPLE",
  },
  "Google API key": {
    ...secret,
    description: "Keys to interfaces of Google",
    regexes: [String.raw`\bAIza[0-9A-Za-z_-]{35}\b`],
    example: `AIza${"0".repeat(35)}`,
  },
  "GitHub token": {
    ...secret,
    description: "Tokens of users and applications of GitHub",
    regexes: [
      String.raw`\bgh[pousr]_[A-Za-z0-9]{36}\b`,
      String.raw`\bgithub_pat_[A-Za-z0-9_]{82}\b`,
    ],
    example: `ghp_${"0".repeat(36)}`,
  },
  "Slack token": {
    ...secret,
    description: "Tokens of users and bots of Slack",
    regexes: [String.raw`\bxox[abeprs]-[0-9A-Za-z-]{10,72}\b`],
    example: `xoxb-${"0".repeat(24)}`,
  },
  "JSON web token": {
    ...secret,
    description: "Signed tokens of three parts",
    regexes: [String.raw`\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+`],
    example: "eyJhbGciOiJub25lIn0.eyJzdWIiOiJleGFtcGxlIn0.c2lnbmF0dXJl",
  },
  "Password in an address": {
    ...secret,
    description: "Addresses of databases and sites that have a password in them",
    regexes: [String.raw`\b[a-z][a-z0-9+.-]{1,20}://[^\s:/@]{1,64}:[^\s:/@]{3,128}@[^\s/]{3,253}`],
    example: "postgres://reports:not-a-password@db.example.com/reports",
  },
  "Password in a configuration": {
    ...secret,
    description: "Passwords and keys that a configuration sets to a text",
    regexes: [
      String.raw`(?i)\b(?:password|passwd|secret|api[_-]?key|access[_-]?token)["']?[ \t]{0,4}[:=][ \t]{0,4}["'][^"'\s]{8,128}["']`,
    ],
    example: 'password = "not-a-password"',
  },
};

/** Patterns of common sensitive data. Classifications refer to them. They are read-only. */
export const predefinedContentPatterns: SharedEntry<ContentPattern> = {
  resource: contentPatterns.resource,
  records: () => Object.entries(patterns).map(([name, facts]) => predefined(name, facts)),
};

function predefined(name: string, { threshold = 1, ...facts }: Facts): ContentPattern {
  return {
    id: predefinedId("content-pattern", name),
    name,
    description: facts.description,
    type: "predefined",
    category: facts.category,
    region: facts.region,
    regexes: facts.regexes,
    min_match_threshold: threshold,
    example: facts.example,
    deleted: false,
    ...addedAt,
  };
}
