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

/** Families of malware with their kinds. */
export const families = [
  { name: "Emberfall", kind: "ransomware" },
  { name: "Tidewrack", kind: "wiper" },
  { name: "Greylatch", kind: "loader" },
  { name: "Mossback", kind: "miner" },
  { name: "Quillfox", kind: "stealer" },
  { name: "Saltmarsh", kind: "backdoor" },
  { name: "Brindle", kind: "dropper" },
  { name: "Corvid", kind: "stealer" },
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
  "b.olsen",
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
  Linux: ["root", "root", "svc-backup", "b.olsen", "e.novak"],
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

/** Sites of hosts. `offset`: difference of the standard time from UTC. */
export const sites = [
  { code: "HAM", name: "Hamburg", offset: "+01:00" },
  { code: "LIS", name: "Lisbon", offset: "+00:00" },
  { code: "OSL", name: "Oslo", offset: "+01:00" },
  { code: "GDN", name: "Gdansk", offset: "+01:00" },
  { code: "MRS", name: "Marseille", offset: "+01:00" },
  { code: "GOA", name: "Genoa", offset: "+01:00" },
  { code: "CPH", name: "Copenhagen", offset: "+01:00" },
  { code: "ANR", name: "Antwerp", offset: "+01:00" },
  { code: "RTM", name: "Rotterdam", offset: "+01:00" },
  { code: "BIO", name: "Bilbao", offset: "+01:00" },
  { code: "CRK", name: "Cork", offset: "+00:00" },
  { code: "BGO", name: "Bergen", offset: "+01:00" },
  { code: "TLL", name: "Tallinn", offset: "+02:00" },
  { code: "RIX", name: "Riga", offset: "+02:00" },
  { code: "SPU", name: "Split", offset: "+01:00" },
  { code: "PIR", name: "Piraeus", offset: "+02:00" },
  { code: "VLC", name: "Valencia", offset: "+01:00" },
  { code: "NAP", name: "Naples", offset: "+01:00" },
  { code: "YHZ", name: "Halifax", offset: "-04:00" },
  { code: "BOS", name: "Boston", offset: "-05:00" },
  { code: "SAV", name: "Savannah", offset: "-05:00" },
  { code: "YOK", name: "Yokohama", offset: "+09:00" },
  { code: "PUS", name: "Busan", offset: "+09:00" },
  { code: "AKL", name: "Auckland", offset: "+12:00" },
] as const;

/** The `index`-th site; the list begins again after its end. */
export const siteAt = (index: number): (typeof sites)[number] =>
  sites[index % sites.length] ?? sites[0];

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
  "Amara",
  "Bruno",
  "Chiara",
  "Dmitri",
  "Priya",
  "Elif",
  "Aylin",
  "Kofi",
  "Farid",
  "Mateo",
  "Greta",
  "Oskar",
  "Ruth",
  "Hiro",
  "Ingrid",
  "Joana",
  "Kamal",
  "Liv",
  "Nadia",
  "Pavel",
  "Quentin",
  "Sofia",
  "Yusuf",
] as const;

/** None is that of a person in the examples of the document. */
export const lastNames = [
  "Aaltonen",
  "Raman",
  "Kaya",
  "Mensah",
  "Novak",
  "Rossi",
  "Whitlock",
  "Bakker",
  "Castillo",
  "Dubois",
  "Eriksen",
  "Ferrari",
  "Gallagher",
  "Horvat",
  "Ito",
  "Jansen",
  "Kowalski",
  "Laurent",
  "Moreau",
  "Nakamura",
  "Petrov",
  "Quist",
  "Sandoval",
  "Tanaka",
  "Ueda",
  "Vogel",
  "Wagner",
  "Yilmaz",
  "Zeman",
] as const;
