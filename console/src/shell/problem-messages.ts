/**
 * Errors of the API in the languages of the console, by their codes. English has none: the API's own sentences are
 * English, and are also shown in other languages for codes that aren't named here.
 */
import type { Schemas } from "../api/client.ts";
import { defineMessages } from "../messages/index.tsx";
import { countOf } from "../messages/plural.ts";

interface ProblemTexts {
  codes: Readonly<Partial<Record<Schemas["ErrorCode"], string>>>;
  /** Of single fields; a function gets the sentence of the API, for the numbers in it. */
  fields: Readonly<Partial<Record<Schemas["FieldErrorCode"], string | ((english: string) => string)>>>;
}

const count = countOf("ar");
const { format } = new Intl.NumberFormat("ar");

const characters = (n: number): string => count(n, "# حرف", "حرف واحد", "حرفان", "# أحرف", "# حرفًا", "# حرف");
const items = (n: number): string =>
  count(n, "# عنصر", "عنصر واحد", "عنصران", "# عناصر", "# عنصرًا", "# عنصر");

/** The bound that an English sentence names, with its unit. */
function writeBound(english: string): string | undefined {
  const [, digits, unit = ""] = /(-?\d+)(?: (character|item))?/.exec(english) ?? [];
  if (digits === undefined) return undefined;
  const write = { character: characters, item: items }[unit] ?? format;
  return write(Number(digits));
}

function describeTooBig(english: string): string {
  const bound = writeBound(english);
  return bound === undefined ? "القيمة أكبر أو أطول مما يُقبل" : `الحد الأقصى: ${bound}`;
}

function describeTooSmall(english: string): string {
  if (english === "must not be empty") return "لا يمكن أن يكون فارغًا";
  const bound = writeBound(english);
  return bound === undefined ? "القيمة أصغر أو أقصر مما يُقبل" : `الحد الأدنى: ${bound}`;
}

export const problemMessages = defineMessages<ProblemTexts>(
  { codes: {}, fields: {} },
  {
    ar: {
      codes: {
        api_key_not_found: "لا يوجد مفتاح بهذا المعرّف، أو أُلغي.",
        body_incomplete: "انقطع الاتصال قبل اكتمال الإرسال. أعد المحاولة.",
        body_too_large: "ما أُرسل أكبر مما يقبله الخادم.",
        book_archived: "الكتاب مؤرشف. استعده أولًا.",
        book_not_archived: "الكتاب غير مؤرشف، فلا حاجة إلى استعادته.",
        book_not_found: "لم يعد هذا الكتاب موجودًا.",
        changed_meanwhile: "غيّر شخص آخر هذا السجل في هذه الأثناء. حمّل الصفحة من جديد وقارن.",
        channel_in_use: "تعرض المكتبة هذه القناة، فلا يمكن حذفها. اختر قناة أخرى للمكتبة أولًا.",
        channel_not_found: "لم تعد هذه القناة موجودة.",
        cloud_link_is_a_folder: "يؤدي الرابط إلى مجلد. ضع رابط الملف نفسه.",
        contact_not_found: "لم تعد جهة الاتصال هذه موجودة.",
        consent_version_needed: "لهذا الإصدار نص موافقة آخر. اكتب إصدارًا جديدًا للنص الذي تغيّر.",
        content_unknown: "لم يعد محتوى هذا الملف محفوظًا في الخادم. أرسله من جديد.",
        cover_not_found: "لا يوجد غلاف لهذه اللغة.",
        cross_site_request: "رُفض الطلب لأنه جاء من صفحة موقع آخر.",
        custom_domain_taken: "هذا النطاق مستعمل للغة أخرى.",
        disk_full: "امتلأ قرص الخادم. اطلب من مشغّله أن يفرغ مساحة، ثم أعد المحاولة.",
        doctor_running: "هناك فحص آخر قيد التنفيذ. انتظر حتى ينتهي.",
        email_taken: "هذا البريد الإلكتروني مستعمل لمستخدم آخر.",
        file_empty: "الملف فارغ.",
        file_is_uploaded: "رُفع هذا الملف، فلا يمكن أن يصير رابطًا. أضف الرابط ملفًا آخر.",
        file_not_found: "لم يعد هذا الملف موجودًا.",
        file_too_large: "الملف أكبر مما يقبله الخادم.",
        file_type_changed: "تغيّرت صيغة الملف أثناء الإرسال. حمّل الصفحة من جديد ثم أعد الإرسال.",
        file_type_needed: "للكتاب عدة ملفات بهذه اللغة. اختر الصيغة.",
        geoip_key_missing: "ليس لدى الخادم مفتاح لمزوّد تحديد المواقع.",
        geoip_provider_failed: "رفض مزوّد تحديد المواقع الطلب أو لم يستجب. تحقق من المفتاح ثم أعد المحاولة.",
        geoip_update_running: "هناك تحديث آخر لقاعدة المدن قيد التنفيذ. انتظر حتى ينتهي.",
        image_invalid: "تعذّرت قراءة الصورة. اختر صورة سليمة بصيغة JPEG أو PNG أو WebP.",
        image_too_large: "الصورة أكبر مما يُقبل. اختر صورة أصغر.",
        image_type_unsupported: "الصورة متحركة، أو ليست بصيغة JPEG أو PNG أو WebP.",
        images_unavailable: "لا يستطيع هذا الخادم معالجة الصور. اطلب من مشغّله أن يفحصه.",
        invalid_input: "بعض القيم غير صحيح.",
        job_not_found: "لا توجد مهمة بهذا المعرّف، أو انتهت منذ أكثر من يوم.",
        job_running: "هناك مهمة أخرى من هذا النوع قيد التنفيذ. انتظر حتى تنتهي أو ألغها.",
        language_code_taken: "توجد لغة أخرى بهذا الرمز.",
        language_not_found: "لم تعد هذه اللغة موجودة.",
        last_admin: "هذا آخر مدير نشط. أنشئ مديرًا آخر أولًا.",
        logo_not_found: "لم يعد للمكتبة شعار.",
        malformed_multipart: "وصل ما أُرسل ناقصًا. أعد الإرسال.",
        not_a_sub_language: "ليست هذه لغة فرعية.",
        not_found: "لا يوجد شيء في هذا العنوان.",
        not_published: "الكتاب غير منشور بهذه اللغة.",
        precondition_failed: "تغيّر السجل في هذه الأثناء. حمّل الصفحة من جديد.",
        publication_inherited: "تأخذ اللغة الفرعية هذا النشر من اللغة الأم. ألغه هناك، أو أخفِ الكتاب هنا.",
        route_not_found: "لا توجد عملية في هذا العنوان.",
        session_not_found: "انتهت هذه الجلسة.",
        slug_taken: "هذا الاسم في الرابط مستعمل لكتاب آخر.",
        translation_not_found: "لا توجد ترجمة بهذه اللغة.",
        unauthenticated: "انتهت جلستك. سجّل الدخول من جديد.",
        unknown_file_type: "صيغة الملف غير مدعومة، أو الملف تالف.",
        unsupported_media_type: "لا يقبل الخادم هذا النوع من المحتوى.",
        upload_aborted: "انقطع الإرسال قبل اكتمال الملف. أرسله من جديد.",
        user_not_found: "لم يعد هذا المستخدم موجودًا.",
        wrong_credentials: "البريد الإلكتروني أو كلمة المرور غير صحيحة.",
        wrong_file_type: "محتوى الملف ليس بالصيغة المختارة أو التي يدل عليها اسمه.",
        wrong_password: "كلمة المرور الحالية غير صحيحة.",
      },
      fields: {
        after_itself: "لا يمكن وضع الكتاب بعد نفسه",
        archived_book: "الكتاب مؤرشف",
        cloud_link_is_a_folder: "يؤدي الرابط إلى مجلد؛ ضع رابط الملف",
        common_password: "كلمة المرور شائعة؛ اختر غيرها",
        contradiction: "يشير حقلان إلى سجلين مختلفين",
        end_before_start: "النهاية قبل البداية",
        expiry_in_past: "تاريخ الانتهاء في الماضي",
        file_type_needed: "للكتاب عدة ملفات بهذه اللغة؛ اختر الصيغة",
        impossible_date: "لا يوجد هذا التاريخ",
        inherited_publication: "تأخذ اللغة الفرعية هذا النشر من اللغة الأم",
        invalid_characters: "في النص رموز غير مسموحة",
        invalid_date: "ليس هذا تاريخًا صحيحًا",
        invalid_element: "في القائمة عنصر غير صحيح",
        invalid_email: "ليس هذا بريدًا إلكترونيًا صحيحًا",
        invalid_format: "ليس هذا بالشكل المطلوب",
        invalid_isbn: "ليس هذا رقم ISBN، أو رقم التحقق فيه خاطئ",
        invalid_language_code: "ليس هذا رمز لغة، مثل es أو pt-BR",
        invalid_type: (english) => (english === "is required" ? "هذا الحقل مطلوب" : "نوع القيمة غير صحيح"),
        invalid_union: "القيمة غير صحيحة",
        invalid_value: "القيمة ليست من القيم المقبولة",
        limit_file_size: "الملف أكبر مما يُقبل",
        missing: "هذا الحقل مطلوب",
        missing_cloud_url: "الرابط مطلوب هنا",
        missing_language: "اختر لغة",
        missing_slug: "تعذّر اشتقاق اسم للرابط من العنوان؛ اكتب اسمًا",
        not_changeable: "لا يمكن تغيير هذا لملف مرفوع",
        not_multiple_of: "الرقم ليس من مضاعفات الخطوة المطلوبة",
        repeated_book: "الكتاب مكرر",
        repeated_file: "الصيغة مكررة لهذه اللغة",
        repeated_language: "اللغة مكررة",
        repeated_publication: "ورد تغيير سابق للكتاب والقناة واللغة نفسها",
        repeated_slug: "ورد الاسم نفسه في الرابط من قبل",
        slug_of_another_title: "الاسم المشتقّ من العنوان لكتاب آخر؛ اكتب اسمًا",
        text_version_needed: "اكتب نسخة نص الموافقة",
        too_big: describeTooBig,
        too_many_cities: "يطابق البحث مدنًا كثيرة جدًا",
        too_many_marks: "في النص علامات تشكيل كثيرة متتالية",
        too_many_periods: "المدة طويلة جدًا لهذا التقسيم",
        too_many_titles: "يطابق البحث عناوين كثيرة جدًا",
        too_many_words: "في البحث كلمات كثيرة جدًا",
        too_small: describeTooSmall,
        unfit_parent: "لا تصلح هذه اللغة لغةً أمًّا",
        unknown_book: "لم يعد هذا الكتاب موجودًا",
        unknown_channel: "لم تعد هذه القناة موجودة",
        unknown_language: "لا توجد هذه اللغة",
        unknown_text_version: "لا يوجد نص موافقة بهذه النسخة",
        unknown_timezone: "ليس هذا اسم منطقة زمنية",
        url_host_not_public: "عنوان الرابط ليس على الإنترنت العام",
        url_malformed: "ليس هذا رابطًا صحيحًا",
        url_not_https: "يجب أن يبدأ الرابط بـ https",
        url_of_another_provider: "الرابط لمزوّد آخر",
        url_port_not_allowed: "المنفذ في الرابط غير مسموح",
        url_too_long: "الرابط طويل جدًا",
        url_with_credentials: "لا يجوز أن يحتوي الرابط على اسم مستخدم أو كلمة مرور",
        wrong_password: "كلمة المرور غير صحيحة",
      },
    },
  },
);
