/** The texts of the pages in this folder. */
import { booksAr } from "../messages/arabic-counts.ts";
import { defineMessages } from "../messages/index.tsx";
import { isolate } from "../messages/isolate.ts";
import { countOf } from "../messages/plural.ts";

const countEn = countOf("en");
const countAr = countOf("ar");

const listEn = new Intl.ListFormat("en");
const listAr = new Intl.ListFormat("ar");
const { format: formatEn } = new Intl.NumberFormat("en");
const { format: formatAr } = new Intl.NumberFormat("ar");

/** A channel with the number of books on it, of those that could be. */
interface Incomplete {
  name: string;
  published: number;
  publishable: number;
}

const downloadsEn = (n: number) => countEn(n, "# download", "# downloads");
const downloadsAr = (n: number) =>
  countAr(n, "لا تنزيلات", "تنزيل واحد", "تنزيلان", "# تنزيلات", "# تنزيلًا", "# تنزيل");

export const overviewMessages = defineMessages(
  {
    overview: {
      title: "Overview",
      csvOf: (title: string) => `${title}: save as CSV`,
      downloads: "Downloads",
      none: "There are no downloads in this range.",
      steps: {
        books: "Import books and their files",
        publish: "See which books readers find on which channels",
        site: "Readers find the books here:",
      },
      showAll: (n: number) => countEn(n, "Show # row", "Show all # rows"),
      showFirst: "Show the first ten",
      showTable: "Show as a table",
      hideTable: "Hide the table",
      from: "From",
      now: "This range",
      before: "The range before",
      first: (name: string, share: string, rows: number) =>
        rows === 1 ? `All downloads: ${name}.` : `Most downloads: ${name}, ${share}.`,
      funnel: "From the form to the book",
      funnelSentence: (requested: number, redeemed: number, share: string) =>
        `${downloadsEn(requested)} requested; ${countEn(redeemed, "# link was used", "# links were used")}, ${share}.`,
      requested: "Downloads requested",
      redeemed: "Links used",
      share: "Share of links used",
      delivered: "Books requested",
      change: (change: number, percent: string) =>
        change === 0
          ? "as in the range before"
          : `${percent} ${change > 0 ? "more" : "less"} than in the range before`,
      times: { day: "Downloads by day", week: "Downloads by week", month: "Downloads by month" },
      timesSentence: (from: string, to: string, total: number, before: number) =>
        `${from} to ${to}: ${downloadsEn(total)}, after ${countEn(before, "#", "#")} in the range before.`,
      books: "Top books",
      book: "Book",
      others: (n: number) => countEn(n, "# other book", "# other books"),
      languages: "Languages",
      language: "Language",
      map: "Where readers are",
      mapSentence: (n: number) =>
        countEn(
          n,
          "Readers came from # known country. The list of countries has all of them.",
          "Readers came from # known countries. The list of countries has all of them.",
        ),
      countries: "Countries",
      country: "Country",
      unknownPlace: "Unknown",
      devices: "Devices",
      device: "Device",
      campaigns: "Campaigns",
      campaign: "Source / medium / campaign",
      noCampaign: "No campaign",
      otherCampaigns: (n: number) => countEn(n, "# other campaign", "# other campaigns"),
      latest: "Latest downloads",
      latestSentence: "The last ten downloads of the range.",
      allDownloads: "All downloads of this range",
      preparingName: "Reading the downloads",
      preparing: (done: number, of: number) =>
        `The service has started and reads the downloads: ${countEn(done, "#", "#")} of ${countEn(of, "#", "#")}. The reports follow by themselves.`,
    },
    attention: {
      title: "Needs attention",
      nothing: "Nothing.",
      errors: (n: number, time: string) =>
        `The doctor found ${countEn(n, "# error", "# errors")} (examined ${time}).`,
      key: (name: string, time: string) => `The API key ${name} expires: ${time}.`,
      expiredKey: (name: string, time: string) =>
        `The API key ${name} has expired (${time}): programs that use it are refused.`,
      cityDatabase: (time: string) =>
        `The City database is old (made ${time}): places of readers become wrong. Update it in the settings.`,
      unpublished: (language: string, n: number) =>
        `${language}: ${countEn(n, "# book has a file and is on no channel.", "# books have a file and are on no channel.")}`,
      withoutFile: (language: string, n: number) =>
        `${language}: ${countEn(n, "# book is on a channel without a file.", "# books are on channels without a file.")}`,
      incomplete: (language: string, channels: readonly Incomplete[]) =>
        `${language}: a part of the books with a file is missing on ${listEn.format(channels.map(({ name, published, publishable }) => `${isolate(name)} (${formatEn(published)} of ${formatEn(publishable)})`))}.`,
      gapsLookedFor: (n: number, of: number) =>
        `Gaps in publication are looked for in the ${countEn(n, "# language", "# languages")} with the most books, of ${countEn(of, "#", "#")}.`,
      lastBackup: (time: string) => `Last backup: ${time}.`,
      unknownBackup: "No backup by bookdist backup is known on this server.",
    },
  },
  {
    ar: {
      overview: {
        title: "نظرة عامة",
        csvOf: (title) => `${title}: حفظ بصيغة CSV`,
        downloads: "التنزيلات",
        none: "لا توجد تنزيلات في هذه الفترة.",
        steps: {
          books: "استورد الكتب وملفاتها",
          publish: "اطّلع على الكتب المنشورة في كل قناة",
          site: "يجد القراء الكتب هنا:",
        },
        showAll: (n) =>
          countAr(
            n,
            "عرض الكل",
            "عرض صف واحد",
            "عرض صفين",
            "عرض كل الصفوف (#)",
            "عرض كل الصفوف (#)",
            "عرض كل الصفوف (#)",
          ),
        showFirst: "عرض العشرة الأولى",
        showTable: "عرض كجدول",
        hideTable: "إخفاء الجدول",
        from: "من",
        now: "هذه الفترة",
        before: "الفترة السابقة",
        first: (name, share, rows) =>
          rows === 1 ? `كل التنزيلات: ${name}.` : `أكثر التنزيلات: ${name}، ${share}.`,
        funnel: "من النموذج إلى الكتاب",
        funnelSentence: (requested, redeemed, share) =>
          `المطلوب: ${downloadsAr(requested)}؛ ${countAr(
            redeemed,
            "لم يُستخدم أي رابط",
            "استُخدم رابط واحد",
            "استُخدم رابطان",
            "استُخدمت # روابط",
            "استُخدم # رابطًا",
            "استُخدم # رابط",
          )}، ${share}.`,
        requested: "تنزيلات مطلوبة",
        redeemed: "روابط مستخدمة",
        share: "نسبة الروابط المستخدمة",
        delivered: "كتب مطلوبة",
        change: (change, percent) =>
          change === 0
            ? "كما في الفترة السابقة"
            : `${change > 0 ? "أكثر" : "أقل"} بنسبة ${percent} من الفترة السابقة`,
        times: { day: "التنزيلات حسب اليوم", week: "التنزيلات حسب الأسبوع", month: "التنزيلات حسب الشهر" },
        timesSentence: (from, to, total, before) =>
          `من ${from} إلى ${to}: ${downloadsAr(total)}، وفي الفترة السابقة: ${downloadsAr(before)}.`,
        books: "أكثر الكتب تنزيلًا",
        book: "الكتاب",
        others: (n) =>
          countAr(n, "لا كتب أخرى", "كتاب آخر", "كتابان آخران", "# كتب أخرى", "# كتابًا آخر", "# كتاب آخر"),
        languages: "اللغات",
        language: "اللغة",
        map: "أماكن القراء",
        mapSentence: (n) =>
          `البلدان المعروفة: ${countAr(n, "لا شيء", "بلد واحد", "بلدان", "# بلدان", "# بلدًا", "# بلد")}. قائمة البلدان تضمها كلها.`,
        countries: "البلدان",
        country: "البلد",
        unknownPlace: "غير معروف",
        devices: "الأجهزة",
        device: "الجهاز",
        campaigns: "الحملات",
        campaign: "المصدر / الوسيط / الحملة",
        noCampaign: "بلا حملة",
        otherCampaigns: (n) =>
          countAr(
            n,
            "لا حملات أخرى",
            "حملة أخرى",
            "حملتان أخريان",
            "# حملات أخرى",
            "# حملة أخرى",
            "# حملة أخرى",
          ),
        latest: "أحدث التنزيلات",
        latestSentence: "آخر عشرة تنزيلات في الفترة.",
        allDownloads: "كل تنزيلات هذه الفترة",
        preparingName: "قراءة التنزيلات",
        preparing: (done, of) =>
          `بدأت الخدمة وهي تقرأ التنزيلات: ${countAr(done, "#", "#", "#", "#", "#", "#")} من ${countAr(of, "#", "#", "#", "#", "#", "#")}. تظهر التقارير تلقائيًا.`,
      },
      attention: {
        title: "يحتاج إلى انتباه",
        nothing: "لا شيء.",
        errors: (n, time) =>
          `وجد الفحص ${countAr(n, "لا أخطاء", "خطأً واحدًا", "خطأين", "# أخطاء", "# خطأً", "# خطأ")} (وقت الفحص ${time}).`,
        key: (name, time) => `تنتهي صلاحية مفتاح الواجهة البرمجية «${name}»: ${time}.`,
        expiredKey: (name, time) =>
          `انتهت صلاحية مفتاح الواجهة البرمجية «${name}» (${time}): تُرفض البرامج التي تستخدمه.`,
        cityDatabase: (time) =>
          `قاعدة بيانات المدن قديمة (أُعدّت ${time}): تصبح أماكن القراء خاطئة. حدّثها في الإعدادات.`,
        unpublished: (language, n) => `${language}: ${booksAr(n)} بملف وليست على أي قناة.`,
        withoutFile: (language, n) => `${language}: ${booksAr(n)} على قنوات بلا ملف.`,
        incomplete: (language, channels) =>
          `${language}: ينقص جزء من الكتب ذات الملفات في ${listAr.format(channels.map(({ name, published, publishable }) => `${isolate(name)} (${formatAr(published)} من ${formatAr(publishable)})`))}.`,
        gapsLookedFor: (n, of) =>
          `يُبحث عن فجوات النشر في اللغات الأكثر كتبًا فقط: ${countAr(n, "#", "#", "#", "#", "#", "#")} من ${countAr(of, "#", "#", "#", "#", "#", "#")}.`,
        lastBackup: (time) => `آخر نسخة احتياطية: ${time}.`,
        unknownBackup: "لا تُعرف نسخة احتياطية بواسطة bookdist backup على هذا الخادم.",
      },
    },
  },
);
