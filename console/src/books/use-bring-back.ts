/** Brings back what was there before, and says so. */
import { notifications } from "@mantine/notifications";
import { useTexts } from "../messages/index.tsx";
import type { FormerContent } from "./former-contents.ts";
import { useBookChange } from "./queries.ts";

export function useBringBack() {
  const { t } = useTexts("books");
  const { mutateAsync, isPending } = useBookChange((former: FormerContent) => former.bringBack());
  /** A cover has no name. */
  const nameFormer = ({ kind, fileName }: FormerContent) =>
    kind === "cover" ? t("translation.cover") : fileName;
  return {
    nameFormer,
    isPending,
    /** @throws Problem */
    async bringBack(former: FormerContent): Promise<void> {
      await mutateAsync(former);
      notifications.show({ message: t("former.isBack", { name: nameFormer(former) }) });
    },
  };
}
