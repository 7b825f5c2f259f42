import { cloudApplications, type CloudApplication } from "../domain/data-protection/kinds.ts";
import { addedAt, predefinedId } from "./data-protection-origin.ts";
import type { SharedEntry } from "./entries.ts";

/** Applications of one vendor, connected by one plug-in. */
interface Suite {
  readonly app_group_id: string;
  readonly plugin_definition_id: string;
}

interface Facts {
  readonly description: string;
  /** Domains, with the path after the first slash where there is one. */
  readonly addresses: readonly string[];
  readonly suite?: Suite;
}

const google: Suite = { app_group_id: "google", plugin_definition_id: "google-workspace" };
const microsoft: Suite = { app_group_id: "microsoft", plugin_definition_id: "microsoft-365" };
const box: Suite = { app_group_id: "box", plugin_definition_id: "box" };

const app = (description: string, ...addresses: readonly string[]): Facts => ({
  description,
  addresses,
});

const partOf = (suite: Suite, description: string, ...addresses: readonly string[]): Facts => ({
  description,
  addresses,
  suite,
});

/**
 * Applications by name, in the groups of web locations. Applications of a suite are integrated by a
 * plug-in.
 */
export const applicationsByGroup = {
  "File sharing": {
    "Google Drive": partOf(google, "Files in Google Workspace", "drive.google.com"),
    OneDrive: partOf(
      microsoft,
      "Files in Microsoft 365",
      "onedrive.live.com",
      "*.onedrive.com",
      "1drv.ms",
    ),
    SharePoint: partOf(microsoft, "Sites and their files in Microsoft 365", "*.sharepoint.com"),
    Box: partOf(box, "Files in Box", "app.box.com", "*.box.com"),
    Dropbox: app("Files in Dropbox", "*.dropbox.com", "*.dropboxusercontent.com"),
    iCloud: app("Files, photographs and mail at Apple", "*.icloud.com"),
    WeTransfer: app("Files sent by link", "wetransfer.com", "*.wetransfer.com", "we.tl"),
    MEGA: app("Files in MEGA, encrypted", "mega.nz", "mega.io"),
    pCloud: app("Files in pCloud", "*.pcloud.com"),
    MediaFire: app("Files sent by link", "*.mediafire.com"),
    Egnyte: app("Files of companies in Egnyte", "*.egnyte.com"),
  },
  "Generative AI": {
    ChatGPT: app("Conversations with models of OpenAI", "chatgpt.com", "chat.openai.com"),
    Gemini: partOf(google, "Conversations with models of Google", "gemini.google.com"),
    "Microsoft Copilot": partOf(
      microsoft,
      "Conversations with Copilot",
      "copilot.microsoft.com",
      "m365.cloud.microsoft/chat",
    ),
    Claude: app("Conversations with models of Anthropic", "claude.ai"),
    Perplexity: app("Search answered by models", "perplexity.ai", "www.perplexity.ai"),
    "Hugging Face": app("Models and data sets", "huggingface.co", "*.hf.space"),
    "Mistral Chat": app("Conversations with models of Mistral", "chat.mistral.ai"),
    DeepSeek: app("Conversations with models of DeepSeek", "chat.deepseek.com"),
    Grammarly: app("Texts corrected as they are typed", "*.grammarly.com"),
    DeepL: app("Texts translated", "*.deepl.com"),
  },
  Webmail: {
    Gmail: partOf(google, "Mail in Google Workspace", "mail.google.com"),
    "Outlook on the web": partOf(
      microsoft,
      "Mail in Microsoft 365",
      "outlook.office.com",
      "outlook.office365.com",
      "outlook.live.com",
    ),
    "Yahoo Mail": app("Mail at Yahoo", "mail.yahoo.com"),
    "Proton Mail": app("Mail at Proton, encrypted", "mail.proton.me"),
    GMX: app("Mail at GMX", "*.gmx.net", "*.gmx.com"),
  },
  Messaging: {
    "Microsoft Teams": partOf(
      microsoft,
      "Conversations and meetings in Microsoft 365",
      "teams.microsoft.com",
      "teams.live.com",
    ),
    "Google Chat": partOf(google, "Conversations in Google Workspace", "chat.google.com"),
    Slack: app("Conversations in Slack", "app.slack.com", "*.slack.com"),
    WhatsApp: app("Messages by WhatsApp", "web.whatsapp.com"),
    Telegram: app("Messages by Telegram", "web.telegram.org"),
    Discord: app("Conversations in Discord", "discord.com", "*.discordapp.com"),
    Zoom: app("Meetings and messages in Zoom", "*.zoom.us"),
  },
  "Source code": {
    GitHub: app("Repositories and gists", "github.com", "gist.github.com"),
    GitLab: app("Repositories and snippets", "gitlab.com"),
    Bitbucket: app("Repositories", "bitbucket.org"),
    Replit: app("Programs written in the browser", "replit.com", "*.replit.dev"),
  },
  "Paste sites": {
    Pastebin: app("Texts for everybody to read", "pastebin.com"),
    "JSON Editor Online": app("Records put in order", "jsoneditoronline.org"),
    CodePen: app("Pages tried out in public", "codepen.io"),
  },
  "Social media": {
    LinkedIn: app("Posts and messages among professionals", "*.linkedin.com"),
    Facebook: app("Posts and messages", "*.facebook.com", "*.messenger.com"),
    X: app("Short posts and messages", "x.com", "twitter.com"),
    Reddit: app("Posts by subject", "*.reddit.com"),
  },
  "Work together": {
    "Google Docs": partOf(google, "Documents in Google Workspace", "docs.google.com"),
    Confluence: app("Pages of teams", "*.atlassian.net/wiki"),
    Jira: app("Tasks of teams", "*.atlassian.net/jira"),
    Notion: app("Pages and tables of teams", "*.notion.so", "*.notion.site"),
    Trello: app("Boards of tasks", "trello.com"),
    Asana: app("Tasks and projects", "app.asana.com"),
    Miro: app("Whiteboards", "miro.com"),
    Figma: app("Designs", "*.figma.com"),
    Salesforce: app("Customers and what is sold to them", "*.salesforce.com", "*.force.com"),
    ServiceNow: app("Requests and incidents", "*.service-now.com"),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Facts>>>>;

/** Applications that people send data to. Web locations refer to them. They are read-only. */
export const predefinedCloudApplications: SharedEntry<CloudApplication> = {
  resource: cloudApplications.resource,
  records: () =>
    Object.values(applicationsByGroup).flatMap((group) =>
      Object.entries<Facts>(group).map(([name, facts]) => predefined(name, facts)),
    ),
};

/** The id of a predefined application. */
export const applicationId = (name: string): string => predefinedId("cloud-application", name);

function predefined(name: string, { description, addresses, suite }: Facts): CloudApplication {
  return {
    id: applicationId(name),
    name,
    description,
    app_tier: suite === undefined ? "predefined" : "integrated",
    ...suite,
    supports_network_inspection: supportsNetworkInspection(suite),
    urls: addresses.map(urlOf),
    deleted: false,
    ...addedAt,
  };
}

/** Traffic can be inspected only if a plug-in identifies the owner of the account. */
export const supportsNetworkInspection = (suite: Suite | undefined): boolean => suite !== undefined;

function urlOf(address: string): CloudApplication["urls"][number] {
  const slash = address.indexOf("/");
  return slash === -1
    ? { fqdn: address, path: "" }
    : { fqdn: address.slice(0, slash), path: address.slice(slash) };
}
