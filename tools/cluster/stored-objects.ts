/** The objects of the instances' store, changed behind their back. */
import { Readable } from "node:stream";
import { Bucket } from "../../src/adapters/files/s3/bucket.ts";
import { readConfig } from "../../src/config.ts";

export class StoredObjects implements Disposable {
  readonly #bucket: Bucket;

  /** @param variables settings of an instance */
  constructor(variables: Readonly<Record<string, string>>) {
    const { storage } = readConfig(variables);
    if (!storage) throw new Error("The instances have no STORAGE_URL");
    this.#bucket = new Bucket(storage);
  }

  /** Puts bytes in the place of those with a hash. */
  async write(sha256: string, bytes: Buffer): Promise<void> {
    await this.#bucket.upload(`files/${sha256.slice(0, 2)}/${sha256}`, Readable.from([bytes]));
  }

  /** From now on, the bucket is that of another service. */
  async recordOtherService(): Promise<void> {
    await this.#bucket.upload("service-id", Readable.from([Buffer.from("another-service\n")]));
  }

  [Symbol.dispose](): void {
    this.#bucket.close();
  }
}
