/** A button that does something at once: it says when that is done, or why it can't be. */
import { Button, type ButtonProps } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useNotifyProblem } from "./problems.tsx";

interface ActionButtonProps extends Omit<ButtonProps, "children" | "loading"> {
  label: string;
  /** What tells it from the same button of other rows. */
  name?: string;
  run(): Promise<unknown>;
  /** What is said afterwards. */
  done?: string;
}

export function ActionButton({ label, name, run, done, ...look }: ActionButtonProps) {
  const notifyProblem = useNotifyProblem();
  const action = useMutation({
    mutationFn: run,
    onSuccess() {
      if (done !== undefined) notifications.show({ message: done });
    },
    onError: notifyProblem,
  });
  return (
    <Button
      variant="default"
      {...look}
      loading={action.isPending}
      aria-label={name}
      onClick={() => action.mutate()}
    >
      {label}
    </Button>
  );
}
