/** The doctor: a new examination with its progress, and the report of the last one. The job stands in the address. */
import { Alert, Button, Checkbox, Group, Progress, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { PermittedPage } from "../session/permitted-page.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { Note } from "../ui/note.tsx";
import { usePageRequest } from "../ui/page-request.ts";
import { useNotifyProblem } from "../ui/problems.tsx";
import { useAddress } from "../ui/use-address.ts";
import { cancelJob, jobQuery, lastReportQuery, startRun } from "./queries.ts";
import { Report } from "./report.tsx";

export default function DoctorPage() {
  const { t } = useTexts("doctor");
  return (
    <PermittedPage permission="manage_settings" title={t("nav.doctor")}>
      <Doctor />
    </PermittedPage>
  );
}

function Doctor() {
  const { t } = useTexts("doctor");
  const { query, change } = useAddress();
  const jobId = query.get("job") ?? "";
  const { data: job } = useQuery(jobQuery(jobId));
  const last = useQuery(lastReportQuery);
  useRefreshedReport(job);
  const isRunning = job?.status === "running";
  return (
    <>
      <Text maw="70ch">{t("doctor.about")}</Text>
      <Stack gap="sm">
        {!isRunning && <StartForm show={(job) => change({ job })} />}
        <div role="status">
          {isRunning && <Running job={job} />}
          {job && !isRunning && <Ended job={job} />}
        </div>
      </Stack>
      <Loaded query={last} empty={{ when: ({ report }) => report === null, text: t("doctor.never") }}>
        {({ report }) => report && <Report report={report} />}
      </Loaded>
    </>
  );
}

/** When the job that is shown has ended, its report is the last one. */
function useRefreshedReport(job: Schemas["Job"] | null | undefined): void {
  const queries = useQueryClient();
  const finishedAt = job?.finishedAt;
  const known = useRef(finishedAt);
  useEffect(() => {
    if (finishedAt && finishedAt !== known.current) void queries.invalidateQueries(lastReportQuery);
    known.current = finishedAt;
  }, [finishedAt, queries]);
}

/** @param show puts the job into the address */
function StartForm({ show }: { show(job: string): void }) {
  const { t } = useTexts("doctor");
  const [cloud, setCloud] = useState(false);
  const notifyProblem = useNotifyProblem();
  const start = useMutation({ mutationFn: startRun });
  const run = (deep: boolean) =>
    start.mutate(
      { deep, cloud },
      {
        onSuccess({ id, isNew }) {
          if (!isNew) notifications.show({ message: t("doctor.joined") });
          show(id);
        },
        onError: notifyProblem,
      },
    );
  usePageRequest("run", () => run(false));
  const pending = (deep: boolean) => start.isPending && start.variables.deep === deep;
  return (
    <Stack gap="sm">
      <Group>
        <Button onClick={() => run(false)} loading={pending(false)}>
          {t("doctor.run")}
        </Button>
        <Button
          variant="default"
          onClick={() => run(true)}
          loading={pending(true)}
          aria-describedby="deep-hint"
        >
          {t("doctor.deepRun")}
        </Button>
        <Checkbox
          label={t("doctor.cloud")}
          checked={cloud}
          onChange={({ currentTarget }) => setCloud(currentTarget.checked)}
        />
      </Group>
      <Note maw="70ch" id="deep-hint">
        {t("doctor.deepHint")}
      </Note>
    </Stack>
  );
}

function Running({ job: { id, progress } }: { job: Schemas["Job"] }) {
  const { t, formatNumber } = useTexts("doctor");
  const queries = useQueryClient();
  const notifyProblem = useNotifyProblem();
  const cancel = useMutation({
    mutationFn: cancelJob,
    onSuccess: () => queries.invalidateQueries(jobQuery(id)),
    onError: notifyProblem,
  });
  const { done, of } = progress;
  const text =
    of > 0 ? t("doctor.progress", { done: formatNumber(done), of: formatNumber(of) }) : t("doctor.starting");
  return (
    <Stack gap="sm" maw={600}>
      <Text>{cancel.isSuccess ? t("doctor.cancelling") : text}</Text>
      <Progress.Root>
        <Progress.Section value={of > 0 ? (100 * done) / of : 0} animated={of === 0} aria-label={text} />
      </Progress.Root>
      <Group>
        <Button
          variant="default"
          loading={cancel.isPending}
          disabled={cancel.isSuccess}
          onClick={() => cancel.mutate(id)}
        >
          {t("cancel")}
        </Button>
      </Group>
    </Stack>
  );
}

function Ended({ job: { status, error } }: { job: Schemas["Job"] }) {
  const { t } = useTexts("doctor");
  if (status === "done") return <Text>{t("doctor.ended.done")}</Text>;
  if (status === "cancelled") return <Text>{t("doctor.ended.cancelled")}</Text>;
  if (error?.code === "instance_lost") return <Alert color="red" title={t("doctor.ended.lost")} />;
  return (
    <Alert color="red" title={t("doctor.ended.failed")}>
      <bdi lang="en">{error?.message}</bdi>
    </Alert>
  );
}
