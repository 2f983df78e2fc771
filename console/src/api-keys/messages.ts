/** The texts of the page in this folder. */
import { defineMessages } from "../messages/index.tsx";

export const apiKeysMessages = defineMessages(
  {
    apiKeys: {
      title: "API keys",
      about:
        "With a key, a program such as a website uses the service without logging in. A key never has more rights than the person who made it.",
      empty: "There are no keys yet.",
      add: "Make a key",
      name: "Purpose",
      nameHint: "For example the name of the program that uses it.",
      scopes: "What it may do",
      scopeHint: "Choose as little as the program needs.",
      scope: {
        view_books: {
          name: "Read the catalogue",
          hint: "Lists of books with unpublished ones, files and covers.",
        },
        edit_books: {
          name: "Change the catalogue",
          hint: "Books, titles, files and covers. Needs reading, too.",
        },
        submit_downloads: {
          name: "Send download forms",
          hint: "For the server of a website, on behalf of readers. Nothing else.",
        },
      },
      noScope: "Choose at least one.",
      expires: "Expires on",
      expiresHint: "At the end of this day. Without a day, the key never expires.",
      never: "Never",
      expired: "Expired",
      key: "Key",
      created: "Made",
      lastUsed: "Last used",
      unused: "Not yet",
      revoke: "Revoke",
      revokeOf: (name: string) => `Revoke ${name}`,
      revokeHint: "Programs with this key are rejected at once. This can't be undone.",
      revoked: "The key was revoked.",
      newTitle: "Your new key",
      onlyNow: "The key is shown only now. Store it where the program finds it.",
      usage: "Programs send it with each request, as this header:",
      copy: "Copy",
      copied: "Copied",
      notCopied: "Not copied: select it and copy it by hand.",
      done: "I have stored the key",
    },
  },
  {
    ar: {
      apiKeys: {
        title: "مفاتيح الواجهة البرمجية",
        about:
          "بالمفتاح يستخدم برنامج مثل موقع ويب الخدمة دون تسجيل دخول. لا يتجاوز المفتاح صلاحيات من أنشأه أبدًا.",
        empty: "لا توجد مفاتيح بعد.",
        add: "إنشاء مفتاح",
        name: "الغرض",
        nameHint: "مثل اسم البرنامج الذي يستخدمه.",
        scopes: "ما يُسمح له به",
        scopeHint: "اختر أقل ما يحتاج إليه البرنامج.",
        scope: {
          view_books: { name: "قراءة الفهرس", hint: "قوائم الكتب مع غير المنشور منها، والملفات والأغلفة." },
          edit_books: {
            name: "تغيير الفهرس",
            hint: "الكتب والعناوين والملفات والأغلفة. يحتاج إلى القراءة أيضًا.",
          },
          submit_downloads: {
            name: "إرسال نماذج التنزيل",
            hint: "لخادم موقع ويب نيابةً عن القرّاء. لا شيء غير ذلك.",
          },
        },
        noScope: "اختر واحدًا على الأقل.",
        expires: "ينتهي في",
        expiresHint: "في نهاية هذا اليوم. بلا يوم لا تنتهي صلاحية المفتاح.",
        never: "أبدًا",
        expired: "منتهٍ",
        key: "المفتاح",
        created: "أُنشئ",
        lastUsed: "آخر استخدام",
        unused: "ليس بعد",
        revoke: "إبطال",
        revokeOf: (name) => `إبطال ${name}`,
        revokeHint: "تُرفض البرامج التي تستخدم هذا المفتاح فورًا. لا يمكن التراجع عن ذلك.",
        revoked: "أُبطل المفتاح.",
        newTitle: "مفتاحك الجديد",
        onlyNow: "لا يُعرض المفتاح إلا الآن. احفظه حيث يجده البرنامج.",
        usage: "ترسله البرامج مع كل طلب بهذا الرأس:",
        copy: "نسخ",
        copied: "نُسخ",
        notCopied: "لم يُنسخ: حدّده وانسخه يدويًا.",
        done: "حفظتُ المفتاح",
      },
    },
  },
);
