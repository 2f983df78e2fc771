/** In the place of what is being read. */
import { Center, Loader } from "@mantine/core";
import { useTexts } from "../messages/index.tsx";

export function Loading() {
  const { t } = useTexts();
  return (
    <Center mih="30vh">
      <Loader role="status" aria-label={t("loading")} />
    </Center>
  );
}
