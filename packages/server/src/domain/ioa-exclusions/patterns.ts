/**
 * Names of known indicator-of-attack patterns. For other patterns an exclusion keeps the name of the
 * request.
 */
const patterns: Readonly<Record<string, string>> = {
  "5701": "Enumeration of local accounts and groups",
  "5702": "Enumeration of installed software",
  "5703": "Enumeration of network shares",
  "5704": "Enumeration of domain trusts",
  "10112": "Credential material read from the security authority process",
  "10113": "Registry hives with credentials saved to a file",
  "10120": "Password store of a browser read by another program",
  "10187": "Program started from an office document",
  "10191": "Script host started by a mail attachment",
  "10260": "Encoded command line of a shell",
  "10261": "Download by a shell that runs what it fetched",
  "10317": "Scheduled task made by an unusual program",
  "10318": "Service installed from a user's folder",
  "10402": "Event log cleared",
  "10403": "Sensor or firewall settings changed",
  "10511": "Remote execution by an administration tool",
  "10512": "Lateral movement over a remote desktop session",
  "41005": "Shadow copies touched by an unusual program",
  "41006": "Backup catalogue deleted",
  "41007": "Boot recovery switched off",
  "41021": "Many files renamed by one program",
  "50210": "Reverse shell from a web server process",
  "50211": "Kernel module loaded from a writable folder",
  "50305": "Login item added by a script",
};

/** The name of a known pattern. */
export const patternName = (id: string): string | undefined =>
  Object.hasOwn(patterns, id) ? patterns[id] : undefined;
