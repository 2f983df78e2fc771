/** Whether a record is used. */
import { Badge } from "@mantine/core";
import { useTexts } from "../messages/index.tsx";

export function ActiveBadge({ isActive }: { isActive: 0 | 1 }) {
  const { t } = useTexts();
  return (
    <Badge variant="default" miw="max-content">
      {isActive ? t("active") : t("inactive")}
    </Badge>
  );
}
