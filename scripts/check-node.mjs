// Runs on any version of Node.js, so that an old one can print an error.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const enough = major >= 24 || (major === 22 && minor >= 18);
if (!enough) {
  console.error(
    `This project requires Node.js 24 (or 22.18 and later); found ${process.versions.node}.\n` +
      "On Linux and Windows `npm ci` installs it as an optional dependency: run it without --omit=optional.\n" +
      "On macOS install Node.js 24, for example from nodejs.org or with a version manager.",
  );
  process.exit(1);
}
