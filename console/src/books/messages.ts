/** The texts of the pages in this folder. */
import type { Schemas } from "../api/client.ts";
import { booksAr } from "../messages/arabic-counts.ts";
import { defineMessages } from "../messages/index.tsx";
import { countOf } from "../messages/plural.ts";

const countEn = countOf("en");
const countAr = countOf("ar");
const listEn = new Intl.ListFormat("en");
const listAr = new Intl.ListFormat("ar");
const { format: formatEn } = new Intl.NumberFormat("en");
const { format: formatAr } = new Intl.NumberFormat("ar");

export const booksMessages = defineMessages(
  {
    books: {
      title: "Books",
      search: "Search",
      searchHint: "Title, description or address name",
      status: "Status",
      all: "All",
      active: "Active",
      archived: "Archived",
      language: "Language",
      anyLanguage: "Any language",
      sort: "Order",
      sorts: {
        sortOrder: "Readers' order",
        title: "Title",
        "-updatedAt": "Changed last",
        "-createdAt": "Added last",
        "-downloads": "Most downloads",
      },
      count: (n: number) => countEn(n, "# book", "# books"),
      book: "Book",
      anyBook: "Words of its title",
      languages: "Languages",
      files: "Files",
      downloads: "Downloads",
      order: "Place",
      move: (title: string) => `Move ${title}`,
      moveHint: "Drag it, use the arrow keys, or press it to choose a place",
      moveTitle: "Move a book",
      moveThere: "Move",
      toTop: "To the top",
      toEnd: "To the end",
      position: "Place in this list",
      positionHint: (last: number) => `From 1 to ${formatEn(last)}`,
      moved: (title: string, place: string) => `${title} is now at place ${place}.`,
      changed: "Changed",
      add: "Add a book",
      export: "Export as CSV",
      empty: "There are no books yet. Add the first one, then give it files.",
      noMatch: "No book matches these filters.",
      publishedIn: "Readers find it in",
      missing: "What is missing",
      nothingMissing: "Doesn't matter",
      missingOf: { translation: "Translation", file: "File", cover: "Cover" },
      missingIn: "Missing in",
      lacking: (n: number, what: "translation" | "file" | "cover", language = "") =>
        `${countEn(n, "# book has", "# books have")} no ${[language, what].join(" ").trim()}.`,
      missingInHint: "Choose the language in which it is missing.",
      channel: "Published on",
      anyChannel: "Any channel or none",
      tag: "Tag",
      author: "Author",
      series: "Series",
      updatedSince: "Changed since",
      englishTitle: "Title in English",
    },
    book: {
      back: "All books",
      details: "Details",
      titleField: "Title",
      slug: "Address name",
      slugHint: "The part of public addresses that names this book. Links with the former name stop working.",
      tags: "Tags",
      tagsHint: "Enter or a comma after each",
      removeTag: (tag: string) => `Remove ${tag}`,
      series: "Series",
      seriesPosition: "Number in the series",
      seriesMissing: "Name the series of this number.",
      cover: "Cover",
      coverOf: (title: string) => `Cover of ${title}`,
      dropHint: "Drop files to add them to this book, or drop one on its place in the table",
      archive: "Archive",
      restore: "Restore",
      archivedNote: "This book is archived: readers don't see it.",
      archivedDone: "The book was archived.",
      restoredDone: "The book was restored.",
      delete: "Delete for good",
      deleteHint: (counts: Schemas["DeletionImpact"]["impact"], bytes: string) => {
        const { translations, files, covers, publications, visibilityOverrides, downloadEvents } = counts;
        const parts = [
          translations > 0 && countEn(translations, "# translation", "# translations"),
          files > 0 && `${countEn(files, "# file", "# files")} (${bytes})`,
          covers > 0 && countEn(covers, "# cover", "# covers"),
          publications > 0 && countEn(publications, "# publication", "# publications"),
          visibilityOverrides > 0 &&
            countEn(
              visibilityOverrides,
              "the decision of # sub-language to show or hide it",
              "the decisions of # sub-languages to show or hide it",
            ),
        ];
        const kept = countEn(downloadEvents, "# past download stays", "# past downloads stay");
        return `This deletes ${listEn.format(["the book", ...parts.filter((part) => part !== false)])}. It can't be undone. ${downloadEvents > 0 ? `${kept} in the reports.` : ""}`;
      },
      deleteConfirm: (title: string) => `Type the title to delete the book: ${title}`,
      deleted: "The book was deleted.",
    },
    cover: {
      choose: "Choose a cover",
      hint: "JPEG, PNG or WebP, at most 10 MB",
      remove: "Remove the cover",
      removeHint:
        "Readers see another cover of the book, or one that is drawn from the title. It can't be undone.",
      removed: "The cover was removed.",
    },
  },
  {
    ar: {
      books: {
        title: "الكتب",
        search: "بحث",
        searchHint: "العنوان أو الوصف أو الاسم في الرابط",
        status: "الحالة",
        all: "الكل",
        active: "نشط",
        archived: "مؤرشف",
        language: "اللغة",
        anyLanguage: "أي لغة",
        sort: "الترتيب",
        sorts: {
          sortOrder: "كما يراها القراء",
          title: "العنوان",
          "-updatedAt": "الأحدث تعديلًا",
          "-createdAt": "الأحدث إضافة",
          "-downloads": "الأكثر تنزيلًا",
        },
        count: booksAr,
        book: "الكتاب",
        anyBook: "كلمات من عنوانه",
        languages: "اللغات",
        files: "الملفات",
        downloads: "التنزيلات",
        order: "الموضع",
        move: (title) => `انقل ${title}`,
        moveHint: "اسحبه، أو استخدم مفاتيح الأسهم، أو اضغط عليه لتختار موضعًا",
        moveTitle: "نقل كتاب",
        moveThere: "نقل",
        toTop: "إلى الأول",
        toEnd: "إلى الأخير",
        position: "الموضع في هذه القائمة",
        positionHint: (last) => `من ${formatAr(1)} إلى ${formatAr(last)}`,
        moved: (title, place) => `${title} الآن في الموضع ${place}.`,
        changed: "آخر تعديل",
        add: "إضافة كتاب",
        export: "تصدير بصيغة CSV",
        empty: "لا توجد كتب بعد. أضف الكتاب الأول ثم أضف ملفاته.",
        noMatch: "لا يوجد كتاب يطابق هذه المرشّحات.",
        publishedIn: "يجده القراء بلغة",
        missing: "ما ينقصه",
        nothingMissing: "لا يهم",
        missingOf: { translation: "الترجمة", file: "الملف", cover: "الغلاف" },
        missingIn: "ينقصه في لغة",
        lacking: (n, what, language) => {
          const thing = { translation: "ترجمة", file: "ملف", cover: "غلاف" }[what];
          return `${booksAr(n)} بلا ${thing}${language ? ` باللغة ${language}` : ""}.`;
        },
        missingInHint: "اختر اللغة التي ينقصها.",
        channel: "منشور في",
        anyChannel: "أي قناة أو بلا قناة",
        tag: "الوسم",
        author: "المؤلف",
        series: "السلسلة",
        updatedSince: "تغيّر منذ",
        englishTitle: "العنوان بالإنجليزية",
      },
      book: {
        back: "كل الكتب",
        details: "التفاصيل",
        titleField: "العنوان",
        slug: "الاسم في الرابط",
        slugHint: "الجزء الذي يسمّي هذا الكتاب في الروابط العامة. تتوقف الروابط بالاسم السابق عن العمل.",
        tags: "الوسوم",
        tagsHint: "اضغط Enter أو اكتب فاصلة بعد كل وسم",
        removeTag: (tag) => `إزالة ${tag}`,
        series: "السلسلة",
        seriesPosition: "الرقم في السلسلة",
        seriesMissing: "اكتب اسم السلسلة التي لها هذا الرقم.",
        cover: "الغلاف",
        coverOf: (title) => `غلاف ${title}`,
        dropHint: "أفلت الملفات لإضافتها إلى هذا الكتاب، أو أفلت ملفًا على مكانه في الجدول",
        archive: "أرشفة",
        restore: "استعادة",
        archivedNote: "هذا الكتاب مؤرشف: لا يراه القراء.",
        archivedDone: "أُرشف الكتاب.",
        restoredDone: "استُعيد الكتاب.",
        delete: "حذف نهائي",
        deleteHint: (counts, bytes) => {
          const { translations, files, covers, publications, visibilityOverrides, downloadEvents } = counts;
          const parts = [
            translations > 0 &&
              countAr(translations, "", "ترجمة واحدة", "ترجمتين", "# ترجمات", "# ترجمة", "# ترجمة"),
            files > 0 &&
              `${countAr(files, "", "ملفًا واحدًا", "ملفين", "# ملفات", "# ملفًا", "# ملف")} (${bytes})`,
            covers > 0 && countAr(covers, "", "غلافًا واحدًا", "غلافين", "# أغلفة", "# غلافًا", "# غلاف"),
            publications > 0 &&
              countAr(publications, "", "منشورًا واحدًا", "منشورين", "# منشورات", "# منشورًا", "# منشور"),
            visibilityOverrides > 0 &&
              countAr(
                visibilityOverrides,
                "",
                "قرار لغة فرعية واحدة بإظهاره أو إخفائه",
                "قراري لغتين فرعيتين بإظهاره أو إخفائه",
                "قرارات # لغات فرعية بإظهاره أو إخفائه",
                "قرارات # لغة فرعية بإظهاره أو إخفائه",
                "قرارات # لغة فرعية بإظهاره أو إخفائه",
              ),
          ];
          const kept = countAr(
            downloadEvents,
            "",
            "يبقى تنزيل سابق واحد",
            "يبقى تنزيلان سابقان",
            "تبقى # تنزيلات سابقة",
            "يبقى # تنزيلًا سابقًا",
            "يبقى # تنزيل سابق",
          );
          return `يحذف هذا ${listAr.format(["الكتاب", ...parts.filter((part) => part !== false)])}. لا يمكن التراجع عنه. ${downloadEvents > 0 ? `${kept} في التقارير.` : ""}`;
        },
        deleteConfirm: (title) => `اكتب العنوان لحذف الكتاب: ${title}`,
        deleted: "حُذف الكتاب.",
      },
      cover: {
        choose: "اختر غلافًا",
        hint: "JPEG أو PNG أو WebP، حتى 10 ميغابايت",
        remove: "أزل الغلاف",
        removeHint: "يرى القراء غلافًا آخر للكتاب أو غلافًا مرسومًا من العنوان. لا يمكن التراجع عن ذلك.",
        removed: "أُزيل الغلاف.",
      },
    },
  },
);
