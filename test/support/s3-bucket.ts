/** A look into the bucket of a test. Apart, so that only tests that look load the SDK. */
import { onTestFinished } from "vitest";
import { Bucket } from "../../src/adapters/files/s3/bucket.ts";
import { ObjectHandle } from "../../src/adapters/files/s3/object-handle.ts";
import { readConfig } from "../../src/config.ts";

type Variables = Readonly<Record<string, string>>;

/** The bucket that these settings name, to look into during the test. */
export function openBucket(variables: Variables): Bucket {
  const bucket = createBucket(variables);
  onTestFinished(() => bucket.close());
  return bucket;
}

function createBucket(variables: Variables): Bucket {
  const { storage } = readConfig(variables);
  if (storage === undefined) throw new Error("The settings name no bucket");
  return new Bucket(storage);
}

/** Of the service itself: its id, and the mark of its last sweep. */
const NOTES: readonly string[] = ["service-id", "removed-sweep"];

/** The paths of all objects but these. */
export async function listPaths(bucket: Bucket, start = ""): Promise<string[]> {
  const paths: string[] = [];
  for await (const { path } of bucket.list(start)) if (!NOTES.includes(path)) paths.push(path);
  return paths;
}

/** The contents of the store that these settings name, by the names that they would have below `files`. Also beside tests. */
export async function readContents(variables: Variables): Promise<Map<string, Buffer>> {
  await using opened = new AsyncDisposableStack();
  const bucket = opened.adopt(createBucket(variables), (each) => each.close());
  const contents = new Map<string, Buffer>();
  for (const start of ["files/", "uploads/"]) {
    for await (const { path, sizeBytes } of bucket.list(start)) {
      const handle = new ObjectHandle({ bucket, path, sizeBytes, etag: undefined });
      contents.set(path.replace(/^files\//, ""), await handle.readFile());
    }
  }
  return contents;
}
