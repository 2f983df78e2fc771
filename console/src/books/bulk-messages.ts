/** The texts of what is done with many books at once. */
import { defineMessages } from "../messages/index.tsx";
import { countOf } from "../messages/plural.ts";

const countEn = countOf("en");
const countAr = countOf("ar");

const { format: formatEn } = new Intl.NumberFormat("en");
const { format: formatAr } = new Intl.NumberFormat("ar");

export const bulkMessages = defineMessages(
  {
    bulk: {
      title: "Selected books",
      selected: (n: number) => countEn(n, "# book selected", "# books selected"),
      select: (title: string) => `Select ${title}`,
      selectAll: "Select all books of this page",
      selectList: (n: number) =>
        countEn(n, "Select the # book of this list", "Select all # books of this list"),
      selectFirst: (n: number) => `Select the first ${formatEn(n)} books of this list`,
      clear: "Clear the selection",
      archive: "Archive",
      restore: "Restore",
      tags: "Change tags",
      series: "Set series",
      seriesField: "Series",
      seriesHint: "Without a name, the books leave their series. Numbers are set on the page of each book.",
      publish: "Publish",
      publishHint: "Readers of a channel see the books that are published there in their language.",
      what: "Change",
      addTags: "Add tags",
      removeTags: "Remove tags",
      putOn: "Publish on the channel",
      takeOff: "Take off the channel",
      channel: "Channel",
      language: "Language",
      noChannel: "There is no channel yet. Add one on the page of channels.",
      noLanguage: "There is no language yet. Add one on the page of languages.",
      preview: "Preview",
      apply: "Apply",
      willChange: (changed: number, others: number) =>
        `${countEn(changed, "# book changes", "# books change")}; ${countEn(others, "# stays as it is", "# stay as they are")}.`,
      cannot: (n: number) => countEn(n, "# book can't be changed:", "# books can't be changed:"),
      others: (n: number) => countEn(n, "and # other", "and # others"),
      done: (n: number) => countEn(n, "# book was changed.", "# books were changed."),
      doneInPart: (n: number, failed: number) =>
        `${countEn(n, "# book was changed", "# books were changed")}; ${countEn(failed, "# couldn't be changed", "# couldn't be changed")}.`,
      undoing: (done: string, of: string) => `Being undone: ${done} of ${of}`,
      restored: (n: number) => countEn(n, "# book is as before.", "# books are as before."),
      restoredInPart: (n: number, rest: number) =>
        `${countEn(n, "# book is as before", "# books are as before")}; ${countEn(rest, "# isn't yet", "# aren't yet")}.`,
      kept: (n: number) =>
        countEn(
          n,
          "# book stays as it is: somebody changed or deleted it since.",
          "# books stay as they are: somebody changed or deleted them since.",
        ),
    },
  },
  {
    ar: {
      bulk: {
        title: "الكتب المحددة",
        selected: (n) =>
          countAr(
            n,
            "لا كتب محددة",
            "كتاب واحد محدد",
            "كتابان محددان",
            "# كتب محددة",
            "# كتابًا محددًا",
            "# كتاب محدد",
          ),
        select: (title) => `حدّد ${title}`,
        selectAll: "حدّد كل كتب هذه الصفحة",
        selectList: (n) =>
          countAr(
            n,
            "لا كتب في هذه القائمة",
            "حدّد كتاب هذه القائمة",
            "حدّد كتابي هذه القائمة",
            "حدّد كل كتب هذه القائمة (#)",
            "حدّد كل كتب هذه القائمة (#)",
            "حدّد كل كتب هذه القائمة (#)",
          ),
        selectFirst: (n) => `حدّد أول ${formatAr(n)} كتاب في هذه القائمة`,
        clear: "إلغاء التحديد",
        archive: "أرشفة",
        restore: "استعادة",
        tags: "تغيير الوسوم",
        series: "تعيين السلسلة",
        seriesField: "السلسلة",
        seriesHint: "إذا تُرك الاسم فارغًا خرجت الكتب من سلاسلها. تُعيَّن الأرقام في صفحة كل كتاب.",
        publish: "نشر",
        publishHint: "يرى قراء القناة الكتب المنشورة فيها بلغتهم.",
        what: "التغيير",
        addTags: "إضافة وسوم",
        removeTags: "إزالة وسوم",
        putOn: "النشر في القناة",
        takeOff: "الإزالة من القناة",
        channel: "القناة",
        language: "اللغة",
        noChannel: "لا توجد قناة بعد. أضف واحدة في صفحة القنوات.",
        noLanguage: "لا توجد لغة بعد. أضف واحدة في صفحة اللغات.",
        preview: "معاينة",
        apply: "تطبيق",
        willChange: (changed, others) =>
          `كتب تتغيّر: ${countAr(changed, "#", "#")}؛ كتب تبقى كما هي: ${countAr(others, "#", "#")}.`,
        cannot: (n) => `كتب لا يمكن تغييرها: ${countAr(n, "#", "#")}`,
        others: (n) =>
          countAr(n, "", "وكتاب آخر", "وكتابان آخران", "و# كتب أخرى", "و# كتابًا آخر", "و# كتاب آخر"),
        done: (n) => `كتب تغيّرت: ${countAr(n, "#", "#")}.`,
        doneInPart: (n, failed) =>
          `كتب تغيّرت: ${countAr(n, "#", "#")}؛ كتب تعذّر تغييرها: ${countAr(failed, "#", "#")}.`,
        undoing: (done, of) => `جارٍ التراجع: ${done} من ${of}`,
        restored: (n) => `كتب عادت كما كانت: ${countAr(n, "#", "#")}.`,
        restoredInPart: (n, rest) =>
          `كتب عادت كما كانت: ${countAr(n, "#", "#")}؛ كتب لم تعد بعد: ${countAr(rest, "#", "#")}.`,
        kept: (n) => `كتب تبقى كما هي لأن شخصًا غيّرها أو حذفها بعد ذلك: ${countAr(n, "#", "#")}.`,
      },
    },
  },
);
