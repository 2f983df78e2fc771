/** The texts for two editors who change the same record. */
import { defineMessages } from "../messages/index.tsx";

export const joinedSaveMessages = defineMessages(
  {
    joined: {
      title: "Someone else saved this while you typed",
      different: "They changed other fields than you. What you typed is still here.",
      same: "They changed a field that you changed, too. Choose what is kept. What you typed is still here.",
      field: "Field",
      theirs: "Theirs",
      mine: "Mine",
      keep: "Keep",
      keepOf: (field: string) => `Keep of ${field}`,
      join: "Join and save",
      write: (value: string | number | boolean | undefined) =>
        value === true ? "Yes" : value === false ? "No" : value === "" ? "(empty)" : String(value),
    },
  },
  {
    ar: {
      joined: {
        title: "حفظ شخص آخر هذا بينما كنت تكتب",
        different: "غيّر حقولًا غير التي غيّرتها. ما كتبته ما زال هنا.",
        same: "غيّر حقلًا غيّرته أنت أيضًا. اختر ما يبقى. ما كتبته ما زال هنا.",
        field: "الحقل",
        theirs: "تغييره",
        mine: "تغييري",
        keep: "يبقى",
        keepOf: (field) => `ما يبقى من ${field}`,
        join: "ادمج واحفظ",
        write: (value) =>
          value === true ? "نعم" : value === false ? "لا" : value === "" ? "(فارغ)" : String(value),
      },
    },
  },
);
