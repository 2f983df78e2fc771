/** The texts of the page in this folder. */
import { defineMessages } from "../messages/index.tsx";
import { countOf } from "../messages/plural.ts";

const count = countOf("en");
const countArabic = countOf("ar");

export const settingsMessages = defineMessages(
  {
    settings: {
      title: "Settings",
      about:
        "The service is set up by environment variables on its server. Here is what it runs with, and what can be renewed.",
      city: "City database",
      cityAbout: "It finds the country and the city of a download by its address, on this server.",
      cityMissing: "There is no City database: downloads have a country, but no city.",
      builtAt: "Made by the provider",
      age: (days: number) => count(days, "# day ago", "# days ago"),
      old: "It is more than 60 days old.",
      size: "Size",
      path: "Place",
      update: "Download the latest",
      updateHint: "Downloads go on meanwhile; after a failure the present one stays.",
      noKey: "To download it, the server needs MAXMIND_ACCOUNT_ID and MAXMIND_LICENSE_KEY.",
      updated: "The City database is up to date.",
      backup: "Backup",
      lastBackup: "Last verified backup",
      noBackup: "Unknown. Backups by other programs aren't seen here.",
      backupCommand: "Command on the server:",
      service: "Service",
      version: "Version",
      node: "Node.js",
      environment: "Environment",
      unknown: "Unknown",
    },
  },
  {
    ar: {
      settings: {
        title: "الإعدادات",
        about: "تُضبط الخدمة بمتغيرات البيئة على خادمها. هنا ما تعمل به الخدمة، وما يمكن تجديده.",
        city: "قاعدة بيانات المدن",
        cityAbout: "تجد بلد التنزيل ومدينته من عنوانه، على هذا الخادم.",
        cityMissing: "لا توجد قاعدة بيانات مدن: للتنزيلات بلد دون مدينة.",
        builtAt: "أنشأها المزوّد",
        age: (days) =>
          countArabic(days, "اليوم", "قبل يوم واحد", "قبل يومين", "قبل # أيام", "قبل # يومًا", "قبل # يوم"),
        old: "مضى عليها أكثر من 60 يومًا.",
        size: "الحجم",
        path: "المكان",
        update: "تنزيل الأحدث",
        updateHint: "تستمر التنزيلات أثناء ذلك؛ وعند الإخفاق تبقى الحالية.",
        noKey: "لتنزيلها يحتاج الخادم إلى MAXMIND_ACCOUNT_ID و MAXMIND_LICENSE_KEY.",
        updated: "قاعدة بيانات المدن محدَّثة.",
        backup: "النسخ الاحتياطي",
        lastBackup: "آخر نسخة احتياطية متحقَّق منها",
        noBackup: "غير معروف. لا تظهر هنا النسخ التي تصنعها برامج أخرى.",
        backupCommand: "الأمر على الخادم:",
        service: "الخدمة",
        version: "الإصدار",
        node: "Node.js",
        environment: "البيئة",
        unknown: "غير معروف",
      },
    },
  },
);
