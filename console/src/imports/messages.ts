/** The texts about imports that the service runs. */
import { booksAr, filesAr } from "../messages/arabic-counts.ts";
import { defineMessages } from "../messages/index.tsx";
import { countOf } from "../messages/plural.ts";

const countEn = countOf("en");
const countAr = countOf("ar");

export const importsMessages = defineMessages(
  {
    imports: {
      title: "Imports of the last 30 days",
      about:
        "A running one goes on when you leave this page or close the browser. Also those of bookdist import --server and of other programs.",
      name: (time: string) => `Import of ${time}`,
      files: (n: number) => countEn(n, "# file", "# files"),
      states: {
        collecting: "Not started",
        running: "Running",
        done: "Done",
        failed: "Failed",
        cancelled: "Cancelled",
      },
      undoing: "Being undone",
      undone: "Undone",
      progress: (files: string, all: string) => `${files} of ${all} files`,
      missing: (n: number, all: string) =>
        countEn(n, `# of ${all} files is missing.`, `# of ${all} files are missing.`),
      complete: "All files are there.",
      chooseAgain: "Choose the same files or folder again to go on: what was sent isn't sent again.",
      archived: "New books are archived.",
      lost: "The instance that ran it has stopped. Started again, it does what is missing.",
      start: "Start again",
      startOf: (name: string) => `Start again: ${name}`,
      cancelOf: (name: string) => `Cancel: ${name}`,
      undoOf: (name: string) => `Undo: ${name}`,
      undoHint:
        "New books are archived, files that were added to known books become inactive, and former contents and texts come back. What somebody has changed since stays.",
      undoUntil: (time: string) => `Can be undone until ${time}.`,
      undid: (books: number, files: number, texts: number) =>
        `${countEn(books, "# book was archived", "# books were archived")}, ${countEn(files, "# file made inactive", "# files made inactive")}, ${countEn(texts, "# content or text restored", "# contents and texts restored")}.`,
      kept: "Of these books, something stays:",
      keptCodes: {
        changed_since: "changed since the import",
        content_gone: "the former content isn't kept any more",
        not_recorded: "the former texts are too long for the audit log",
      },
      result: "Result",
      resultOf: (name: string) => `Result: ${name}`,
      counts: (made: number, changed: number, same: number) =>
        `${countEn(made, "# new book", "# new books")}, ${countEn(changed, "# changed", "# changed")}, ${countEn(same, "# unchanged", "# unchanged")}.`,
      unsure: (n: number) =>
        countEn(
          n,
          "# book could be one of the library, and was left out.",
          "# books could be some of the library, and were left out.",
        ),
      leftOut: (n: number) => countEn(n, "# file was left out.", "# files were left out."),
      remarked: (n: number) =>
        countEn(n, "# file isn't what its place says:", "# files aren't what their places say:"),
      failed: (n: number) => countEn(n, "# entry failed:", "# entries failed:"),
      more: (n: number) => countEn(n, "and # more", "and # more"),
      csv: "Save as CSV",
      csvOf: (name: string) => `Save as CSV: ${name}`,
    },
  },
  {
    ar: {
      imports: {
        title: "عمليات الاستيراد في آخر 30 يومًا",
        about:
          "يستمر الاستيراد الجاري إذا غادرت هذه الصفحة أو أغلقت المتصفح. ومنها ما أرسله الأمر bookdist import --server والبرامج الأخرى.",
        name: (time) => `استيراد ${time}`,
        files: filesAr,
        states: {
          collecting: "لم يبدأ",
          running: "قيد التنفيذ",
          done: "تم",
          failed: "فشل",
          cancelled: "أُلغي",
        },
        undoing: "جارٍ التراجع",
        undone: "تُراجع عنه",
        progress: (files, all) => `${files} من ${all} ملفات`,
        missing: (n, all) => `الناقص: ${filesAr(n)}، من أصل ${all}.`,
        complete: "كل الملفات موجودة.",
        chooseAgain: "اختر الملفات نفسها أو المجلد نفسه مرة أخرى للمتابعة: لا يُرسل ما أُرسل.",
        archived: "تُؤرشف الكتب الجديدة.",
        lost: "توقفت النسخة التي كانت تنفذه. عند بدئه من جديد يُكمل الناقص.",
        start: "ابدأ من جديد",
        startOf: (name) => `ابدأ من جديد: ${name}`,
        cancelOf: (name) => `إلغاء: ${name}`,
        undoOf: (name) => `تراجع: ${name}`,
        undoHint:
          "تُؤرشف الكتب الجديدة، وتصبح الملفات المضافة إلى كتب معروفة غير نشطة، وتعود المحتويات والنصوص السابقة. ويبقى ما غيّره أحد بعد ذلك.",
        undoUntil: (time) => `يمكن التراجع عنه حتى ${time}.`,
        undid: (books, files, texts) =>
          `أُرشف: ${booksAr(books)}، صار غير نشط: ${filesAr(files)}، محتويات ونصوص أُعيدت: ${countAr(texts, "#", "#")}.`,
        kept: "يبقى شيء من هذه الكتب:",
        keptCodes: {
          changed_since: "تغيّر بعد الاستيراد",
          content_gone: "لم يعد المحتوى السابق محفوظًا",
          not_recorded: "النصوص السابقة أطول من أن يحفظها سجل التدقيق",
        },
        result: "النتيجة",
        resultOf: (name) => `النتيجة: ${name}`,
        counts: (made, changed, same) =>
          `جديد: ${booksAr(made)}، تغيّر: ${booksAr(changed)}، بلا تغيير: ${booksAr(same)}.`,
        unsure: (n) => `قد تكون من كتب المكتبة فتُركت: ${booksAr(n)}.`,
        leftOut: (n) => `متروك: ${filesAr(n)}.`,
        remarked: (n) => `يخالف مكانه: ${filesAr(n)}`,
        failed: (n) => `فشل: ${countAr(n, "لا شيء", "عنصر واحد", "عنصران", "# عناصر", "# عنصرًا", "# عنصر")}`,
        more: (n) => `و${countAr(n, "#", "#")} غيرها`,
        csv: "احفظ بصيغة CSV",
        csvOf: (name) => `احفظ بصيغة CSV: ${name}`,
      },
    },
  },
);
