/** The texts about drops that fail, for all pages that take files. */
import { defineMessages } from "../messages/index.tsx";
import { countOf } from "../messages/plural.ts";

const countEn = countOf("en");
const countAr = countOf("ar");

export const dropMessages = defineMessages(
  {
    drops: {
      area: "Drop files or folders here",
      onBook: "Add files to this book",
      onBookHint: "Drop files in any language: it is recognised, and you can correct it.",
      chooseFiles: "Choose files",
      chooseFolder: "Choose a folder",
      failed: "The files weren't added",
      unreadable: (n: number) =>
        countEn(n, "# file or folder can't be read", "# files or folders can't be read"),
    },
  },
  {
    ar: {
      drops: {
        area: "أسقط الملفات أو المجلدات هنا",
        onBook: "إضافة ملفات إلى هذا الكتاب",
        onBookHint: "أسقط ملفات بأي لغة: تُعرف لغتها تلقائيًا ويمكنك تصحيحها.",
        chooseFiles: "اختر ملفات",
        chooseFolder: "اختر مجلدًا",
        failed: "لم تُضف الملفات",
        unreadable: (n) =>
          countAr(
            n,
            "كل شيء مقروء",
            "تعذّرت قراءة ملف أو مجلد",
            "تعذّرت قراءة ملفين أو مجلدين",
            "تعذّرت قراءة # ملفات أو مجلدات",
            "تعذّرت قراءة # ملفًا أو مجلدًا",
            "تعذّرت قراءة # ملف أو مجلد",
          ),
      },
    },
  },
);
