import { describe, expect, test } from "vitest";
import { findSecrets, maskSecret } from "./find-secrets.ts";

// Assembled at run time, so that secret scanners do not report this file.
const join = (...parts: readonly string[]): string => parts.join("");
const github = join("ghp_", "16C7e42F292c6912E7710c838347Ae178B4a");

describe("secrets with a format of their own", () => {
  test.each([
    ["private-key", join("-----BEGIN RSA ", "PRIVATE KEY-----")],
    ["private-key", join("-----BEGIN OPENSSH ", "PRIVATE KEY-----")],
    ["aws-access-key-id", join("AKIA", "Z7QK2MNRX4TUVW6B")],
    ["github-token", github],
    ["gitlab-token", join("glpat-", "Zr5x9QmTnW2kVb7LpC3d")],
    ["slack-token", join("xoxb-", "263594206564-2343594206574-FGqddMF8t08v8N7Oq4i57vs1")],
    ["stripe-key", join("sk_live_", "4eC39HqLyjWDarjtT1zdp7dc")],
    ["google-api-key", join("AIza", "SyD9f8hK2mQ4pLr7tVx1zC5nB3wE6gJ0aUs")],
    ["npm-token", join("npm_", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5")],
    [
      "sendgrid-token",
      join("SG.", "aB3dE5fG7hJ9kL1mN3pQ5r", ".", "S7tU9vW1xY3zA5bC7dE9fG1hJ3kL5mN7pQ9rS1tU3vW"),
    ],
    ["password-in-url", "postgres://shop:7hUx92mQpZ@db.internal/shop"],
    [
      "jwt",
      join(
        "eyJhbGciOiJIUzI1NiJ9",
        ".eyJzdWIiOiIxMjM5NTY3ODkwIn0",
        ".dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
      ),
    ],
  ])("%s", (pattern, secret) => {
    const [found, ...others] = findSecrets(`first\nsecond line ${secret}\n`, "app/notes.txt");
    expect(found).toMatchObject({ line: 2, pattern });
    expect(others).toEqual([]);
    // Lock files can contain them as well.
    expect(findSecrets(secret, "package-lock.json")).toHaveLength(1);
  });
});

describe("assigned secrets", () => {
  test.each([
    ["DB_PASSWORD=7hUx92mQpZ", "DB_PASSWORD"],
    ['"client_secret": "pL9x2Kq8Wm4Zt7Vb1Nc6"', "client_secret"],
    ["payment.api_key: 'k3J9-x7Qm-2pLw-8Rtz'", "payment.api_key"],
    ["  secretKey := `x`\n  authToken = Zk8vQ2mX9pL4wR7tB1nC", "authToken"],
  ])("%s", (text, name) => {
    expect(findSecrets(text, "app/config")).toMatchObject([{ pattern: "assigned-secret", name }]);
  });
});

describe("texts that only look like a secret", () => {
  test.each([
    // UUIDs and hashes.
    ["token: 6f1c2d3e-4b5a-4c6d-8e7f-9a0b1c2d3e4f", "app/config.yml"],
    ["api_key = 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "app/config"],
    [
      '"integrity": "sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ=="',
      "package-lock.json",
    ],
    ["secret_hash: Zk8vQ2mX9pL4wR7tB1nC", "app/config"],
    // Lock files.
    ['js-tokens@^4.0.0:\n  token "Zk8vQ2mX9pL4wR7tB1nC"', "yarn.lock"],
    ["golang.org/x/net v0.17.0 h1:pVaXccu2ozPjCXewfr1S7xza/zcXTity9cCdXQYSjIM=", "go.sum"],
    // Placeholders, and code that reads the value.
    ["PASSWORD=changeme-please1", ".env"],
    ["API_TOKEN=<your token here>", ".env"],
    ["API_TOKEN=${VAULT_TOKEN_42}", ".env"],
    ["password = os.environ['DB_PASSWORD_1']", "app.py"],
    ["const token = request.headers.authorization1;", "app.js"],
    ["DB_PASSWORD=/run/secrets/db-1", ".env"],
    ["token: ./config/token_2.txt", "app/config.yml"],
    ["password: string;", "types.ts"],
    ["token_type: bearer-v2-X9", "app/config"],
    ["AKIAIOSFODNN7EXAMPLE", "README"],
    ["postgres://user:${PASSWORD1}@db/shop", ".env"],
    ["https://example.com:8443/a@b", "README"],
    ["secret-handling-library", "README"],
  ])("%s", (text, path) => {
    expect(findSecrets(text, path)).toEqual([]);
  });
});

test("the number of steps for a text of one megabyte is proportional to its length", () => {
  for (const text of [
    "a".repeat(1e6),
    "token=".repeat(2e5),
    "eyJ".repeat(3e5),
    "://".repeat(3e5),
  ]) {
    expect(findSecrets(text, "x").length).toBeLessThanOrEqual(100);
  }
});

test("a mask shows the start and at most 12 asterisks", () => {
  expect(maskSecret(github)).toBe(`ghp_${"*".repeat(12)}`);
  expect(maskSecret("abcdefgh")).toBe("ab******");
  expect(maskSecret("x")).toBe("*");
});
