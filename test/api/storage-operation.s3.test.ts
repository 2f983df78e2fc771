/** Operating a service on S3: readiness and metrics, the doctor, and starts that fail. */
import { describe, expect, it } from "vitest";
import { expectProblem } from "../support/expect-problem.ts";
import { onS3, relayToS3 } from "../support/on-s3.ts";
import { runCli } from "../support/run-cli.ts";
import { readMetrics } from "../support/scrape.ts";
import { ServiceProcess } from "../support/service-process.ts";
import { createStorageScene, TEXT } from "../support/storage-scene.ts";
import { createTxt, hashBytes } from "../support/stored-files.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { createDatabaseSettings } from "../support/test-database.ts";

const METRICS_TOKEN = "q7Vd0Zk2mXr9LbT4wYc6NfHs1JgPu8Ae";

const pathOf = (bytes: Buffer): string => {
  const sha256 = hashBytes(bytes);
  return `files/${sha256.slice(0, 2)}/${sha256}`;
};

async function* only(bytes: Buffer) {
  yield bytes;
}

it("the store is reported by readiness while it is unreachable, and its requests are counted", async () => {
  const relay = await relayToS3();
  const { api, app, link } = await createStorageScene({
    ...onS3({ endpoint: relay.endpoint }),
    METRICS_TOKEN,
  });
  const metrics = async () => {
    const { body } = await api.get("/metrics", { Authorization: `Bearer ${METRICS_TOKEN}` });
    return readMetrics(body.toString());
  };
  const count = (operation: string, outcome: string) =>
    `bookdist_storage_request_duration_seconds_count{operation="${operation}",outcome="${outcome}"}`;
  await api.get(link);
  const before = await metrics();
  expect(before['bookdist_dependency_up{dependency="files"}']).toBe(1);
  for (const sample of [count("GetObject", "success"), count("HeadObject", "not_found")])
    expect(before[sample]).toBeGreaterThan(0);
  expect(before[count("CopyObject", "success")]).toBe(1);
  expect(before[count("GetObject", "failure")]).toBeUndefined();
  await relay.stop();
  app.clock.advance(1000);
  await expect
    .poll(async () => {
      const { status, body } = await api.get("/api/health/ready");
      return [status, body.unavailable];
    })
    .toEqual([200, ["files"]]);
  expectProblem(await api.get(link), 503, { code: "storage_unavailable" });
  const after = await metrics();
  expect(after['bookdist_dependency_up{dependency="files"}']).toBe(0);
  // With the second attempt.
  expect(after[count("HeadObject", "failure")]).toBeGreaterThanOrEqual(2);
  await relay.start();
  app.clock.advance(1000);
  await expect.poll(async () => (await api.get("/api/health/ready")).body.unavailable).toBeUndefined();
});

it("doctor and check-data find missing, changed and unreferenced objects", async () => {
  const settings = onS3();
  const { app, admin, bucket, upload } = await createStorageScene(settings);
  const [gone, orphan] = [createTxt("gone"), createTxt("orphan")];
  expect((await upload(gone, "gone.txt", { languageCode: "en" })).status).toBe(201);
  await bucket.upload(pathOf(orphan), only(orphan));
  await bucket.upload(pathOf(createTxt(TEXT)), only(Buffer.alloc(TEXT.length, "x")));
  await bucket.delete(pathOf(gone));
  const found = [
    ["changed_bytes", "file"],
    ["missing_bytes", "file"],
    ["orphaned_bytes", "bytes"],
  ];
  const kindsOf = (findings: { check: string; object: { kind: string } }[]) =>
    findings
      .filter(({ check }) => check.endsWith("_bytes"))
      .map(({ check, object }) => [check, object.kind])
      .sort();
  const { body } = await admin.get("/api/admin/doctor?deep=true");
  expect(kindsOf(body.findings)).toEqual(found);
  expect(body).toMatchObject({ isHealthy: false, examined: { files: 2, bytes: 2 } });

  const database = await createDatabaseSettings(app.dataDir);
  const variables = { ...settings, ...database, DATA_DIR: app.dataDir };
  const doctor = await runCli({ args: ["doctor", "--deep", "--json"], variables });
  expect(kindsOf(JSON.parse(doctor.out).findings)).toEqual(found);
  const check = await runCli({ args: ["check-data"], variables });
  expect([doctor.code, check.code]).toEqual([1, 1]);
  expect(check.out + check.errors).toContain("gone.txt");
});

describe("a start", () => {
  const elsewhere = (url: string) => ({ ...onS3(), STORAGE_URL: url });
  const nowhere = () => onS3().STORAGE_URL.replace("s3://books/", "s3://nowhere/");

  it.each([
    ["the bucket nowhere doesn't exist", () => elsewhere(nowhere())],
    ["the store doesn't know the key", () => ({ ...onS3(), AWS_ACCESS_KEY_ID: "unknown" })],
    ["the secret doesn't fit to the key", () => ({ ...onS3(), AWS_SECRET_ACCESS_KEY: "hunter2hunter2" })],
    ["can't connect to the store (ECONNREFUSED)", () => elsewhere("s3://books?endpoint=http://127.0.0.1:9")],
    ["must look like s3://", () => elsewhere("https://books.example.org")],
  ])("ends with 78 and one line if %s", async (reason, settings) => {
    const dataDir = createTempFolder();
    const variables = { ...(await createDatabaseSettings(dataDir)), ...settings(), DATA_DIR: dataDir };
    const { code, errors } = await new ServiceProcess(variables).ended;
    expect(code).toBe(78);
    expect(errors).toMatch(/^(The configuration is not valid:\n {2})?STORAGE_URL: [^\n]+\n$/);
    expect(errors).toContain(reason);
    expect(errors).not.toMatch(/hunter2|testsecret/);
  });
});
