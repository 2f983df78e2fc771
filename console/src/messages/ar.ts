/** نصوص الواجهة بالعربية. */
import type { CommonMessages } from "./en.ts";
import { countOf } from "./plural.ts";

const count = countOf("ar");

export const ar: CommonMessages = {
  appName: "خدمة توزيع الكتب",
  loading: "جارٍ التحميل",
  skipToContent: "انتقل إلى المحتوى",
  navigation: "التنقل",
  openNavigation: "فتح قائمة التنقل أو إغلاقها",
  save: "حفظ",
  saving: "جارٍ الحفظ",
  cancel: "إلغاء",
  close: "إغلاق",
  undo: "تراجع",
  add: "إضافة",
  edit: "تعديل",
  remove: "إزالة",
  tryAgain: "أعد المحاولة",
  nothingFound: "لا توجد نتائج",
  moreFilters: "مرشّحات أخرى",
  fewerFilters: "مرشّحات أقل",
  clearFilters: "مسح المرشّحات",
  saved: "تم الحفظ",
  yes: "نعم",
  no: "لا",
  state: "الحالة",
  active: "نشطة",
  inactive: "غير نشطة",
  description: "الوصف",
  editOf: (name) => `تعديل ${name}`,
  nav: {
    books: "الكتب",
    languages: "اللغات",
    channels: "القنوات",
    contacts: "جهات الاتصال",
    account: "الحساب",
  },
  pages: {
    of: (page, pages) => `الصفحة ${page} من ${pages}`,
    previous: "الصفحة السابقة",
    next: "الصفحة التالية",
  },
  colours: { name: "الألوان", auto: "حسب النظام", light: "فاتح", dark: "داكن" },
  problems: {
    title: "تعذّر تنفيذ ذلك",
    unreachable: "لا يمكن الوصول إلى الخادم. ما كتبته ما زال هنا؛ أعد المحاولة.",
    unavailable: "الخادم مشغول أو يُعاد تشغيله. ما كتبته ما زال هنا؛ أعد المحاولة.",
    tooMany: (seconds) =>
      `طلبات كثيرة جدًا. أعد المحاولة بعد ${count(seconds, "# ثانية", "ثانية واحدة", "ثانيتين", "# ثوانٍ", "# ثانية", "# ثانية")}.`,
    forbidden: "لا يملك حسابك صلاحية لهذا.",
    unknown: "أبلغ الخادم عن خطأ.",
  },
  session: {
    title: "تسجيل الدخول",
    email: "البريد الإلكتروني",
    password: "كلمة المرور",
    logIn: "تسجيل الدخول",
    logOut: "تسجيل الخروج",
    wrong: "البريد الإلكتروني أو كلمة المرور غير صحيحة.",
    ended: "انتهت جلستك",
    endedHint: "سجّل الدخول مجددًا. ما كتبته في هذه الصفحة ما زال موجودًا.",
    firstHour: "لا يوجد حساب بعد؟ ينشئ مشغّل الخادم الحساب الأول بهذا الأمر:",
  },
  notFound: {
    title: "الصفحة غير موجودة",
    text: "لا توجد صفحة في هذا العنوان.",
    toBooks: "إلى الكتب",
  },
  leave: { unsaved: "لديك تغييرات غير محفوظة. هل تغادر الصفحة وتفقدها؟", leave: "مغادرة", stay: "بقاء" },
  forbidden: { text: "لا يملك حسابك صلاحية لهذه الصفحة." },
};
