/** The texts about the people of a book and of its editions. */
import { defineMessages } from "../messages/index.tsx";

export const peopleMessages = defineMessages(
  {
    people: {
      authors: {
        legend: "Authors",
        add: "Add an author",
        nameOf: (line: number) => `Author ${line}`,
      },
      contributors: {
        legend: "Contributors",
        add: "Add a contributor",
        nameOf: (line: number) => `Contributor ${line}`,
      },
      authorsOfBook: "Without names here, those of the book apply.",
      contributorsHint: "Who else made this edition, such as the translator or the narrator.",
      name: "Name",
      role: "Role",
      roleOf: (line: number) => `Role of contributor ${line}`,
      roles: {
        translator: "Translator",
        illustrator: "Illustrator",
        narrator: "Narrator",
        editor: "Editor",
        photographer: "Photographer",
        "cover designer": "Cover designer",
        foreword: "Author of the foreword",
        proofreader: "Proofreader",
      },
      up: (name: string) => `Move ${name} up`,
      down: (name: string) => `Move ${name} down`,
      remove: (name: string) => `Remove ${name}`,
    },
  },
  {
    ar: {
      people: {
        authors: {
          legend: "المؤلفون",
          add: "إضافة مؤلف",
          nameOf: (line) => `المؤلف ${line}`,
        },
        contributors: {
          legend: "المساهمون",
          add: "إضافة مساهم",
          nameOf: (line) => `المساهم ${line}`,
        },
        authorsOfBook: "إن لم تُكتب أسماء هنا فأسماء مؤلفي الكتاب هي المعتمدة.",
        contributorsHint: "من أسهم أيضًا في هذه الطبعة، مثل المترجم أو الراوي.",
        name: "الاسم",
        role: "الدور",
        roleOf: (line) => `دور المساهم ${line}`,
        roles: {
          translator: "مترجم",
          illustrator: "رسّام",
          narrator: "راوٍ",
          editor: "محرّر",
          photographer: "مصوّر",
          "cover designer": "مصمّم الغلاف",
          foreword: "كاتب التقديم",
          proofreader: "مدقّق لغوي",
        },
        up: (name) => `انقل ${name} إلى أعلى`,
        down: (name) => `انقل ${name} إلى أسفل`,
        remove: (name) => `أزل ${name}`,
      },
    },
  },
);
