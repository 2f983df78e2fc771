/** The texts of the command palette and of the list of keys. */
import { defineMessages } from "../messages/index.tsx";

export const paletteMessages = defineMessages(
  {
    palette: {
      title: "Go to",
      search: "Page or book",
      pages: "Pages",
      books: "Books",
      results: "Results",
      empty: "No page and no book has these words.",
      keys: "Keys",
      key: "Key",
      what: "What it does",
      go: "Go to a page or a book",
      find: "Search on the page",
      help: "Show this list",
      save: "Save a book",
      all: "Select all books of the page",
      range: "Select all rows since the last one (with a click or the space bar)",
      close: "Close a dialog",
    },
  },
  {
    ar: {
      palette: {
        title: "انتقل إلى",
        search: "صفحة أو كتاب",
        pages: "الصفحات",
        books: "الكتب",
        results: "النتائج",
        empty: "لا صفحة ولا كتاب بهذه الكلمات.",
        keys: "المفاتيح",
        key: "المفتاح",
        what: "ما يفعله",
        go: "الانتقال إلى صفحة أو كتاب",
        find: "البحث في الصفحة",
        help: "إظهار هذه القائمة",
        save: "حفظ كتاب",
        all: "تحديد كل كتب الصفحة",
        range: "تحديد كل الصفوف منذ آخر صف (مع نقرة أو مفتاح المسافة)",
        close: "إغلاق نافذة",
      },
    },
  },
);
