/** The texts of the pages in this folder. */
import { booksAr } from "../messages/arabic-counts.ts";
import { defineMessages } from "../messages/index.tsx";
import { countOf } from "../messages/plural.ts";

const countEn = countOf("en");
const countAr = countOf("ar");

const publicationsAr = (n: number): string =>
  countAr(n, "لا نشرات", "نشرة واحدة", "نشرتان", "# نشرات", "# نشرة", "# نشرة");

export const publicationsMessages = defineMessages(
  {
    publications: {
      title: "Publications",
      language: "Language",
      search: "Search",
      searchHint: "Title of a book",
      show: "Show",
      shown: {
        all: "All books",
        gaps: "Available, but on no channel",
        withoutFile: "Published, but without a file",
      },
      book: "Book",
      count: (n: number) => countEn(n, "# book", "# books"),
      hint: "Click a cell, or press Space, to publish or withdraw. Shift selects a range; a title selects its row, a channel its column.",
      publish: "Publish",
      withdraw: "Withdraw",
      csv: "Save as CSV",
      noFile: "No file",
      states: { on: "Published", off: "Not published", inherited: "Published by the parent language" },
      saved: "All changes are saved.",
      saving: (n: number) => `${countEn(n, "# change is", "# changes are")} being saved.`,
      waiting: (n: number) => `${countEn(n, "# change isn't", "# changes aren't")} saved yet.`,
      noChannels: "There are no channels yet. Add the first one on the page Channels.",
      noLanguages: "There are no languages yet. Add the first one on the page Languages.",
      noBooks: "There are no books yet.",
      noMatch: "No book matches these filters.",
      selected: (n: number) => countEn(n, "# cell selected", "# cells selected"),
    },
  },
  {
    ar: {
      publications: {
        title: "النشر",
        language: "اللغة",
        search: "بحث",
        searchHint: "عنوان كتاب",
        show: "العرض",
        shown: {
          all: "كل الكتب",
          gaps: "متاحة، وليست في أي قناة",
          withoutFile: "منشورة، ولكن بلا ملف",
        },
        book: "الكتاب",
        count: booksAr,
        hint: "انقر خلية أو اضغط مفتاح المسافة للنشر أو لسحب النشر. يحدد مفتاح Shift نطاقًا، ويحدد العنوان صفه، والقناة عمودها.",
        publish: "نشر",
        withdraw: "سحب النشر",
        csv: "حفظ بصيغة CSV",
        noFile: "بلا ملف",
        states: { on: "منشور", off: "غير منشور", inherited: "منشور عبر اللغة الأم" },
        saved: "حُفظت كل التغييرات.",
        saving: (n) => `جارٍ الحفظ: ${publicationsAr(n)}.`,
        waiting: (n) => `لم يُحفظ بعد: ${publicationsAr(n)}.`,
        noChannels: "لا توجد قنوات بعد. أضف الأولى في صفحة القنوات.",
        noLanguages: "لا توجد لغات بعد. أضف الأولى في صفحة اللغات.",
        noBooks: "لا توجد كتب بعد.",
        noMatch: "لا يوجد كتاب يطابق هذه المرشّحات.",
        selected: (n) =>
          countAr(
            n,
            "لا خلايا محددة",
            "خلية واحدة محددة",
            "خليتان محددتان",
            "# خلايا محددة",
            "# خلية محددة",
            "# خلية محددة",
          ),
      },
    },
  },
);
