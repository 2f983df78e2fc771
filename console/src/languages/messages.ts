/** The texts of the pages in this folder. */
import { defineMessages } from "../messages/index.tsx";

export const languagesMessages = defineMessages(
  {
    languages: {
      title: "Languages",
      empty: "There are no languages yet. Add one to give books titles and files in it.",
      add: "Add a language",
      language: "Language",
      any: "Any language",
      parent: "Sub-language of",
      parentHint: "It takes the parent's titles, files and publications where it has none of its own.",
      noParent: "No other language",
      domain: "Domain of its own",
      domainHint: "Readers who come by this domain see the books of this language.",
      activeHint: "Readers see only active languages.",
      code: "Language code",
      codeHint: "For example es, pt-BR or zh-Hant. The names are filled in and can be corrected.",
      name: "Name in English",
      nativeName: "Name in the language itself",
    },
  },
  {
    ar: {
      languages: {
        title: "اللغات",
        empty: "لا توجد لغات بعد. أضف لغة لتكون للكتب عناوين وملفات بها.",
        add: "إضافة لغة",
        language: "اللغة",
        any: "أي لغة",
        parent: "لغة فرعية من",
        parentHint: "تأخذ عناوين اللغة الأم وملفاتها ومنشوراتها حيث ليس لها ما يخصها.",
        noParent: "لا لغة أخرى",
        domain: "نطاق خاص بها",
        domainHint: "من يأتي عبر هذا النطاق يرى كتب هذه اللغة.",
        activeHint: "لا يرى القراء إلا اللغات النشطة.",
        code: "رمز اللغة",
        codeHint: "مثل es أو pt-BR أو zh-Hant. تُملأ الأسماء تلقائيًا ويمكن تصحيحها.",
        name: "الاسم بالإنجليزية",
        nativeName: "الاسم باللغة نفسها",
      },
    },
  },
);
