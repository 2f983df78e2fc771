/** The texts of the command palette and of the list of keys. */
import { defineMessages } from "../messages/index.tsx";
import { countOf } from "../messages/plural.ts";

const countEn = countOf("en");
const countAr = countOf("ar");

export const paletteMessages = defineMessages(
  {
    palette: {
      title: "Go to",
      search: "Page or book, contact, saved filter or action",
      groups: {
        pages: "Pages",
        here: "On this page",
        filters: "Saved filters",
        actions: "Actions",
        books: "Books",
        contacts: "Contacts",
      },
      filterOf: (page: string, name: string) => `${page}: ${name}`,
      actionOf: {
        addBook: "Add a book",
        importFiles: "Import files",
        addLanguage: "Add a language",
        addChannel: "Add a channel",
        addKey: "Make an API key",
        addUser: "Add a user",
        runDoctor: "Run the doctor",
      },
      colours: (name: string) => `Colours: ${name}`,
      language: (name: string) => `Language: ${name}`,
      print: "Print this page",
      showKeys: "Show the keys",
      results: "Results",
      count: (n: number) => countEn(n, "# result", "# results"),
      empty: "Nothing has all of these words. Try fewer letters.",
      keys: "Keys",
      key: "Key",
      what: "What it does",
      go: "Go to a page, a book, a contact or an action",
      find: "Search on the page",
      help: "Show this list",
      save: "Save",
      all: "Select all books of the page",
      range: "Select all rows since the last one (with a click or the space bar)",
      close: "Close a dialog",
    },
  },
  {
    ar: {
      palette: {
        title: "انتقل إلى",
        search: "صفحة أو كتاب أو جهة اتصال أو مرشّح محفوظ أو إجراء",
        groups: {
          pages: "الصفحات",
          here: "في هذه الصفحة",
          filters: "المرشّحات المحفوظة",
          actions: "الإجراءات",
          books: "الكتب",
          contacts: "جهات الاتصال",
        },
        filterOf: (page, name) => `${page}: ${name}`,
        actionOf: {
          addBook: "إضافة كتاب",
          importFiles: "استيراد ملفات",
          addLanguage: "إضافة لغة",
          addChannel: "إضافة قناة",
          addKey: "إنشاء مفتاح للواجهة البرمجية",
          addUser: "إضافة مستخدم",
          runDoctor: "بدء الفحص",
        },
        colours: (name) => `الألوان: ${name}`,
        language: (name) => `اللغة: ${name}`,
        print: "طباعة هذه الصفحة",
        showKeys: "إظهار المفاتيح",
        results: "النتائج",
        count: (n) => countAr(n, "لا نتائج", "نتيجة واحدة", "نتيجتان", "# نتائج", "# نتيجة", "# نتيجة"),
        empty: "لا شيء يحتوي كل هذه الكلمات. جرّب حروفًا أقل.",
        keys: "المفاتيح",
        key: "المفتاح",
        what: "ما يفعله",
        go: "الانتقال إلى صفحة أو كتاب أو جهة اتصال أو إجراء",
        find: "البحث في الصفحة",
        help: "إظهار هذه القائمة",
        save: "حفظ",
        all: "تحديد كل كتب الصفحة",
        range: "تحديد كل الصفوف منذ آخر صف (مع نقرة أو مفتاح المسافة)",
        close: "إغلاق نافذة",
      },
    },
  },
);
