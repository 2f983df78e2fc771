/** The texts for two editors who change the same record. */
import { defineMessages } from "../messages/index.tsx";

export const joinedSaveMessages = defineMessages(
  {
    joined: {
      title: "Someone else saved this while you typed",
      savedBy: (name: string, time: string) => `Saved by ${name}, ${time}.`,
      different: "They changed other fields than you. What you typed is still here.",
      same: "They changed a field that you changed, too. Choose what is kept. What you typed is still here.",
      field: "Field",
      theirs: "Theirs",
      mine: "Mine",
      keep: "Keep",
      keepOf: (field: string) => `Keep of ${field}`,
      join: "Join and save",
      yes: "Yes",
      no: "No",
      empty: "(empty)",
      lost: "The changes that you left while they were being saved couldn't be saved. Open the record again to see what is stored.",
    },
  },
  {
    ar: {
      joined: {
        title: "حفظ شخص آخر هذا بينما كنت تكتب",
        savedBy: (name, time) => `حفظه ${name}، ${time}.`,
        different: "غيّر حقولًا غير التي غيّرتها. ما كتبته ما زال هنا.",
        same: "غيّر حقلًا غيّرته أنت أيضًا. اختر ما يبقى. ما كتبته ما زال هنا.",
        field: "الحقل",
        theirs: "تغييره",
        mine: "تغييري",
        keep: "يبقى",
        keepOf: (field) => `ما يبقى من ${field}`,
        join: "ادمج واحفظ",
        yes: "نعم",
        no: "لا",
        empty: "(فارغ)",
        lost: "تعذّر حفظ التغييرات التي غادرتها أثناء حفظها. افتح السجل من جديد لترى المحفوظ.",
      },
    },
  },
);
