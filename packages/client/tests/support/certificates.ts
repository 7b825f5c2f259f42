import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { generate } from "selfsigned";

interface Flaws {
  /** Default: the address of this machine. */
  readonly name?: string;
  readonly expired?: boolean;
  /** Whether this process trusts the certificate until `untrust`. */
  readonly trusted?: boolean;
}

const hour = 3_600_000;

/** A new certificate of a server, signed by itself. */
export async function newCertificate({ name, expired = false, trusted = false }: Flaws) {
  const end = Date.now() + (expired ? -hour : hour);
  const { private: key, cert } = await generate(
    [{ name: "commonName", value: name ?? "127.0.0.1" }],
    {
      notBeforeDate: new Date(end - 2 * hour),
      notAfterDate: new Date(end),
      extensions: [
        { name: "basicConstraints", cA: true },
        {
          name: "subjectAltName",
          altNames: [name === undefined ? { type: 7, ip: "127.0.0.1" } : { type: 2, value: name }],
        },
      ],
    },
  );
  const before = getCACertificates("default");
  if (trusted) setDefaultCACertificates([...before, cert]);
  return { options: { key, cert }, untrust: () => setDefaultCACertificates(before) };
}
