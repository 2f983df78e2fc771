/** The texts of uploads, on the page Import and on the page of a book. */
import { defineMessages } from "../messages/index.tsx";
import { countOf } from "../messages/plural.ts";

const countEn = countOf("en");
const countAr = countOf("ar");

const filesAr = (n: number): string =>
  countAr(n, "لا ملفات", "ملف واحد", "ملفان", "# ملفات", "# ملفًا", "# ملف");
const booksAr = (n: number): string =>
  countAr(n, "لا كتب", "كتاب واحد", "كتابان", "# كتب", "# كتابًا", "# كتاب");

export const uploadsMessages = defineMessages(
  {
    uploads: {
      title: "Import",
      intro:
        "Drop files or whole folders. Their formats, titles and languages are recognised, and nothing is changed before you have looked at it. Files that the library has already aren't sent again.",
      drop: "Drop files or folders here",
      dropOnBook: "Add files to this book",
      dropOnBookHint: "Drop files in any language: it is recognised, and you can correct it.",
      chooseFiles: "Choose files",
      chooseFolder: "Choose a folder",
      queue: "Files",
      files: (n: number) => countEn(n, "# file", "# files"),
      statuses: {
        waiting: "Waiting",
        hashing: "Reading",
        hashed: "Waiting",
        lookingUp: "Looking it up",
        unknown: "Waiting",
        sending: "Sending",
        ready: "Recognised",
        storing: "Storing",
        stored: "Stored",
        known: "In the library already",
        failed: "Failed",
      },
      heldUp: "Waiting for the server",
      show: "Show",
      shownAll: "All files",
      progress: (done: string, all: number) =>
        `${done} of ${countEn(all, "# file is", "# files are")} examined.`,
      retry: "Try failed files again",
      clear: "Remove finished files",
      unreadable: "The file can't be read any more.",
      tooLarge: (size: string) => `The file is too large: the server takes at most ${size}.`,
      drafts: "What will be stored",
      draftsHint:
        "Correct what was recognised wrongly. Files without a language, a format or a book can't be stored.",
      include: (path: string) => `Store ${path}`,
      file: "File",
      language: "Language",
      type: "Format",
      titleField: "Title",
      book: "Book",
      languageOf: (path: string) => `Language of ${path}`,
      typeOf: (path: string) => `Format of ${path}`,
      titleOf: (path: string) => `Title of ${path}`,
      bookOf: (path: string) => `Book of ${path}`,
      choose: "Choose",
      newLanguage: (name: string) => `${name} (new)`,
      newLanguages: (names: string) => `These languages are new, and are created: ${names}.`,
      store: (n: number) => countEn(n, "Store # file", "Store # files"),
      books: (n: number, fresh: number) =>
        `${countEn(n, "# book", "# books")}, ${countEn(fresh, "# new", "# new")}`,
      stop: "Stop",
      results: {
        stored: (n: number) => countEn(n, "# file was stored.", "# files were stored."),
        known: (n: number) => countEn(n, "# file was there already.", "# files were there already."),
        failed: (n: number) => countEn(n, "# file failed.", "# files failed."),
      },
      keeps: "The book has another file there, which this one would replace.",
      catalogue: (name: string) => `The books are those that ${name} describes.`,
      ignoreCatalogue: "Ignore it",
    },
  },
  {
    ar: {
      uploads: {
        title: "استيراد",
        intro:
          "أسقط ملفات أو مجلدات كاملة. تُعرف صيغها وعناوينها ولغاتها تلقائيًا، ولا يتغيّر شيء قبل أن تراجعه. لا تُرسل مرة أخرى الملفات الموجودة في المكتبة.",
        drop: "أسقط الملفات أو المجلدات هنا",
        dropOnBook: "إضافة ملفات إلى هذا الكتاب",
        dropOnBookHint: "أسقط ملفات بأي لغة: تُعرف لغتها تلقائيًا ويمكنك تصحيحها.",
        chooseFiles: "اختر ملفات",
        chooseFolder: "اختر مجلدًا",
        queue: "الملفات",
        files: filesAr,
        statuses: {
          waiting: "في الانتظار",
          hashing: "جارٍ القراءة",
          hashed: "في الانتظار",
          lookingUp: "جارٍ البحث عنه",
          unknown: "في الانتظار",
          sending: "جارٍ الإرسال",
          ready: "تم التعرّف عليه",
          storing: "جارٍ التخزين",
          stored: "خُزّن",
          known: "موجود في المكتبة",
          failed: "فشل",
        },
        heldUp: "في انتظار الخادم",
        show: "العرض",
        shownAll: "كل الملفات",
        progress: (done, all) => `فُحص ${done} من ${filesAr(all)}.`,
        retry: "أعد محاولة الملفات الفاشلة",
        clear: "أزل الملفات المنتهية",
        unreadable: "لم يعد بالإمكان قراءة الملف.",
        tooLarge: (size) => `الملف كبير جدًا: يقبل الخادم ${size} على الأكثر.`,
        drafts: "ما سيُخزَّن",
        draftsHint: "صحّح ما لم يُتعرَّف عليه جيدًا. لا يمكن تخزين ملف بلا لغة أو صيغة أو كتاب.",
        include: (path) => `خزّن ${path}`,
        file: "الملف",
        language: "اللغة",
        type: "الصيغة",
        titleField: "العنوان",
        book: "الكتاب",
        languageOf: (path) => `لغة ${path}`,
        typeOf: (path) => `صيغة ${path}`,
        titleOf: (path) => `عنوان ${path}`,
        bookOf: (path) => `كتاب ${path}`,
        choose: "اختر",
        newLanguage: (name) => `${name} (جديدة)`,
        newLanguages: (names) => `هذه اللغات جديدة وستُنشأ: ${names}.`,
        store: (n) => `تخزين ${filesAr(n)}`,
        books: (n, fresh) => `${booksAr(n)}، الجديد منها: ${countAr(fresh, "#", "#")}`,
        stop: "إيقاف",
        results: {
          stored: (n) => `خُزّن: ${filesAr(n)}.`,
          known: (n) => `كان موجودًا: ${filesAr(n)}.`,
          failed: (n) => `فشل: ${filesAr(n)}.`,
        },
        keeps: "للكتاب ملف آخر في هذا الموضع، وسيحل هذا محله.",
        catalogue: (name) => `الكتب هي التي يصفها ${name}.`,
        ignoreCatalogue: "تجاهله",
      },
    },
  },
);
