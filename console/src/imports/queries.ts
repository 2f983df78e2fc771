/** The imports that the service runs or has run, whichever program has sent them. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, Problem, receive, type Schemas } from "../api/client.ts";
import { saveFile } from "../lib/save-file.ts";

export type ListedImport = Schemas["ListedImport"];

const POLL_MS = 2000;

export const isRunning = ({ state }: Pick<ListedImport, "state">): boolean => state === "running";

/** Read again as long as one is running. */
export const importsQuery = queryOptions({
  queryKey: ["imports"],
  queryFn: () => receive(api.GET("/api/admin/imports")),
  refetchInterval: ({ state: { data } }) => (data?.imports.some(isRunning) ? POLL_MS : false),
});

/** @param finishedAt the result is another one after another run */
export const importQuery = ({ id, finishedAt }: Pick<ListedImport, "id" | "finishedAt">) =>
  queryOptions({
    queryKey: ["import result", id, finishedAt],
    async queryFn() {
      const path = { importId: id };
      const found = await receive(api.GET("/api/admin/imports/{importId}", { params: { path } }));
      // It is a table only where one is asked for.
      if (typeof found === "string") throw new Problem(0, {});
      return found;
    },
  });

function useImportChange<Result>(change: (importId: string) => Promise<Result>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: change, onSettled: () => queries.invalidateQueries(importsQuery) });
}

export const useUndoImport = () =>
  useImportChange((importId) =>
    receive(api.POST("/api/admin/imports/{importId}/undo", { params: { path: { importId } } })),
  );

export const useStartImport = () =>
  useImportChange((importId) =>
    receive(api.POST("/api/admin/imports/{importId}/start", { params: { path: { importId } } })),
  );

export const useCancelImport = () =>
  useImportChange((importId) =>
    receive(api.DELETE("/api/admin/imports/{importId}", { params: { path: { importId } } })),
  );

export async function saveResult(importId: string): Promise<void> {
  const response = await fetch(`/api/admin/imports/${importId}`, { headers: { Accept: "text/csv" } });
  if (!response.ok) throw new Problem(response.status, await response.json().catch(() => ({})));
  saveFile(`import-${importId}.csv`, await response.text());
}
