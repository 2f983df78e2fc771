/**
 * Why the plan leaves files out, in the languages of the console, by the codes of the service. English has none: the service's
 * own sentences are English, and are also shown in other languages for codes that aren't named here.
 */
import type { Schemas } from "../api/client.ts";
import { defineMessages, useTexts } from "../messages/index.tsx";
import { isolate } from "../messages/isolate.ts";

type Code = NonNullable<Schemas["LeftOutFile"]["code"]>;

interface LeftOutTexts {
  /** A function gets the path of the file that is there instead. */
  leftOutReasons: Readonly<Partial<Record<Code, string | ((by: string) => string)>>>;
}

export const leftOutMessages = defineMessages<LeftOutTexts>(
  { leftOutReasons: {} },
  {
    ar: {
      leftOutReasons: {
        about_the_collection: "هذا نص عن المجموعة، لا كتاب.",
        book_not_imported: "تعذّر استيراد الكتاب الذي ينتمي إليه.",
        catalogue: "هذا هو ملف الفهرس.",
        content_unknown: "لم يعد محتوى هذا الملف محفوظًا في الخادم. أرسله من جديد.",
        cover_of_no_book: "هذه صورة ليست غلافًا لأي كتاب.",
        format_taken: (by) => `للكتاب ملف آخر بهذه اللغة والصيغة: ${isolate(by)}`,
        hidden: "لا تُستورد الملفات المخفية.",
        left_out: "استُبعد قبل الاستيراد.",
        language_unknown: "لغته غير معروفة. ضعه في مجلد مثل en أو English، أو سمّه book.en.pdf.",
        name_taken: (by) => `اسمه هو اسم كتاب آخر: ${isolate(by)}. غيّر اسم أحدهما، أو اذكر كليهما في الفهرس.`,
        not_in_catalogue: "لا يذكره أي كتاب يُستورد من الفهرس.",
        other_type: "لا تُستورد الملفات من هذا النوع.",
      },
    },
  },
);

/** A function that says in the language of the console why something is left out. */
export function useDescribeLeftOut(): (
  entry: Pick<Schemas["LeftOutFile"], "code" | "reason" | "by">,
) => string {
  const texts = useTexts(leftOutMessages).t.leftOutReasons;
  return ({ code, reason, by = "" }) => {
    const text = (code && texts[code]) ?? reason;
    return typeof text === "string" ? text : text(by);
  };
}
