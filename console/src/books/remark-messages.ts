/** The texts about files and covers that say something else than their place. */
import { defineMessages } from "../messages/index.tsx";

export const remarkMessages = defineMessages(
  {
    remarks: {
      language: (found: string, place: string) =>
        `The file says that it is in ${found}. Its place is ${place}.`,
      title: (found: string, place: string) =>
        `The file says the title “${found}”. The title here is “${place}”.`,
      isbn: (found: string, place: string) => `The file says the ISBN ${found}. The ISBN here is ${place}.`,
      isbnOfAnother: (found: string) => `The file says the ISBN ${found}, which another book has.`,
      sameBook: (place: string) => `The same file is also in this book, as ${place}.`,
      otherBook: (title: string, place: string) =>
        `The same file is also in the book “${title}”, as ${place}.`,
      otherCover: (title: string) => `The book “${title}” has the same cover.`,
      unreadable: "What the file says of itself can't be read.",
      coverMissing: "The file names a cover that isn't in it.",
      other: (code: string) => `The service says: ${code}`,
    },
  },
  {
    ar: {
      remarks: {
        language: (found, place) => `يذكر الملف أنه باللغة: ${found}. أما مكانه فهو: ${place}.`,
        title: (found, place) => `يذكر الملف العنوان «${found}». أما العنوان هنا فهو «${place}».`,
        isbn: (found, place) => `يذكر الملف رقم ISBN ${found}. أما الرقم هنا فهو ${place}.`,
        isbnOfAnother: (found) => `يذكر الملف رقم ISBN ${found}، وهو لكتاب آخر.`,
        sameBook: (place) => `الملف نفسه موجود أيضًا في هذا الكتاب، في: ${place}.`,
        otherBook: (title, place) => `الملف نفسه موجود أيضًا في الكتاب «${title}»، في: ${place}.`,
        otherCover: (title) => `للكتاب «${title}» الغلاف نفسه.`,
        unreadable: "تعذّرت قراءة ما يذكره الملف عن نفسه.",
        coverMissing: "يذكر الملف غلافًا ليس فيه.",
        other: (code) => `تقول الخدمة: ${code}`,
      },
    },
  },
);
