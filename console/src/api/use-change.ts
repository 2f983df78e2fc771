/** A change of records, after which what shows them is read again. */
import { useMutation, useQueryClient } from "@tanstack/react-query";

/** @param keys the first words of the keys of queries */
export function useChange<Input, Result>(
  change: (input: Input) => Promise<Result>,
  ...keys: readonly string[]
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => Promise.all(keys.map((key) => queries.invalidateQueries({ queryKey: [key] }))),
  });
}
