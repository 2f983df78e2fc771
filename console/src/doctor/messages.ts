/** The texts of the page in this folder. */
import { filesAr } from "../messages/arabic-counts.ts";
import { defineMessages } from "../messages/index.tsx";
import { countOf } from "../messages/plural.ts";
import { arabicChecks, englishChecks } from "./check-messages.ts";

const count = countOf("en");
const countArabic = countOf("ar");

export const doctorMessages = defineMessages(
  {
    doctor: {
      title: "Doctor",
      about:
        "The doctor compares the database with the stored files, and looks for what readers can't find. It repairs nothing.",
      run: "Run",
      deepRun: "Deep run",
      deepHint:
        "A deep run also reads every stored byte and the whole database. It takes minutes to hours and delays no requests.",
      cloud: "Also request every cloud link",
      starting: "The examination begins.",
      progress: (done: string, of: string) => `${done} of ${of} files, covers and links examined`,
      cancelling: "The examination is being cancelled.",
      ended: {
        done: "The examination is finished.",
        cancelled: "The examination was cancelled.",
        failed: "The examination failed.",
        lost: "The server was stopped during the examination. Start it again.",
      },
      joined: "An examination is running already. This is its progress.",
      last: "Last report",
      never: "There is no report yet. Start the first examination above.",
      healthy: "No errors",
      unhealthy: "Errors found",
      at: (time: string) => `Examined on ${time}`,
      examined: (files: number, covers: number, bytes: number) =>
        `${count(files, "# file", "# files")}, ${count(covers, "# cover", "# covers")}, ${count(bytes, "# stored blob", "# stored blobs")}`,
      links: (links: number) => count(links, "# cloud link", "# cloud links"),
      setAside: (files: number, size: string) => `${count(files, "# file", "# files")} set aside (${size})`,
      findings: "Findings",
      noFindings: "Nothing was found.",
      severity: { error: "Error", warning: "Warning" },
      found: (n: number) => count(n, "Found once", "Found # times"),
      shown: (n: number, of: number) => `The first ${n} of ${of} are listed.`,
      object: "Concerns",
      detail: "Details",
      mend: "What mends it:",
      commands: (n: number): string => (n === 1 ? "Command on the server:" : "Commands on the server:"),
      toPage: {
        languages: "To the languages",
        books: "To the books",
        settings: "To the settings",
        library: "To the library",
      },
      checks: "All checks",
      check: "Check",
      result: "Result",
      passed: "Nothing found",
      texts: englishChecks,
    },
  },
  {
    ar: {
      doctor: {
        title: "الفحص",
        about: "يقارن الفحص قاعدة البيانات بالملفات المخزَّنة، ويبحث عمّا لا يجده القرّاء. لا يُصلح شيئًا بنفسه.",
        run: "فحص",
        deepRun: "فحص عميق",
        deepHint:
          "يقرأ الفحص العميق أيضًا كل البايتات المخزَّنة وقاعدة البيانات كلها. يستغرق دقائق إلى ساعات ولا يؤخّر أحدًا.",
        cloud: "اطلب كل الروابط السحابية أيضًا",
        starting: "يبدأ الفحص.",
        progress: (done, of) => `فُحص ${done} من ${of} من الملفات والأغلفة والروابط`,
        cancelling: "جارٍ إلغاء الفحص.",
        ended: {
          done: "انتهى الفحص.",
          cancelled: "أُلغي الفحص.",
          failed: "أخفق الفحص.",
          lost: "توقّف الخادم أثناء الفحص. ابدأه من جديد.",
        },
        joined: "هناك فحص جارٍ بالفعل. هذا تقدّمه.",
        last: "آخر تقرير",
        never: "لا يوجد تقرير بعد. ابدأ الفحص الأول أعلاه.",
        healthy: "لا أخطاء",
        unhealthy: "وُجدت أخطاء",
        at: (time) => `أُجري الفحص في ${time}`,
        examined: (files, covers, bytes) =>
          `${filesAr(files)}، ${countArabic(covers, "لا أغلفة", "غلاف واحد", "غلافان", "# أغلفة", "# غلافًا", "# غلاف")}، ${countArabic(bytes, "لا محتويات مخزَّنة", "محتوى مخزَّن واحد", "محتويان مخزَّنان", "# محتويات مخزَّنة", "# محتوى مخزَّنًا", "# محتوى مخزَّن")}`,
        links: (links) =>
          countArabic(
            links,
            "لا روابط سحابية",
            "رابط سحابي واحد",
            "رابطان سحابيان",
            "# روابط سحابية",
            "# رابطًا سحابيًا",
            "# رابط سحابي",
          ),
        setAside: (files, size) =>
          `${countArabic(files, "لا ملفات منحّاة", "ملف منحّى واحد", "ملفان منحّيان", "# ملفات منحّاة", "# ملفًا منحّى", "# ملف منحّى")} (${size})`,
        findings: "النتائج",
        noFindings: "لم يُعثر على شيء.",
        severity: { error: "خطأ", warning: "تحذير" },
        found: (n) =>
          countArabic(n, "لم يوجد", "وُجد مرة واحدة", "وُجد مرتين", "وُجد # مرات", "وُجد # مرة", "وُجد # مرة"),
        shown: (n, of) => `المعروض أول ${n} من ${of}.`,
        object: "يخصّ",
        detail: "التفاصيل",
        mend: "ما يُصلحه:",
        commands: (n) => (n === 1 ? "الأمر على الخادم:" : "الأوامر على الخادم:"),
        toPage: {
          languages: "إلى اللغات",
          books: "إلى الكتب",
          settings: "إلى الإعدادات",
          library: "إلى المكتبة",
        },
        checks: "كل الفحوص",
        check: "الفحص",
        result: "النتيجة",
        passed: "لم يُعثر على شيء",
        texts: arabicChecks,
      },
    },
  },
);
