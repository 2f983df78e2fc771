/**
 * A real S3 store for a run of tests: that of `S3_TEST_URL` (in the form of STORAGE_URL, with AWS_ACCESS_KEY_ID and
 * AWS_SECRET_ACCESS_KEY), or else a Ceph gateway, if its programs are installed. Without both the tests are skipped.
 */
import type { TestProject } from "vitest/node";
import { CephGateway } from "../../tools/lib/ceph-gateway.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Undefined: the tests that need one are skipped. */
    s3: Pick<CephGateway, "url" | "accessKeyId" | "secretAccessKey"> | undefined;
  }
}

/** Runs once, before the workers start; what it returns runs after them. */
export default async function provideS3Server(
  project: TestProject,
): Promise<(() => Promise<void>) | undefined> {
  const { S3_TEST_URL: given, AWS_ACCESS_KEY_ID = "", AWS_SECRET_ACCESS_KEY = "" } = process.env;
  if (given !== undefined) {
    project.provide("s3", {
      url: given,
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
    });
    return undefined;
  }
  const { missing } = CephGateway;
  if (missing.length > 0) {
    process.stdout.write(`S3 tests are skipped: no S3_TEST_URL, and not installed: ${missing.join(", ")}\n`);
    project.provide("s3", undefined);
    return undefined;
  }
  const gateway = await CephGateway.start();
  const { url, accessKeyId, secretAccessKey } = gateway;
  project.provide("s3", { url, accessKeyId, secretAccessKey });
  return () => gateway.stop();
}
