/** The file with the credentials of the command line, for programs in Node.js that read or write it. */
export { profilesFile } from "./credentials/profiles-node.ts";
export {
  currentProfile,
  parseProfile,
  parseProfiles,
  printProfiles,
  type Profile,
} from "./credentials/profiles.ts";
