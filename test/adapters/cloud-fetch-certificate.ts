/** Makes a certificate for one host name, signed by itself (RFC 5280), so that no key lies in the repository. */
import { generateKeyPairSync, sign } from "node:crypto";

export function selfSignedCertificate(hostname: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const ecdsaWithSha256 = sequence(objectId("2a8648ce3d040302"));
  const commonName = sequence(der(0x31, sequence(objectId("550403"), der(0x0c, Buffer.from(hostname)))));
  const alternativeName = sequence(der(0x82, Buffer.from(hostname)));
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), // version 3
    der(0x02, Buffer.from([1])), // serial number
    ecdsaWithSha256,
    commonName,
    sequence(der(0x17, Buffer.from("200101000000Z")), der(0x17, Buffer.from("491231235959Z"))),
    commonName,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(sequence(objectId("551d11"), der(0x04, alternativeName)))),
  );
  const signature = der(0x03, Buffer.from([0]), sign("sha256", toBeSigned, privateKey));
  const body = sequence(toBeSigned, ecdsaWithSha256, signature).toString("base64");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${body.replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
  };
}

/** Tag, length, value (X.690); lengths here stay below 65,536. */
function der(tag: number, ...values: Buffer[]): Buffer {
  const value = Buffer.concat(values);
  const size = value.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), value]);
}

const sequence = (...values: Buffer[]) => der(0x30, ...values);
const objectId = (hex: string) => der(0x06, Buffer.from(hex, "hex"));
