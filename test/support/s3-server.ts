/**
 * A real S3 store for a run of tests: that of `S3_TEST_URL` (in the form of STORAGE_URL, with AWS_ACCESS_KEY_ID and
 * AWS_SECRET_ACCESS_KEY), or else a Ceph gateway, if its programs are installed. Without both the tests are skipped.
 */
import type { TestProject } from "vitest/node";
import { CephGateway, openStore, type Store } from "../../tools/lib/ceph-gateway.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Undefined: the tests that need one are skipped. */
    s3: Omit<Store, "gateway"> | undefined;
  }
}

/** Runs once, before the workers start; what it returns runs after them. */
export default async function provideS3Server(
  project: TestProject,
): Promise<(() => Promise<void>) | undefined> {
  const store = await openStore();
  if (!store) {
    const missing = CephGateway.missing.join(", ");
    process.stdout.write(`S3 tests are skipped: no S3_TEST_URL, and not installed: ${missing}\n`);
    project.provide("s3", undefined);
    return undefined;
  }
  const { url, accessKeyId, secretAccessKey, gateway } = store;
  project.provide("s3", { url, accessKeyId, secretAccessKey });
  return async () => gateway?.stop();
}
