/** Whether a contact allows marketing, in a word and a colour. */
import { Badge } from "@mantine/core";
import { useTexts } from "../messages/index.tsx";
import { MARKETING } from "./queries.ts";

export function MarketingBadge({ marketing }: { marketing: string }) {
  const { t } = useTexts("contacts");
  const known = MARKETING.find((each) => each === marketing) ?? "unknown";
  const look =
    known === "yes"
      ? { color: "teal.9" }
      : known === "conflict"
        ? { color: "red.9" }
        : { variant: "default" };
  return (
    <Badge {...look} miw="max-content">
      {t(`contacts.marketings.${known}`)}
    </Badge>
  );
}
