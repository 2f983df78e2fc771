/** The texts of the pages in this folder. */
import { defineMessages } from "../messages/index.tsx";

export const accountMessages = defineMessages(
  {
    account: {
      title: "Account",
      password: "Password",
      currentPassword: "Current password",
      newPassword: "New password",
      passwordHint: "12 to 256 characters. All other sessions end.",
      changePassword: "Change the password",
      passwordChanged: "The password was changed.",
      sessions: "Sessions",
      thisOne: "this one",
      end: "End",
      endOf: (name: string) => `End the session: ${name}`,
      device: "Device",
      lastSeen: "Last seen",
      ended: "The session was ended.",
      display: "Display",
      language: "Language of the console",
      timeZone: "Time zone",
      browserZone: (zone: string) => `The browser's (${zone})`,
    },
  },
  {
    ar: {
      account: {
        title: "الحساب",
        password: "كلمة المرور",
        currentPassword: "كلمة المرور الحالية",
        newPassword: "كلمة المرور الجديدة",
        passwordHint: "من 12 إلى 256 حرفًا. تنتهي كل الجلسات الأخرى.",
        changePassword: "تغيير كلمة المرور",
        passwordChanged: "تغيّرت كلمة المرور.",
        sessions: "الجلسات",
        thisOne: "هذه الجلسة",
        end: "إنهاء",
        endOf: (name) => `أنهِ الجلسة: ${name}`,
        device: "الجهاز",
        lastSeen: "آخر ظهور",
        ended: "انتهت الجلسة.",
        display: "العرض",
        language: "لغة الواجهة",
        timeZone: "المنطقة الزمنية",
        browserZone: (zone) => `منطقة المتصفح (${zone})`,
      },
    },
  },
);
