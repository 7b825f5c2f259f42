/** A kind of secret with a known format. */
export interface SecretPattern {
  /** Appears as `RegexName` in inventories and as `Name` of detections. */
  readonly name: string;
  /** A text that every match contains. It is searched for first, because that is much faster. */
  readonly contains: readonly string[];
  /**
   * Matches in linear time: no nested repetition. The first group is the secret, if there is one.
   */
  readonly pattern: RegExp;
}

export const secretPatterns: readonly SecretPattern[] = [
  {
    name: "private-key",
    contains: ["PRIVATE KEY"],
    pattern: /-----BEGIN (?:[A-Z0-9]{1,20} ){0,2}PRIVATE KEY(?: BLOCK)?-----/g,
  },
  {
    name: "aws-access-key-id",
    contains: ["AKIA", "ASIA"],
    pattern: /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/g,
  },
  {
    name: "github-token",
    contains: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"],
    pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,251}|github_pat_[A-Za-z0-9_]{82})\b/g,
  },
  { name: "gitlab-token", contains: ["glpat-"], pattern: /\bglpat-[A-Za-z0-9_-]{20,64}/g },
  { name: "slack-token", contains: ["xox"], pattern: /\bxox[abeprs]-[0-9A-Za-z-]{20,255}/g },
  {
    name: "slack-webhook",
    contains: ["hooks.slack.com"],
    pattern: /hooks\.slack\.com\/services\/T[A-Z0-9]{8,12}\/B[A-Z0-9]{8,12}\/[A-Za-z0-9]{20,32}/g,
  },
  {
    name: "stripe-key",
    contains: ["sk_live_", "rk_live_"],
    pattern: /\b[rs]k_live_[A-Za-z0-9]{20,247}\b/g,
  },
  { name: "google-api-key", contains: ["AIza"], pattern: /\bAIza[0-9A-Za-z_-]{35}(?![\w-])/g },
  { name: "npm-token", contains: ["npm_"], pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  {
    name: "pypi-token",
    contains: ["pypi-AgEIcHlwaS5vcmc"],
    pattern: /\bpypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,1000}/g,
  },
  { name: "docker-token", contains: ["dckr_pat_"], pattern: /\bdckr_pat_[A-Za-z0-9_-]{27}/g },
  {
    name: "sendgrid-token",
    contains: ["SG."],
    pattern: /\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}/g,
  },
  {
    name: "model-api-token",
    contains: ["sk-proj-", "sk-ant-"],
    pattern: /\bsk-(?:proj|ant)-[A-Za-z0-9_-]{32,255}/g,
  },
  {
    name: "azure-storage-token",
    contains: ["AccountKey="],
    pattern: /\bAccountKey=([A-Za-z0-9+/]{86}==)/g,
  },
  {
    name: "jwt",
    contains: ["eyJ"],
    pattern: /\beyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{20,2000}/g,
  },
  {
    name: "password-in-url",
    contains: ["://"],
    pattern:
      /\b(?:postgres|postgresql|mysql|mariadb|mongodb|mongodb\+srv|redis|rediss|amqp|amqps|ftp|https?):\/\/[A-Za-z0-9._%+-]{1,64}:([^\s:@/"'`<>{}$]{6,128})@[A-Za-z0-9[]/g,
  },
];
