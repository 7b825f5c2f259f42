import {
  localApplicationGroups,
  localApplications,
  type LocalApplication,
  type LocalApplicationGroup,
} from "../domain/data-protection/kinds.ts";
import type { Tenant } from "../store/index.ts";
import { dataProtectionSince } from "./data-protection-origin.ts";
import { catalogueId, type TenantEntry } from "./entries.ts";

interface Group {
  readonly description: string;
  /** Executables by the name of their application. */
  readonly applications: Readonly<Record<string, string>>;
}

/** The groups by name. Every tenant gets copies of its own, which it may change and delete. */
const groups: Readonly<Record<string, Group>> = {
  "Web browsers": {
    description: "Programs that show pages of the web",
    applications: {
      "Google Chrome": "chrome.exe",
      "Microsoft Edge": "msedge.exe",
      "Mozilla Firefox": "firefox.exe",
      Brave: "brave.exe",
      Opera: "opera.exe",
      Vivaldi: "vivaldi.exe",
    },
  },
  Archivers: {
    description: "Programs that pack files",
    applications: {
      "7-Zip": "7zFM.exe",
      "7-Zip command line": "7z.exe",
      WinRAR: "WinRAR.exe",
      WinZip: "winzip64.exe",
      PeaZip: "peazip.exe",
    },
  },
  "File transfer": {
    description: "Programs that send files to servers",
    applications: {
      FileZilla: "filezilla.exe",
      WinSCP: "WinSCP.exe",
      Cyberduck: "Cyberduck.exe",
      "curl command line": "curl.exe",
      Rclone: "rclone.exe",
      "OpenSSH copy": "scp.exe",
    },
  },
  "File synchronisation": {
    description: "Programs that keep files in the cloud and here the same",
    applications: {
      "OneDrive client": "OneDrive.exe",
      "Google Drive client": "GoogleDriveFS.exe",
      "Dropbox client": "Dropbox.exe",
      "Box client": "Box.exe",
      "iCloud client": "iCloudDrive.exe",
      Nextcloud: "nextcloud.exe",
    },
  },
  "Mail programs": {
    description: "Programs that read and write mail",
    applications: {
      "Outlook client": "outlook.exe",
      "New Outlook client": "olk.exe",
      Thunderbird: "thunderbird.exe",
      "eM Client": "MailClient.exe",
    },
  },
  Messengers: {
    description: "Programs that people talk with",
    applications: {
      "Teams client": "ms-teams.exe",
      "Slack client": "slack.exe",
      "Zoom client": "Zoom.exe",
      "Webex client": "CiscoCollabHost.exe",
      "WhatsApp client": "WhatsApp.exe",
      "Telegram client": "Telegram.exe",
      "Signal client": "Signal.exe",
      "Discord client": "Discord.exe",
    },
  },
  "Remote control": {
    description: "Programs that show the screen elsewhere",
    applications: {
      TeamViewer: "TeamViewer.exe",
      AnyDesk: "AnyDesk.exe",
      "Remote desktop": "mstsc.exe",
      "VNC Viewer": "vncviewer.exe",
      RustDesk: "rustdesk.exe",
    },
  },
  Terminals: {
    description: "Programs that take commands",
    applications: {
      "Command prompt": "cmd.exe",
      "Windows PowerShell": "powershell.exe",
      PowerShell: "pwsh.exe",
      "Windows Terminal": "WindowsTerminal.exe",
      PuTTY: "putty.exe",
    },
  },
  "Note taking": {
    description: "Programs that keep notes, here and elsewhere",
    applications: {
      OneNote: "onenote.exe",
      Evernote: "Evernote.exe",
      Obsidian: "Obsidian.exe",
      "Notion client": "Notion.exe",
    },
  },
  "AI assistants": {
    description: "Programs that tell models what is on the screen or in a file",
    applications: {
      "ChatGPT client": "ChatGPT.exe",
      "Claude client": "claude.exe",
      "Copilot client": "Copilot.exe",
      Cursor: "Cursor.exe",
      Ollama: "ollama.exe",
      "LM Studio": "LM Studio.exe",
    },
  },
};

const applicationId = ({ cid }: Tenant, name: string): string =>
  catalogueId(cid, "data_protection", `local-application/${name}`);
const groupId = ({ cid }: Tenant, name: string): string =>
  catalogueId(cid, "data_protection", `local-application-group/${name}`);

const madeWith = ({ created_at }: Tenant) => {
  const at = new Date(created_at).toISOString();
  return { deleted: false, created_at: at, updated_at: at, deleted_at: null } as const;
};

export const firstLocalApplications: TenantEntry<LocalApplication> = {
  resource: localApplications.resource,
  since: dataProtectionSince,
  records: (tenant) =>
    Object.entries(groups).flatMap(([group, { applications }]) =>
      Object.entries(applications).map(([name, executable_name]): LocalApplication => ({
        id: applicationId(tenant, name),
        cid: tenant.cid,
        name,
        executable_name,
        group_ids: [groupId(tenant, group)],
        apply_rules_for_children_processes: false,
        emit_rule_matched_events_only: false,
        enable_rename_detection: true,
        ...madeWith(tenant),
      })),
    ),
};

export const firstLocalApplicationGroups: TenantEntry<LocalApplicationGroup> = {
  resource: localApplicationGroups.resource,
  since: dataProtectionSince,
  records: (tenant) =>
    Object.entries(groups).map(([name, { description, applications }]): LocalApplicationGroup => ({
      id: groupId(tenant, name),
      cid: tenant.cid,
      name,
      description,
      local_application_ids: Object.keys(applications).map((each) => applicationId(tenant, each)),
      ...madeWith(tenant),
    })),
};
