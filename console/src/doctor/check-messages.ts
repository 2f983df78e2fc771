/** What each finding of the doctor means, and what mends it. */

interface CheckText {
  title: string;
  meaning: string;
  mend: string;
}

export const englishChecks = {
  damaged_database: {
    title: "Damaged database",
    meaning: "The database file is damaged. Anything read from it can be wrong.",
    mend: "Check the disk, then restore a backup.",
  },
  broken_reference: {
    title: "Broken references",
    meaning: "Rows of the database refer to rows that are missing.",
    mend: "Check the disk, then restore a backup.",
  },
  foreign_trigger: {
    title: "Foreign triggers and views",
    meaning:
      "The database has triggers, views, rules or policies that this service did not create. They run statements of their own.",
    mend: "Remove them in SQLite or PostgreSQL, with DROP VIEW, DROP RULE or DROP POLICY where it isn't a trigger, or restore an earlier backup.",
  },
  foreign_table: {
    title: "Foreign tables",
    meaning: "The database has tables or indexes that this service did not create.",
    mend: "Nothing is needed if a tool of yours created them, such as Litestream or ANALYZE; otherwise remove them in SQLite or PostgreSQL.",
  },
  missing_constraint: {
    title: "Missing constraints",
    meaning:
      "The database lacks unique indexes, foreign keys or other constraints of the service. Requests that need them fail, or wrong rows can be stored.",
    mend: "Make them again with the command. It names the rows that prevent that, and changes none. For a missing table, restore a backup.",
  },
  missing_index: {
    title: "Missing indexes",
    meaning: "The database lacks indexes of the service: pages and reports that need them are slow.",
    mend: "Make them again with the command.",
  },
  missing_bytes: {
    title: "Missing files",
    meaning: "The bytes of files or covers are missing, or have another size. Readers can't download them.",
    mend: "Upload the file again, or restore a backup.",
  },
  unreadable_bytes: {
    title: "Unreadable files",
    meaning: "The service may not read stored files, or the disk reports errors.",
    mend: "Give the files to the user of the service. If the disk reports errors, check it.",
  },
  changed_bytes: {
    title: "Changed files",
    meaning: "Stored bytes are no longer those that were uploaded: the disk may be failing.",
    mend: "Check the disk, then upload the file again or restore a backup.",
  },
  orphaned_bytes: {
    title: "Unused files",
    meaning: "Stored bytes belong to no file and no cover.",
    mend: "Nothing is needed: the next start of the service sets them aside, and they are deleted later. The command sets them aside now.",
  },
  many_orphaned_bytes: {
    title: "Very many unused files",
    meaning: "So much is unused that the database or the file store is most likely another one.",
    mend: "Check that DATABASE_URL, STORAGE_URL and DATA_DIR belong together. The first command lists the unused files; if nothing needs them, the second one sets them aside.",
  },
  language_without_files: {
    title: "Languages without files",
    meaning: "Languages are active, but no active book has a file in them.",
    mend: "Upload files in the language, or deactivate it.",
  },
  translation_without_file: {
    title: "Translations without a file",
    meaning: "Books have a title in a language, but no file: readers don't see them there.",
    mend: "Upload the book in the language, or remove the translation.",
  },
  published_without_file: {
    title: "Publications without a file",
    meaning: "Books are on a channel in a language in which they have no file.",
    mend: "Upload the book in the language, or unpublish it there.",
  },
  library_channel: {
    title: "The library is empty",
    meaning: "The library for readers shows a channel that is inactive: readers find no books.",
    mend: "Activate the channel, or choose another one on the page Library.",
  },
  stale_search_texts: {
    title: "Outdated texts for searches",
    meaning:
      "The texts in which searches look for books aren't those of the titles and descriptions: searches miss books.",
    mend: "Run the command. It works while the service is running.",
  },
  search_index_missing: {
    title: "Searches without an index",
    meaning:
      "PostgreSQL has no index of trigrams for the texts of books, or only one of ASCII: searches find the same, but read all texts.",
    mend: "Run the statement of the message as the owner of the database. If its lc_ctype is C, create a database with LC_CTYPE 'C.UTF-8' and move the data there.",
  },
  misplaced_file: {
    title: "Files that say something else",
    meaning:
      "Files say another language, title or ISBN of themselves than the book and language in which they are.",
    mend: "Look at the file. If it is of another book or language, replace it on the page of its book; if only the file is wrong, nothing has to be done.",
  },
  similar_books: {
    title: "Books that look alike",
    meaning: "Two books have the same title and authors in a language: readers see them twice.",
    mend: "If they are one book, archive one of them. If not, tell them apart by title or authors.",
  },
  equal_files: {
    title: "The same file in two books",
    meaning: "A file of one book has the bytes of a file of another book.",
    mend: "If the file belongs to one of the books only, remove it from the other one.",
  },
  cloud_link_broken: {
    title: "Broken cloud links",
    meaning: "Links don't lead to a file, so readers can't download it.",
    mend: "Open the link in a private window of the browser. Share the file publicly, or replace the link on the page of its book. The command checks the links again.",
  },
  geoip_stale: {
    title: "Old City database",
    meaning: "The database that finds cities by address is more than 30 days old.",
    mend: "Update it on the page of settings, or with the command.",
  },
  clock_ahead: {
    title: "The clock is far ahead",
    meaning:
      "The clock of the server is far ahead of the last hour in which the service ran. Nothing is deleted by age until this is resolved.",
    mend: "Correct the clock. If it is right, run the command.",
  },
  clock_differs: {
    title: "The clock differs from the database's",
    meaning:
      "The clock of an instance is more than two seconds off the clock of the database's server. Links expire too early or too late, and dates are wrong.",
    mend: "Correct the clock of the machine that is wrong, for example by NTP. The command shows whether it is right.",
  },
  overdue_readers: {
    title: "Readers that should be removed",
    meaning:
      "Old downloads still have a contact or an address, two days after they should have been removed.",
    mend: "Let the service run for more than an hour without a restart: it removes them an hour after a start, and then daily. Otherwise look for errors in its log.",
  },
  unwritten_redemptions: {
    title: "Downloads that aren't recorded",
    meaning:
      "Files were delivered while the database took no changes. Their downloads wait to be recorded, or were given up after a day.",
    mend: "Those that wait are recorded as soon as the database takes changes: look for errors in the log of the service. Those that were given up are missing in the reports.",
  },
  trusted_readers: {
    title: "Readers are taken for proxies",
    meaning:
      "TRUST_PROXY trusts addresses from which readers come. These can claim to have any other address, which evades limits and is recorded.",
    mend: "Set TRUST_PROXY to the number of proxies in front of the service, or to their own addresses, and restart it.",
  },
  webhook_disabled: {
    title: "Disabled webhooks",
    meaning:
      "A receiving system has said that it is gone, or has failed for five days. Events aren't sent to it.",
    mend: "Ask its operator, then make the webhook active again.",
  },
  webhook_secret: {
    title: "Webhooks without a readable secret",
    meaning: "The secret was stored under another AUTH_SECRET. Nothing can be signed, so nothing is sent.",
    mend: "Renew the secret of the webhook, and give the new one to the receiving system.",
  },
  outbox_held: {
    title: "Held deliveries",
    meaning:
      "What waited to be sent before a restore, a move or a new AUTH_SECRET is held: another copy of the database may have sent it.",
    mend: "Decide on the server whether it is sent (release) or not (drop).",
  },
  outbox_dropped: {
    title: "Dropped events",
    meaning: "Too many events were waiting for receiving systems. Those that came later were dropped.",
    mend: "Look for receiving systems that are away, and deactivate their webhooks.",
  },
  images_unavailable: {
    title: "Images can't be made",
    meaning: "Covers and the favicon can't be created on this server.",
    mend: "Install the packages of the service again.",
  },
} satisfies Record<string, CheckText>;

export type KnownCheck = keyof typeof englishChecks;

export const arabicChecks: Record<KnownCheck, CheckText> = {
  damaged_database: {
    title: "قاعدة بيانات تالفة",
    meaning: "ملف قاعدة البيانات تالف. قد يكون كل ما يُقرأ منه خاطئًا.",
    mend: "افحص القرص، ثم استعد نسخة احتياطية.",
  },
  broken_reference: {
    title: "إحالات مكسورة",
    meaning: "تحيل صفوف في قاعدة البيانات إلى صفوف مفقودة.",
    mend: "افحص القرص، ثم استعد نسخة احتياطية.",
  },
  foreign_trigger: {
    title: "مشغّلات وعروض غريبة",
    meaning:
      "في قاعدة البيانات مشغّلات أو عروض أو قواعد أو سياسات لم تُنشئها هذه الخدمة، وهي تنفّذ أوامر خاصة بها.",
    mend: "أزلها في SQLite أو PostgreSQL، باستخدام DROP VIEW أو DROP RULE أو DROP POLICY إن لم تكن مشغّلًا، أو استعد نسخة احتياطية أقدم.",
  },
  foreign_table: {
    title: "جداول غريبة",
    meaning: "في قاعدة البيانات جداول أو فهارس لم تُنشئها هذه الخدمة.",
    mend: "لا يلزم شيء إذا أنشأتها أداة من أدواتك مثل Litestream أو ANALYZE؛ وإلا فأزلها في SQLite أو PostgreSQL.",
  },
  missing_constraint: {
    title: "قيود ناقصة",
    meaning:
      "تنقص قاعدة البيانات فهارس فريدة أو مفاتيح أجنبية أو قيود أخرى للخدمة. تفشل الطلبات التي تحتاجها، أو قد تُخزَّن صفوف خاطئة.",
    mend: "أنشئها من جديد بالأمر. يسمّي الأمر الصفوف التي تمنع ذلك ولا يغيّر أيًّا منها. لجدول ناقص استعد نسخة احتياطية.",
  },
  missing_index: {
    title: "فهارس ناقصة",
    meaning: "تنقص قاعدة البيانات فهارس للخدمة: الصفحات والتقارير التي تحتاجها بطيئة.",
    mend: "أنشئها من جديد بالأمر.",
  },
  missing_bytes: {
    title: "ملفات مفقودة",
    meaning: "بايتات ملفات أو أغلفة مفقودة أو حجمها مختلف. لا يستطيع القرّاء تنزيلها.",
    mend: "ارفع الملف مجددًا، أو استعد نسخة احتياطية.",
  },
  unreadable_bytes: {
    title: "ملفات لا تُقرأ",
    meaning: "لا يُسمح للخدمة بقراءة ملفات مخزَّنة، أو يبلّغ القرص عن أخطاء.",
    mend: "امنح الملفات لمستخدم الخدمة. إذا أبلغ القرص عن أخطاء فافحصه.",
  },
  changed_bytes: {
    title: "ملفات متغيّرة",
    meaning: "لم تعد البايتات المخزَّنة كما رُفعت: قد يكون القرص معطوبًا.",
    mend: "افحص القرص، ثم ارفع الملف مجددًا أو استعد نسخة احتياطية.",
  },
  orphaned_bytes: {
    title: "ملفات غير مستخدمة",
    meaning: "بايتات مخزَّنة لا تخصّ أي ملف أو غلاف.",
    mend: "لا يلزم شيء: ينحّيها التشغيل التالي للخدمة ثم تُحذف لاحقًا. ينحّيها الأمر الآن.",
  },
  many_orphaned_bytes: {
    title: "ملفات كثيرة غير مستخدمة",
    meaning: "غير المستخدم كثير جدًا، فالأرجح أن قاعدة البيانات أو مخزن الملفات ليس هو الصحيح.",
    mend: "تأكد أن DATABASE_URL و STORAGE_URL و DATA_DIR تخصّ بعضها. يسرد الأمر الأول الملفات غير المستخدمة، وينحّيها الثاني إن لم يحتج إليها شيء.",
  },
  language_without_files: {
    title: "لغات بلا ملفات",
    meaning: "لغات نشطة ليس لأي كتاب نشط ملف بها.",
    mend: "ارفع ملفات باللغة، أو عطّلها.",
  },
  translation_without_file: {
    title: "ترجمات بلا ملف",
    meaning: "لكتب عنوان بلغة دون ملف بها، فلا يراها القرّاء هناك.",
    mend: "ارفع الكتاب باللغة، أو أزل الترجمة.",
  },
  published_without_file: {
    title: "منشورات بلا ملف",
    meaning: "كتب منشورة في قناة بلغة ليس لها ملف بها.",
    mend: "ارفع الكتاب باللغة، أو ألغِ نشره هناك.",
  },
  library_channel: {
    title: "المكتبة فارغة",
    meaning: "تعرض مكتبة القرّاء قناة غير مفعّلة، فلا يجد القرّاء كتبًا.",
    mend: "فعّل القناة، أو اختر قناة أخرى في صفحة المكتبة.",
  },
  stale_search_texts: {
    title: "نصوص بحث قديمة",
    meaning: "النصوص التي يُبحث فيها عن الكتب لا تطابق عناوينها وأوصافها، فلا يجد البحث بعض الكتب.",
    mend: "نفّذ الأمر. يعمل والخدمة قيد التشغيل.",
  },
  search_index_missing: {
    title: "بحث بلا فهرس",
    meaning:
      "ليس في PostgreSQL فهرس ثلاثيات لنصوص الكتب، أو فيه فهرس لأحرف ASCII وحدها: يجد البحث النتائج نفسها لكنه يقرأ النصوص كلها.",
    mend: "نفّذ أمر SQL الوارد في الرسالة بصفتك مالك قاعدة البيانات. إن كانت قيمة lc_ctype فيها C فأنشئ قاعدة بيانات بالقيمة LC_CTYPE 'C.UTF-8' وانقل البيانات إليها.",
  },
  misplaced_file: {
    title: "ملفات تذكر شيئًا آخر",
    meaning: "تذكر ملفات عن نفسها لغة أو عنوانًا أو رقم ISBN غير ما في الكتاب واللغة اللذين هي فيهما.",
    mend: "انظر في الملف. إن كان لكتاب آخر أو لغة أخرى فاستبدله في صفحة كتابه؛ وإن كان الخطأ في الملف وحده فلا حاجة إلى شيء.",
  },
  similar_books: {
    title: "كتب متشابهة",
    meaning: "لكتابين العنوان نفسه والمؤلفون أنفسهم في لغة واحدة، فيراهما القرّاء مرتين.",
    mend: "إن كانا كتابًا واحدًا فأرشف أحدهما، وإلا فميّز بينهما بالعنوان أو المؤلفين.",
  },
  equal_files: {
    title: "الملف نفسه في كتابين",
    meaning: "لملف من كتاب محتوى ملف من كتاب آخر نفسه.",
    mend: "إن كان الملف لأحد الكتابين فقط فأزله من الآخر.",
  },
  cloud_link_broken: {
    title: "روابط سحابية معطّلة",
    meaning: "روابط لا تؤدي إلى ملف، فلا يستطيع القرّاء تنزيله.",
    mend: "افتح الرابط في نافذة خاصة من المتصفح. شارك الملف علنًا، أو استبدل الرابط في صفحة كتابه. يفحص الأمر الروابط من جديد.",
  },
  geoip_stale: {
    title: "قاعدة بيانات مدن قديمة",
    meaning: "مضى أكثر من 30 يومًا على قاعدة البيانات التي تجد المدن بالعنوان.",
    mend: "حدّثها في صفحة الإعدادات أو بالأمر.",
  },
  clock_ahead: {
    title: "الساعة متقدّمة كثيرًا",
    meaning: "ساعة الخادم متقدّمة كثيرًا على آخر ساعة عملت فيها الخدمة. لا يُحذف شيء بسبب عمره حتى يُحلّ ذلك.",
    mend: "صحّح الساعة. إذا كانت صحيحة فنفّذ الأمر.",
  },
  clock_differs: {
    title: "الساعة تختلف عن ساعة قاعدة البيانات",
    meaning:
      "تختلف ساعة إحدى النسخ عن ساعة خادم قاعدة البيانات بأكثر من ثانيتين. تنتهي الروابط قبل أوانها أو بعده، وتكون التواريخ خاطئة.",
    mend: "صحّح ساعة الجهاز الخاطئ، مثلًا عبر NTP. يبيّن الأمر هل أصبحت صحيحة.",
  },
  overdue_readers: {
    title: "قرّاء كان يجب حذفهم",
    meaning: "لتنزيلات قديمة جهة اتصال أو عنوان، بعد يومين من موعد حذفها.",
    mend: "دع الخدمة تعمل أكثر من ساعة دون إعادة تشغيل: تحذفها بعد ساعة من بدئها ثم كل يوم. وإلا فابحث عن أخطاء في سجلها.",
  },
  unwritten_redemptions: {
    title: "تنزيلات غير مسجّلة",
    meaning: "سُلّمت ملفات بينما لم تكن قاعدة البيانات تقبل تغييرات. تنزيلاتها تنتظر تسجيلها، أو تُركت بعد يوم.",
    mend: "تُسجَّل المنتظرة فور أن تقبل قاعدة البيانات تغييرات: ابحث عن أخطاء في سجل الخدمة. أما المتروكة فتنقص في التقارير.",
  },
  trusted_readers: {
    title: "قرّاء يُعامَلون كوكلاء",
    meaning:
      "يثق TRUST_PROXY بعناوين يأتي منها قرّاء. يمكن لهؤلاء أن يدّعوا أي عنوان آخر، فيتجاوزون الحدود ويُسجَّل العنوان المزعوم.",
    mend: "اضبط TRUST_PROXY على عدد الوكلاء أمام الخدمة أو على عناوينهم هم، ثم أعد تشغيلها.",
  },
  webhook_disabled: {
    title: "خطّافات ويب معطّلة",
    meaning: "أبلغ نظام مستقبِل أنه لم يعد موجودًا، أو فشل خمسة أيام. لا تُرسل إليه أحداث.",
    mend: "اسأل مشغّله، ثم فعّل خطّاف الويب من جديد.",
  },
  webhook_secret: {
    title: "خطّافات ويب لا يُقرأ سرّها",
    meaning: "خُزّن السر بواسطة AUTH_SECRET آخر. لا يمكن توقيع شيء، فلا يُرسل شيء.",
    mend: "جدّد سر خطّاف الويب، وأعطِ السر الجديد للنظام المستقبِل.",
  },
  outbox_held: {
    title: "إرساليات محجوزة",
    meaning:
      "ما كان ينتظر إرساله قبل استعادة أو نقل أو AUTH_SECRET جديد محجوز: ربما أرسلته نسخة أخرى من قاعدة البيانات.",
    mend: "قرّر على الخادم هل يُرسل (release) أم لا (drop).",
  },
  outbox_dropped: {
    title: "أحداث متروكة",
    meaning: "كانت أحداث كثيرة جدًا تنتظر الأنظمة المستقبِلة، فتُركت الأحداث اللاحقة.",
    mend: "ابحث عن أنظمة مستقبِلة غائبة، وعطّل خطّافات الويب الخاصة بها.",
  },
  images_unavailable: {
    title: "لا يمكن إنشاء الصور",
    meaning: "لا يمكن إنشاء الأغلفة وأيقونة الموقع على هذا الخادم.",
    mend: "ثبّت حزم الخدمة من جديد.",
  },
};
