/** The texts of the filters above lists, and of those that are kept under a name. */
import { defineMessages } from "../messages/index.tsx";

const { format: formatEn } = new Intl.NumberFormat("en");
const { format: formatAr } = new Intl.NumberFormat("ar");

export const filterMessages = defineMessages(
  {
    filters: {
      more: "More filters",
      moreInUse: (n: number) => `More filters (${formatEn(n)})`,
      fewer: "Fewer filters",
    },
    namedFilters: {
      title: "Saved filters",
      titleOf: (name: string) => `Saved filters: ${name}`,
      none: "Without filters",
      save: "Save these filters…",
      edit: "Rename or delete…",
      about: "They are kept in this browser, for your account.",
      name: "Name",
      nameOf: (name: string) => `Name of ${name}`,
      noName: "Type a name.",
      isTaken: "Another filter has this name.",
      replaces: "A filter has this name: saving replaces it.",
      delete: "Delete",
      deleteOf: (name: string) => `Delete ${name}`,
      allDeleted: "All are deleted once you save.",
      isFull: (n: number) => `Of a list, ${n} filters can be kept. Delete one first.`,
      notKept: "The browser couldn't keep it: its storage is full or switched off.",
    },
  },
  {
    ar: {
      filters: {
        more: "مرشّحات أخرى",
        moreInUse: (n) => `مرشّحات أخرى (${formatAr(n)})`,
        fewer: "مرشّحات أقل",
      },
      namedFilters: {
        title: "المرشّحات المحفوظة",
        titleOf: (name) => `المرشّحات المحفوظة: ${name}`,
        none: "بلا مرشّحات",
        save: "حفظ هذه المرشّحات…",
        edit: "إعادة تسمية أو حذف…",
        about: "تُحفظ في هذا المتصفح لحسابك.",
        name: "الاسم",
        nameOf: (name) => `اسم ${name}`,
        noName: "اكتب اسمًا.",
        isTaken: "يوجد مرشّح آخر بهذا الاسم.",
        replaces: "يوجد مرشّح بهذا الاسم: سيحل الحفظ محله.",
        delete: "حذف",
        deleteOf: (name) => `حذف ${name}`,
        allDeleted: "تُحذف كلها عند الحفظ.",
        isFull: (n) => `يمكن حفظ ${n} مرشّحًا لكل قائمة. احذف واحدًا أولًا.`,
        notKept: "تعذّر على المتصفح حفظه: مساحة التخزين ممتلئة أو معطّلة.",
      },
    },
  },
);
