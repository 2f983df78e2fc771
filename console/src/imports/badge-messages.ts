/** The text of the navigation, which is loaded with every page. */
import { defineMessages } from "../messages/index.tsx";
import { countOf } from "../messages/plural.ts";

const countEn = countOf("en");
const countAr = countOf("ar");

export const badgeMessages = defineMessages(
  { runningImports: (n: number) => countEn(n, "# import is running", "# imports are running") },
  {
    ar: {
      runningImports: (n) =>
        `قيد التنفيذ: ${countAr(n, "لا استيراد", "استيراد واحد", "عمليتا استيراد", "# عمليات استيراد", "# عملية استيراد", "# عملية استيراد")}`,
    },
  },
);
