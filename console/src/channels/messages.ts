/** The texts of the pages in this folder. */
import { defineMessages } from "../messages/index.tsx";

export const channelsMessages = defineMessages(
  {
    channels: {
      title: "Channels",
      empty:
        "There are no channels yet. A channel is a place where books are published, such as a website or a newsletter.",
      add: "Add a channel",
      channel: "Channel",
      name: "Name",
      url: "Web address",
      books: "Published books",
      countOf: (count: string, name: string) => `Books published on ${name}: ${count}`,
      activeHint: "Only active channels publish books.",
      deleteOf: (name: string) => `Remove ${name}`,
      deleteHint: "The channel and its publications are deleted. Books, files and past downloads stay.",
    },
  },
  {
    ar: {
      channels: {
        title: "القنوات",
        empty: "لا توجد قنوات بعد. القناة مكان تُنشر فيه الكتب، مثل موقع أو نشرة بريدية.",
        add: "إضافة قناة",
        channel: "القناة",
        name: "الاسم",
        url: "عنوان الويب",
        books: "الكتب المنشورة",
        countOf: (count, name) => `الكتب المنشورة في ${name}: ${count}`,
        activeHint: "لا تنشر الكتب إلا القنوات النشطة.",
        deleteOf: (name) => `إزالة ${name}`,
        deleteHint: "تُحذف القناة ومنشوراتها. تبقى الكتب والملفات والتنزيلات السابقة.",
      },
    },
  },
);
