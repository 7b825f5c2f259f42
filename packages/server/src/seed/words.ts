/** Parts of generated names. Every domain ends in a name reserved for examples. */
export const qualities = [
  "amber",
  "brisk",
  "cobalt",
  "dusk",
  "early",
  "fallow",
  "gilded",
  "hollow",
  "inland",
  "jade",
  "keen",
  "lunar",
  "mellow",
  "north",
  "opal",
  "pale",
  "quiet",
  "russet",
  "silver",
  "tidal",
] as const;

export const things = [
  "anchor",
  "beacon",
  "cedar",
  "delta",
  "ember",
  "ferry",
  "garnet",
  "harbour",
  "island",
  "juniper",
  "kestrel",
  "lantern",
  "meadow",
  "nimbus",
  "orchard",
  "pylon",
  "quarry",
  "raven",
  "summit",
  "thicket",
] as const;

export const services = [
  "cdn",
  "login",
  "mail",
  "updates",
  "static",
  "api",
  "files",
  "sync",
  "portal",
  "assets",
] as const;

export const families = [
  "Emberfall",
  "Tidewrack",
  "Greylatch",
  "Mossback",
  "Quillfox",
  "Saltmarsh",
  "Brindle",
  "Corvid",
] as const;

export const malwareKinds = [
  "ransomware",
  "loader",
  "stealer",
  "backdoor",
  "wiper",
  "miner",
  "dropper",
] as const;

export const sources = [
  "Incident 2026-014",
  "Incident 2026-021",
  "Threat exchange",
  "Partner feed",
  "Hunting team",
  "Mail gateway",
  "Sandbox",
] as const;

/** Common programs, by platform. */
export const programs = {
  Windows: [
    ["explorer.exe", "C:\\Windows\\explorer.exe"],
    ["svchost.exe", "C:\\Windows\\System32\\svchost.exe -k netsvcs"],
    ["powershell.exe", "powershell.exe -NoProfile -File C:\\Scripts\\inventory.ps1"],
    ["cmd.exe", "cmd.exe /c dir C:\\Users"],
    ["teams.exe", "C:\\Program Files\\Teams\\teams.exe --background"],
    ["backup-agent.exe", "C:\\Program Files\\Backup\\backup-agent.exe run --daily"],
  ],
  Linux: [
    ["bash", "/bin/bash -l"],
    ["sshd", "/usr/sbin/sshd -D"],
    ["python3", "/usr/bin/python3 /opt/jobs/rotate.py"],
    ["curl", "/usr/bin/curl -fsSL https://packages.example/index.json"],
  ],
  Mac: [
    ["Safari", "/Applications/Safari.app/Contents/MacOS/Safari"],
    ["mdworker", "/System/Library/Frameworks/mdworker -s mdworker"],
    ["zsh", "/bin/zsh -l"],
  ],
} as const;

/** Malicious programs, by platform. */
export const unwantedRuns = {
  Windows: [
    "invoice-viewer.exe",
    "updater.exe",
    "chrome_helper.exe",
    "scan0042.exe",
    "setup-free.exe",
    "readme.pdf.exe",
  ],
  Linux: ["helper", "syslogd-next", "kworkerd"],
  Mac: ["helper", "Updater", "invoice-viewer"],
} as const;

/** File names of file indicators. */
export const unwantedPrograms = [...unwantedRuns.Windows, "helper", "syslogd-next"] as const;

export const people = [
  "a.larsen",
  "b.okafor",
  "c.moreau",
  "d.silva",
  "e.novak",
  "f.haddad",
  "g.tanaka",
  "h.weber",
] as const;

/** Accounts that processes run as, by platform. */
export const accounts = {
  Windows: [...people, "SYSTEM", "SYSTEM"],
  Linux: ["root", "root", "svc-backup", "b.okafor", "e.novak"],
  Mac: [...people, "root"],
} as const;

export const departments = [
  "Finance",
  "Sales",
  "Research",
  "Operations",
  "Human Resources",
  "Legal",
  "Executives",
] as const;

/** Sites of hosts. */
export const sites = [
  { code: "HAM", name: "Hamburg" },
  { code: "LIS", name: "Lisbon" },
  { code: "OSL", name: "Oslo" },
  { code: "GDN", name: "Gdansk" },
  { code: "MRS", name: "Marseille" },
  { code: "GOA", name: "Genoa" },
  { code: "CPH", name: "Copenhagen" },
  { code: "ANR", name: "Antwerp" },
  { code: "RTM", name: "Rotterdam" },
  { code: "BIO", name: "Bilbao" },
  { code: "CRK", name: "Cork" },
  { code: "BGO", name: "Bergen" },
  { code: "TLL", name: "Tallinn" },
  { code: "RIX", name: "Riga" },
  { code: "SPU", name: "Split" },
  { code: "PIR", name: "Piraeus" },
  { code: "VLC", name: "Valencia" },
  { code: "NAP", name: "Naples" },
  { code: "YHZ", name: "Halifax" },
  { code: "BOS", name: "Boston" },
  { code: "SAV", name: "Savannah" },
  { code: "YOK", name: "Yokohama" },
  { code: "PUS", name: "Busan" },
  { code: "AKL", name: "Auckland" },
] as const;

export const benignDomains = [
  "intranet.example",
  "packages.example",
  "mail.example.org",
  "calendar.example.org",
  "time.example.net",
  "updates.example.com",
  "docs.example.com",
  "crl.example.net",
] as const;

export const firstNames = [
  "Mara",
  "Tomas",
  "Ines",
  "Priya",
  "Jonas",
  "Aylin",
  "Kofi",
  "Lena",
  "Mateo",
  "Noor",
  "Oskar",
  "Ruth",
] as const;

export const lastNames = [
  "Lindqvist",
  "Okafor",
  "Duarte",
  "Raman",
  "Berger",
  "Kaya",
  "Mensah",
  "Novak",
  "Rossi",
  "Hassan",
  "Virtanen",
  "Whitlock",
] as const;
