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
  /** Whether the slider can only detect, not prevent. */
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

/** The categories in the order of a served policy. */
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
    description: "Monitors programs from inside their processes. Exploit mitigations require it.",
  },
  AdwarePUP: {
    category: "Cloud Machine Learning",
    name: "Adware & PUP",
    description: "Checks programs for adware and other unwanted behaviour with the cloud models.",
  },
  ApplicationExploitationActivity: {
    category: "Exploitation Behavior",
    name: "Application Exploitation Activity",
    description: "Blocks programs that behave as if exploited, such as browsers that start shells.",
  },
  AutomatedRemediation: {
    category: "Remediation",
    name: "Advanced Remediation",
    description:
      "Removes traces of a detected intrusion: files, registry values, tasks and services.",
  },
  BackupDeletion: {
    category: "Ransomware",
    name: "Backup Deletion",
    description: "Blocks programs that delete backups.",
  },
  BootConfigurationDatabaseProtection: {
    category: "Execution Blocking",
    name: "Boot Configuration Database Protection",
    description: "Blocks suspicious changes to the boot configuration.",
  },
  CPUMemoryScan: {
    category: "Enhanced Visibility",
    name: "Memory Scanning with CPU",
    description: "Scans memory with the CPU if no GPU is available.",
  },
  ChopperWebshell: {
    category: "Exploitation Behavior",
    name: "Chopper Webshell",
    description: "Blocks commands from web shells of the Chopper family.",
  },
  CloudAntiMalware: {
    category: "Cloud Machine Learning",
    name: "Cloud Anti-malware",
    description: "Checks files with the cloud models before they run.",
  },
  CloudAntiMalwareForMicrosoftOfficeFiles: {
    category: "Cloud Machine Learning",
    name: "Cloud Anti-malware for Microsoft Office Files",
    description: "Checks Office documents with macros with the cloud models.",
  },
  CloudBasedAnomalousProcessExecution: {
    category: "Cloud Machine Learning",
    name: "Cloud-based Anomalous Process Execution",
    description: "Detects program starts that are unusual for the tenant.",
  },
  CloudDataProtectionVisibility: {
    category: "Enhanced Visibility",
    name: "Cloud Data Protection Visibility",
    description: "Reports data transfers of cloud workloads.",
  },
  CloudMLSliderForPupAdwareCloudEndUserScans: {
    category: "On-Demand Scans",
    name: "Cloud Adware & PUP in End-User Scans",
    description: "In scans by end users, checks for unwanted programs with the cloud models.",
  },
  CredentialDumping: {
    category: "Lateral Movement and Credential Access",
    name: "Credential Dumping",
    description: "Blocks programs that read passwords or password hashes from the system.",
  },
  Cryptowall: {
    category: "Ransomware",
    name: "Cryptowall",
    description: "Blocks processes that behave like the Cryptowall family.",
  },
  CustomBlacklisting: {
    category: "Execution Blocking",
    name: "Custom Blocking",
    description: "Blocks files for which the tenant has an indicator with the action prevent.",
  },
  DBusVisibility: {
    category: "Enhanced Visibility",
    name: "D-Bus Visibility",
    description: "Reports messages on D-Bus.",
  },
  DLLLoadVisibility: {
    category: "Enhanced Visibility",
    name: "DLL Load Visibility",
    description: "Reports the libraries that programs load.",
  },
  DetectOnWrite: {
    category: "On Write",
    name: "Detect on Write",
    description: "Checks a file as soon as it is written.",
  },
  DetectPackageOnWrite: {
    category: "On Write",
    name: "Detect Packages on Write",
    description: "Checks the content of a package as soon as the package is written.",
  },
  DriftPrevention: {
    category: "Execution Blocking",
    name: "Drift Prevention",
    description: "Blocks programs that are not part of the container's image.",
  },
  DriveByDownload: {
    category: "Exploitation Behavior",
    name: "Drive-by Download",
    description: "Blocks suspicious files that a browser has written and then runs.",
  },
  EmailProtocolVisibility: {
    category: "Network Visibility",
    name: "Email Protocol Visibility",
    description: "Reports SMTP, IMAP and POP3 traffic.",
  },
  EmpyreBackdoor: {
    category: "Unauthorized Remote Access IOAs",
    name: "EmPyre Backdoor",
    description: "Blocks processes that behave like the EmPyre backdoor.",
  },
  EndUserNotifications: {
    category: "User-Mode Capabilities",
    name: "Notify End Users",
    description: "Notifies the user of the host of blocked or quarantined files.",
  },
  EngineProtectionV2: {
    category: "Enhanced Visibility",
    name: "Engine (Full Visibility)",
    description: "Reports scripts of every program that contains a script engine.",
  },
  EnhanceEnvironmentVariableVisibility: {
    category: "Enhanced Visibility",
    name: "Environment Variable Visibility",
    description: "Reports the environment variables of new processes.",
  },
  EnhancePHPVisibility: {
    category: "Enhanced Visibility",
    name: "PHP Visibility",
    description: "Reports the actions of PHP scripts.",
  },
  EnhanceSystemdVisibility: {
    category: "Enhanced Visibility",
    name: "Systemd Visibility",
    description: "Reports changes to systemd units and the processes that they start.",
  },
  EnhancedExploitationVisibility: {
    category: "Enhanced Visibility",
    name: "Enhanced Exploitation Visibility",
    description: "Reports additional exploit techniques.",
  },
  EnhancedNetworkVisibilityMac: {
    category: "Network Visibility",
    name: "Enhanced Network Visibility",
    description: "Reports additional network traffic of the host.",
  },
  ExtendedCommandLineVisibility: {
    category: "Enhanced Visibility",
    name: "Extended Command Line Visibility",
    description: "Reports complete command lines, even long ones.",
  },
  ExtendedUserModeDataSlider: {
    category: "Enhanced Visibility",
    name: "Extended User Mode Data",
    description: "Sets how closely the sensor monitors the inside of processes.",
  },
  FTPVisibility: {
    category: "Network Visibility",
    name: "FTP Visibility",
    description: "Reports FTP traffic.",
  },
  FileEncryption: {
    category: "Ransomware",
    name: "File Encryption",
    description: "Blocks processes that rename many files to extensions known from ransomware.",
  },
  FileSystemAccess: {
    category: "Ransomware",
    name: "File System Access",
    description: "Blocks processes that access files in a way that is typical of ransomware.",
  },
  FileSystemContainmentEnabled: {
    category: "Ransomware",
    name: "File System Containment",
    description: "Blocks a user's access to shared files while ransomware uses the account.",
  },
  FilesystemVisibility: {
    category: "Enhanced Visibility",
    name: "Filesystem Visibility",
    description: "Reports writes, moves and deletions of files.",
  },
  FirmwareAnalysisExtraction: {
    category: "Firmware",
    name: "BIOS Deep Visibility",
    description: "Reads the complete firmware and reports suspicious changes.",
  },
  FirmwareDeepVisibility: {
    category: "Firmware",
    name: "BIOS Deep Visibility",
    description: "Reads the complete firmware and reports suspicious changes.",
  },
  FirmwareStandardVisibility: {
    category: "Firmware",
    name: "BIOS Standard Visibility",
    description: "Reports vendor, version and settings of the firmware.",
  },
  ForceASLR: {
    category: "Exploit Mitigation",
    name: "Force ASLR",
    description: "Loads all libraries at random addresses, even those not built for it.",
  },
  ForceDEP: {
    category: "Exploit Mitigation",
    name: "Force DEP",
    description: "Prevents the execution of data as code, even in programs not built for it.",
  },
  HTTPDetections: {
    category: "Enhanced Visibility",
    name: "HTTP Detections",
    description: "Detects attacks in unencrypted HTTP traffic.",
  },
  HTTPVisibility: {
    category: "Network Visibility",
    name: "HTTP Visibility",
    description: "Reports unencrypted HTTP traffic.",
  },
  HardwareEnhancedExploitDetection: {
    category: "Enhanced Visibility",
    name: "Hardware-Enhanced Exploit Detection",
    description: "Detects code-reuse attacks by the CPU's branch records.",
  },
  HashCollector: {
    category: "Credential Dumping IOAs",
    name: "Hash Collector",
    description: "Blocks attempts to read password hashes.",
  },
  HeapSprayPreallocation: {
    category: "Exploit Mitigation",
    name: "Heap Spray Preallocation",
    description: "Reserves the memory addresses that heap sprays target.",
  },
  IntelPrevention: {
    category: "Execution Blocking",
    name: "Intelligence-Sourced Threats",
    description: "Blocks files that analysts have classified as malicious.",
  },
  InterpreterProtection: {
    category: "Enhanced Visibility",
    name: "Interpreter-Only",
    description: "Reports scripts that run in PowerShell.",
  },
  JavaScriptViaRundll32: {
    category: "Exploitation Behavior",
    name: "JavaScript Execution Via Rundll32",
    description: "Blocks JavaScript in the command line of rundll32.",
  },
  KcPasswordDecoded: {
    category: "Credential Dumping IOAs",
    name: "KcPassword Decoded",
    description: "Blocks attempts to recover the password for automatic login.",
  },
  Locky: {
    category: "Ransomware",
    name: "Locky",
    description: "Blocks processes that behave like the Locky family.",
  },
  "ML Large File Handling": {
    category: "Sensor Machine Learning",
    name: "Large File Handling",
    description: "Also checks large files, which takes longer.",
  },
  MaliciousPowershell: {
    category: "Execution Blocking",
    name: "Suspicious Scripts and Commands",
    description: "Blocks scripts and commands that are typical of attackers.",
  },
  MemoryScan: {
    category: "Enhanced Visibility",
    name: "Memory Scanning",
    description: "Scans the memory of processes for known attack tools with the GPU.",
  },
  MemoryVisibility: {
    category: "Enhanced Visibility",
    name: "Memory Visibility",
    description: "Reports suspicious memory use, such as code without a file.",
  },
  MicrosoftOfficeFileSuspiciousMacroRemoval: {
    category: "Quarantine",
    name: "Microsoft Office Suspicious Macro Removal",
    description: "Removes malicious macros from Office documents and keeps the documents.",
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
    description: "Also quarantines malicious files on removable media.",
  },
  NullPageAllocation: {
    category: "Exploit Mitigation",
    name: "Null Page Allocation",
    description: "Prevents programs from using the memory at address zero.",
  },
  OnSensorMLAdwarePUPSlider: {
    category: "Sensor Machine Learning",
    name: "Adware & PUP",
    description: "Checks programs for adware and other unwanted behaviour with the sensor's model.",
  },
  OnSensorMLSlider: {
    category: "Sensor Machine Learning",
    name: "Sensor Anti-malware",
    description: "Checks files with the sensor's own model, even offline.",
  },
  OnSensorMLSliderForCloudEndUserScans: {
    category: "On-Demand Scans",
    name: "Cloud Anti-malware in End-User Scans",
    description: "In scans by end users, checks files with the cloud models.",
  },
  OnSensorMLSliderForSensorEndUserScans: {
    category: "On-Demand Scans",
    name: "Sensor Anti-malware in End-User Scans",
    description: "In scans by end users, checks files with the sensor's model.",
  },
  OnWriteScriptFileVisibility: {
    category: "Enhanced Visibility",
    name: "On Write Script File Visibility",
    description: "Reports scripts as soon as they are written.",
  },
  PHPScriptOptimization: {
    category: "Enhanced Visibility",
    name: "PHP Script Optimization",
    description: "Reports PHP scripts that run repeatedly only once.",
  },
  PreventSuspiciousProcesses: {
    category: "Execution Blocking",
    name: "Suspicious Processes",
    description: "Blocks processes that behave like known attacks.",
  },
  ProcessHollowing: {
    category: "Exploitation Behavior",
    name: "Code Injection",
    description: "Blocks programs that inject code into other processes.",
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
    description: "Removes possibly personal content from HTTP detections.",
  },
  RetrospectiveDetections: {
    category: "Enhanced Visibility",
    name: "Retrospective Detections",
    description: "Checks earlier activity again when new intelligence arrives.",
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
    description: "Checks scripts before they run.",
  },
  SensorTamperingProtection: {
    category: "User-Mode Capabilities",
    name: "Sensor Tampering Protection",
    description: "Prevents others from stopping, changing or removing the sensor.",
  },
  SuspiciousFileAnalysis: {
    category: "Cloud Machine Learning",
    name: "Suspicious File Analysis",
    description: "Sends unknown suspicious files to the cloud for analysis.",
  },
  SuspiciousKernelDrivers: {
    category: "Execution Blocking",
    name: "Suspicious Kernel Drivers",
    description: "Blocks suspicious drivers.",
  },
  SuspiciousRegistryOperations: {
    category: "Execution Blocking",
    name: "Suspicious Registry Operations",
    description: "Blocks registry changes that give attackers persistence.",
  },
  TLSVisibility: {
    category: "Network Visibility",
    name: "TLS Visibility",
    description: "Reports metadata of TLS connections, without decryption.",
  },
  USBInsertionTriggeredScan: {
    category: "On-Demand Scans",
    name: "Scan on USB Insertion",
    description: "Scans removable media when they are inserted.",
  },
  UnknownDetectionRelatedExecutables: {
    category: "User-Mode Capabilities",
    name: "Unknown Detection-Related Executables",
    description: "Sends unknown programs that are part of a detection to the cloud.",
  },
  UnknownExecutables: {
    category: "User-Mode Capabilities",
    name: "Unknown Executables",
    description: "Sends unknown programs to the cloud.",
  },
  VolumeShadowCopyAudit: {
    category: "Ransomware",
    name: "Volume Shadow Copy - Audit",
    description: "Detects programs that delete shadow copies.",
  },
  VolumeShadowCopyProtect: {
    category: "Ransomware",
    name: "Volume Shadow Copy - Protect",
    description: "Prevents the deletion of shadow copies.",
  },
  VulnerableDriverProtection: {
    category: "Execution Blocking",
    name: "Vulnerable Driver Protection",
    description: "Blocks drivers with vulnerabilities that attackers use.",
  },
  WSL2Visibility: {
    category: "Enhanced Visibility",
    name: "WSL2 Visibility",
    description: "Reports activity inside the Windows Subsystem for Linux.",
  },
  WindowsLogonBypassStickyKeys: {
    category: "Lateral Movement and Credential Access",
    name: 'Windows Logon Bypass ("Sticky Keys")',
    description: "Stops command lines that replace the accessibility tools of the log-in screen.",
  },
  XPCOMShell: {
    category: "Unauthorized Remote Access IOAs",
    name: "XPCOM Shell",
    description: "Blocks shells that run inside XPCOM components.",
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
