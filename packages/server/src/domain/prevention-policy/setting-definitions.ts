import { servedDocument, type components } from "@security-platform/spec";

type Schemas = components["schemas"];
export type Platform = Schemas["PreventionPlatform"];
export type SettingId = Schemas["PreventionSettingId"];
export type SettingValue = Schemas["PreventionSettingValue"];

/** A setting of one platform. */
export interface Setting {
  readonly id: SettingId;
  readonly name: string;
  readonly type: Schemas["PreventionSetting"]["type"];
  readonly category: string;
  readonly description: string;
  /** A slider that can only detect, not prevent. */
  readonly detectionOnly: boolean;
  /** Settings that must be on for this setting to be on. */
  readonly requires: readonly SettingId[];
}

/** The definition of a setting in the document. */
interface Facts {
  readonly type: Setting["type"];
  readonly platforms: readonly Platform[];
  readonly detection_only?: boolean;
  readonly requires?: { readonly [Name in Platform]?: readonly SettingId[] };
}

interface Words {
  readonly category: Category;
  readonly name: string;
  readonly description: string;
}

/** In the order of a served policy. */
const categories = [
  "User-Mode Capabilities",
  "Enhanced Visibility",
  "Network Visibility",
  "Firmware",
  "Cloud Machine Learning",
  "Sensor Machine Learning",
  "On-Demand Scans",
  "On Write",
  "Quarantine",
  "Execution Blocking",
  "Exploit Mitigation",
  "Ransomware",
  "Exploitation Behavior",
  "Lateral Movement and Credential Access",
  "Unauthorized Remote Access IOAs",
  "Credential Dumping IOAs",
  "Remediation",
] as const;

type Category = (typeof categories)[number];

const words: Readonly<Record<SettingId, Words>> = {
  AdditionalUserModeData: {
    category: "Enhanced Visibility",
    name: "Additional User Mode Data",
    description:
      "Watches programs from inside their own processes; exploit mitigations build on it.",
  },
  AdwarePUP: {
    category: "Cloud Machine Learning",
    name: "Adware & PUP",
    description: "Asks the models in the cloud about adware and other unwanted programs.",
  },
  ApplicationExploitationActivity: {
    category: "Exploitation Behavior",
    name: "Application Exploitation Activity",
    description:
      "Stops programs that behave as exploited ones do, such as browsers starting shells.",
  },
  AutomatedRemediation: {
    category: "Remediation",
    name: "Advanced Remediation",
    description:
      "Removes what a detected intrusion has left: files, registry values, tasks, services.",
  },
  BackupDeletion: {
    category: "Ransomware",
    name: "Backup Deletion",
    description: "Stops programs that delete backups.",
  },
  BootConfigurationDatabaseProtection: {
    category: "Execution Blocking",
    name: "Boot Configuration Database Protection",
    description: "Blocks suspicious changes to how the system starts.",
  },
  CPUMemoryScan: {
    category: "Enhanced Visibility",
    name: "Memory Scanning with CPU",
    description: "Scans memory on the processor where no graphics unit can do it.",
  },
  ChopperWebshell: {
    category: "Exploitation Behavior",
    name: "Chopper Webshell",
    description: "Stops commands that come through a web shell of the Chopper family.",
  },
  CloudAntiMalware: {
    category: "Cloud Machine Learning",
    name: "Cloud Anti-malware",
    description: "Asks the models in the cloud about files that are about to run.",
  },
  CloudAntiMalwareForMicrosoftOfficeFiles: {
    category: "Cloud Machine Learning",
    name: "Cloud Anti-malware for Microsoft Office Files",
    description: "Asks the models in the cloud about Office documents with macros.",
  },
  CloudBasedAnomalousProcessExecution: {
    category: "Cloud Machine Learning",
    name: "Cloud-based Anomalous Process Execution",
    description: "Detects programs that start in ways unusual for the tenant.",
  },
  CloudDataProtectionVisibility: {
    category: "Enhanced Visibility",
    name: "Cloud Data Protection Visibility",
    description: "Reports how data moves in cloud workloads.",
  },
  CloudMLSliderForPupAdwareCloudEndUserScans: {
    category: "On-Demand Scans",
    name: "Cloud Adware & PUP in End-User Scans",
    description: "In scans that users start, asks the models in the cloud about unwanted programs.",
  },
  CredentialDumping: {
    category: "Lateral Movement and Credential Access",
    name: "Credential Dumping",
    description: "Stops programs that read passwords and their hashes from the system.",
  },
  Cryptowall: {
    category: "Ransomware",
    name: "Cryptowall",
    description: "Stops processes that behave as the Cryptowall family does.",
  },
  CustomBlacklisting: {
    category: "Execution Blocking",
    name: "Custom Blocking",
    description: "Blocks what the tenant's own indicators say is to be prevented.",
  },
  DBusVisibility: {
    category: "Enhanced Visibility",
    name: "D-Bus Visibility",
    description: "Reports messages on the system's bus.",
  },
  DLLLoadVisibility: {
    category: "Enhanced Visibility",
    name: "DLL Load Visibility",
    description: "Reports which libraries programs load.",
  },
  DetectOnWrite: {
    category: "On Write",
    name: "Detect on Write",
    description: "Judges a file as soon as it is written.",
  },
  DetectPackageOnWrite: {
    category: "On Write",
    name: "Detect Packages on Write",
    description: "Judges what a package holds as soon as the package is written.",
  },
  DriftPrevention: {
    category: "Execution Blocking",
    name: "Drift Prevention",
    description: "Blocks programs that were not part of the image a container was started from.",
  },
  DriveByDownload: {
    category: "Exploitation Behavior",
    name: "Drive-by Download",
    description: "Stops suspicious files that a browser wrote and then ran.",
  },
  EmailProtocolVisibility: {
    category: "Network Visibility",
    name: "Email Protocol Visibility",
    description: "Reports SMTP, IMAP and POP3 traffic.",
  },
  EmpyreBackdoor: {
    category: "Unauthorized Remote Access IOAs",
    name: "EmPyre Backdoor",
    description: "Stops processes that behave as the EmPyre backdoor does.",
  },
  EndUserNotifications: {
    category: "User-Mode Capabilities",
    name: "Notify End Users",
    description: "Tells the user of the host when something was blocked or quarantined.",
  },
  EngineProtectionV2: {
    category: "Enhanced Visibility",
    name: "Engine (Full Visibility)",
    description: "Reports scripts from every program that hosts a script engine.",
  },
  EnhanceEnvironmentVariableVisibility: {
    category: "Enhanced Visibility",
    name: "Environment Variable Visibility",
    description: "Reports the environment that processes are started with.",
  },
  EnhancePHPVisibility: {
    category: "Enhanced Visibility",
    name: "PHP Visibility",
    description: "Reports what PHP scripts do.",
  },
  EnhanceSystemdVisibility: {
    category: "Enhanced Visibility",
    name: "Systemd Visibility",
    description: "Reports changes to units and what they start.",
  },
  EnhancedExploitationVisibility: {
    category: "Enhanced Visibility",
    name: "Enhanced Exploitation Visibility",
    description: "Reports more of the techniques that exploits use.",
  },
  EnhancedNetworkVisibilityMac: {
    category: "Network Visibility",
    name: "Enhanced Network Visibility",
    description: "Reports more of the host's network traffic.",
  },
  ExtendedCommandLineVisibility: {
    category: "Enhanced Visibility",
    name: "Extended Command Line Visibility",
    description: "Reports long command lines in full.",
  },
  ExtendedUserModeDataSlider: {
    category: "Enhanced Visibility",
    name: "Extended User Mode Data",
    description: "Says how much the sensor looks at inside processes.",
  },
  FTPVisibility: {
    category: "Network Visibility",
    name: "FTP Visibility",
    description: "Reports FTP traffic.",
  },
  FileEncryption: {
    category: "Ransomware",
    name: "File Encryption",
    description: "Stops processes that give many files endings known from ransomware.",
  },
  FileSystemAccess: {
    category: "Ransomware",
    name: "File System Access",
    description: "Stops processes that go through files in a way typical of ransomware.",
  },
  FileSystemContainmentEnabled: {
    category: "Ransomware",
    name: "File System Containment",
    description: "Shuts a user out of shared files while ransomware acts in the user's name.",
  },
  FilesystemVisibility: {
    category: "Enhanced Visibility",
    name: "Filesystem Visibility",
    description: "Reports files that are written, moved and deleted.",
  },
  FirmwareAnalysisExtraction: {
    category: "Firmware",
    name: "BIOS Deep Visibility",
    description: "Reads the whole firmware and reports what looks changed.",
  },
  FirmwareDeepVisibility: {
    category: "Firmware",
    name: "BIOS Deep Visibility",
    description: "Reads the whole firmware and reports what looks changed.",
  },
  FirmwareStandardVisibility: {
    category: "Firmware",
    name: "BIOS Standard Visibility",
    description: "Reports vendor, version and settings of the firmware.",
  },
  ForceASLR: {
    category: "Exploit Mitigation",
    name: "Force ASLR",
    description: "Places libraries at random addresses, also those that were not built for it.",
  },
  ForceDEP: {
    category: "Exploit Mitigation",
    name: "Force DEP",
    description: "Keeps data from being run as code, also in programs that were not built for it.",
  },
  HTTPDetections: {
    category: "Enhanced Visibility",
    name: "HTTP Detections",
    description: "Looks for attacks in unencrypted HTTP traffic.",
  },
  HTTPVisibility: {
    category: "Network Visibility",
    name: "HTTP Visibility",
    description: "Reports unencrypted HTTP traffic.",
  },
  HardwareEnhancedExploitDetection: {
    category: "Enhanced Visibility",
    name: "Hardware-Enhanced Exploit Detection",
    description: "Finds code-reuse attacks by what the processor records of branches.",
  },
  HashCollector: {
    category: "Credential Dumping IOAs",
    name: "Hash Collector",
    description: "Stops attempts to read the hashes of passwords.",
  },
  HeapSprayPreallocation: {
    category: "Exploit Mitigation",
    name: "Heap Spray Preallocation",
    description: "Occupies the addresses that heap sprays aim for.",
  },
  IntelPrevention: {
    category: "Execution Blocking",
    name: "Intelligence-Sourced Threats",
    description: "Blocks files that analysts have found to be malicious.",
  },
  InterpreterProtection: {
    category: "Enhanced Visibility",
    name: "Interpreter-Only",
    description: "Reports scripts that run in PowerShell.",
  },
  JavaScriptViaRundll32: {
    category: "Exploitation Behavior",
    name: "JavaScript Execution Via Rundll32",
    description: "Stops JavaScript that comes in on the command line of rundll32.",
  },
  KcPasswordDecoded: {
    category: "Credential Dumping IOAs",
    name: "KcPassword Decoded",
    description: "Stops attempts to recover the password of automatic log-in.",
  },
  Locky: {
    category: "Ransomware",
    name: "Locky",
    description: "Stops processes that behave as the Locky family does.",
  },
  "ML Large File Handling": {
    category: "Sensor Machine Learning",
    name: "Large File Handling",
    description: "Judges large files as well, which takes longer.",
  },
  MaliciousPowershell: {
    category: "Execution Blocking",
    name: "Suspicious Scripts and Commands",
    description: "Blocks scripts and commands that do what attackers do.",
  },
  MemoryScan: {
    category: "Enhanced Visibility",
    name: "Memory Scanning",
    description: "Looks for known attack tools in the memory of processes, with the graphics unit.",
  },
  MemoryVisibility: {
    category: "Enhanced Visibility",
    name: "Memory Visibility",
    description: "Reports suspicious use of memory, such as code that was never in a file.",
  },
  MicrosoftOfficeFileSuspiciousMacroRemoval: {
    category: "Quarantine",
    name: "Microsoft Office Suspicious Macro Removal",
    description: "Takes malicious macros out of Office documents and leaves the documents.",
  },
  NetworkVisibility: {
    category: "Enhanced Visibility",
    name: "Network Visibility",
    description: "Reports network connections.",
  },
  NextGenAV: {
    category: "Quarantine",
    name: "Quarantine & Security Center Registration",
    description: "Quarantines malicious files and registers the sensor as the host's antivirus.",
  },
  NextGenAVQuarantineOnRemovableMedia: {
    category: "Quarantine",
    name: "Quarantine on Removable Media",
    description: "Quarantines malicious files on removable media, too.",
  },
  NullPageAllocation: {
    category: "Exploit Mitigation",
    name: "Null Page Allocation",
    description: "Keeps programs from using the memory at address zero.",
  },
  OnSensorMLAdwarePUPSlider: {
    category: "Sensor Machine Learning",
    name: "Adware & PUP",
    description: "Judges adware and other unwanted programs by the model that the sensor carries.",
  },
  OnSensorMLSlider: {
    category: "Sensor Machine Learning",
    name: "Sensor Anti-malware",
    description: "Judges files by the model that the sensor carries, also while it is offline.",
  },
  OnSensorMLSliderForCloudEndUserScans: {
    category: "On-Demand Scans",
    name: "Cloud Anti-malware in End-User Scans",
    description: "In scans that users start, asks the models in the cloud about the files.",
  },
  OnSensorMLSliderForSensorEndUserScans: {
    category: "On-Demand Scans",
    name: "Sensor Anti-malware in End-User Scans",
    description: "In scans that users start, judges files by the model that the sensor carries.",
  },
  OnWriteScriptFileVisibility: {
    category: "Enhanced Visibility",
    name: "On Write Script File Visibility",
    description: "Reports scripts as soon as they are written.",
  },
  PHPScriptOptimization: {
    category: "Enhanced Visibility",
    name: "PHP Script Optimization",
    description: "Reports PHP scripts that run again and again only once.",
  },
  PreventSuspiciousProcesses: {
    category: "Execution Blocking",
    name: "Suspicious Processes",
    description: "Blocks processes that behave as known attacks do.",
  },
  ProcessHollowing: {
    category: "Exploitation Behavior",
    name: "Code Injection",
    description: "Stops programs that put code into other processes.",
  },
  QuarantineOnWrite: {
    category: "On Write",
    name: "Quarantine on Write",
    description: "Quarantines a malicious file as soon as it is written.",
  },
  QuarantinePackageOnWrite: {
    category: "On Write",
    name: "Quarantine Packages on Write",
    description: "Quarantines a package with malicious content as soon as it is written.",
  },
  RedactHTTPDetectionDetails: {
    category: "Enhanced Visibility",
    name: "Redact HTTP Detection Details",
    description: "Leaves content that may be personal out of HTTP detections.",
  },
  RetrospectiveDetections: {
    category: "Enhanced Visibility",
    name: "Retrospective Detections",
    description: "Looks again at what was seen before when more becomes known.",
  },
  SEHOverwriteProtection: {
    category: "Exploit Mitigation",
    name: "SEH Overwrite Protection",
    description: "Checks exception handlers before they are called.",
  },
  SSHVisibility: {
    category: "Network Visibility",
    name: "SSH Visibility",
    description: "Reports SSH sessions.",
  },
  ScriptBasedExecutionMonitoring: {
    category: "Enhanced Visibility",
    name: "Script-Based Execution Monitoring",
    description: "Looks at scripts before they run.",
  },
  SensorTamperingProtection: {
    category: "User-Mode Capabilities",
    name: "Sensor Tampering Protection",
    description: "Keeps others from stopping, changing or removing the sensor.",
  },
  SuspiciousFileAnalysis: {
    category: "Cloud Machine Learning",
    name: "Suspicious File Analysis",
    description: "Sends suspicious files that nobody knows to the cloud for analysis.",
  },
  SuspiciousKernelDrivers: {
    category: "Execution Blocking",
    name: "Suspicious Kernel Drivers",
    description: "Blocks drivers that look malicious.",
  },
  SuspiciousRegistryOperations: {
    category: "Execution Blocking",
    name: "Suspicious Registry Operations",
    description: "Blocks changes to the registry that attackers use to stay on a host.",
  },
  TLSVisibility: {
    category: "Network Visibility",
    name: "TLS Visibility",
    description: "Reports what can be seen of TLS connections without opening them.",
  },
  USBInsertionTriggeredScan: {
    category: "On-Demand Scans",
    name: "Scan on USB Insertion",
    description: "Scans removable media when they are inserted.",
  },
  UnknownDetectionRelatedExecutables: {
    category: "User-Mode Capabilities",
    name: "Unknown Detection-Related Executables",
    description: "Sends programs that nobody knows to the cloud when they are part of a detection.",
  },
  UnknownExecutables: {
    category: "User-Mode Capabilities",
    name: "Unknown Executables",
    description: "Sends programs that nobody knows to the cloud.",
  },
  VolumeShadowCopyAudit: {
    category: "Ransomware",
    name: "Volume Shadow Copy - Audit",
    description: "Detects programs that delete shadow copies.",
  },
  VolumeShadowCopyProtect: {
    category: "Ransomware",
    name: "Volume Shadow Copy - Protect",
    description: "Keeps shadow copies from being deleted.",
  },
  VulnerableDriverProtection: {
    category: "Execution Blocking",
    name: "Vulnerable Driver Protection",
    description: "Blocks drivers with vulnerabilities that attackers use.",
  },
  WSL2Visibility: {
    category: "Enhanced Visibility",
    name: "WSL2 Visibility",
    description: "Reports what happens inside the Windows Subsystem for Linux.",
  },
  WindowsLogonBypassStickyKeys: {
    category: "Lateral Movement and Credential Access",
    name: 'Windows Logon Bypass ("Sticky Keys")',
    description: "Stops command lines that replace the accessibility tools of the log-in screen.",
  },
  XPCOMShell: {
    category: "Unauthorized Remote Access IOAs",
    name: "XPCOM Shell",
    description: "Stops shells that run inside a browser's components.",
  },
};

/** Settings whose name or description differs on some platforms. */
const otherWords: {
  readonly [Name in Platform]?: { readonly [Id in SettingId]?: Partial<Words> };
} = {
  Mac: {
    ChopperWebshell: { category: "Unauthorized Remote Access IOAs" },
    NextGenAV: { name: "Quarantine", description: "Quarantines malicious files." },
  },
  Linux: {
    NextGenAV: { name: "Quarantine", description: "Quarantines malicious files." },
  },
};

/** The settings of each platform, grouped by category. iOS and Android have none. */
export const settingsOf: Readonly<Record<Platform, readonly Setting[]>> = readSettings();

function readSettings(): Record<Platform, readonly Setting[]> {
  const { schemas } = servedDocument();
  const facts = schemas["PreventionSettingId"]?.["x-prevention-settings"] as Record<
    SettingId,
    Facts
  >;
  const { enum: platforms } = schemas["PreventionPlatform"] as { enum: readonly Platform[] };
  const of = (platform: Platform): readonly Setting[] =>
    Object.entries(facts)
      .filter(([, { platforms: its }]) => its.includes(platform))
      .map(([name, { type, detection_only, requires }]) => {
        const id = name as SettingId;
        return {
          id,
          type,
          ...words[id],
          ...otherWords[platform]?.[id],
          detectionOnly: detection_only ?? false,
          requires: requires?.[platform] ?? [],
        };
      })
      .toSorted((left, right) => orderOf(left) - orderOf(right));
  return Object.fromEntries(platforms.map((platform) => [platform, of(platform)])) as Record<
    Platform,
    readonly Setting[]
  >;
}

function orderOf({ category }: { readonly category: string }): number {
  return (categories as readonly string[]).indexOf(category);
}
