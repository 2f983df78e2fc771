/** The texts of ranges of days. */
import { defineMessages } from "../messages/index.tsx";

export const datesMessages = defineMessages(
  {
    dates: {
      range: "Range",
      from: "From",
      to: "To",
      timezone: "Time zone",
      always: "All time",
      own: "Own range",
      presets: {
        today: "Today",
        yesterday: "Yesterday",
        last7Days: "Last 7 days",
        last30Days: "Last 30 days",
        thisMonth: "This month",
        lastMonth: "Last month",
        last12Months: "Last 12 months",
        thisYear: "This year",
      },
    },
  },
  {
    ar: {
      dates: {
        range: "الفترة",
        from: "من",
        to: "إلى",
        timezone: "المنطقة الزمنية",
        always: "كل الأوقات",
        own: "فترة مخصصة",
        presets: {
          today: "اليوم",
          yesterday: "أمس",
          last7Days: "آخر 7 أيام",
          last30Days: "آخر 30 يومًا",
          thisMonth: "هذا الشهر",
          lastMonth: "الشهر الماضي",
          last12Months: "آخر 12 شهرًا",
          thisYear: "هذه السنة",
        },
      },
    },
  },
);
