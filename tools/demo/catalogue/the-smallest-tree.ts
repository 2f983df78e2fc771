// A story about planting a tree, in five languages.
import type { DemoBook } from "../book.ts";

export const theSmallestTree: DemoBook = {
  titleEn: "The Smallest Tree",
  slug: "the-smallest-tree",
  description: "A seedling, a watering can and a great deal of patience.",
  translations: [
    {
      languageCode: "en",
      title: "The Smallest Tree",
      description: "A seedling, a watering can and a great deal of patience.",
      paragraphs: [
        "Ravi planted a tree that was no taller than his shoe. “Is that all?” laughed his brother. “It hardly throws a shadow!”",
        "Ravi dug the hole wide, pressed the earth down gently and put three sticks around the tree so that the goats would leave it alone.",
        "Every evening he gave it one can of water. In the dry month he gave it the water in which the rice had been washed.",
        "In the second year the tree was as tall as Ravi. In the fourth year a bird built its nest in it.",
        "In the tenth year his brother came home on a hot day and sat down under the leaves. “What a good shadow,” he said. Ravi only smiled.",
        "Then he put three seeds into his brother’s hand. “They are small,” he said, “but they have time.”",
      ],
    },
    {
      languageCode: "es",
      title: "El árbol más pequeño",
      description: "Un arbolito, una regadera y mucha paciencia.",
      paragraphs: [
        "Ravi plantó un árbol que no era más alto que su zapato. «¿Eso es todo?», se rio su hermano. «¡Si casi no da sombra!».",
        "Ravi cavó un hoyo ancho, apretó la tierra con cuidado y puso tres palos alrededor del árbol para que las cabras lo dejaran en paz.",
        "Cada tarde le daba una regadera de agua. En el mes seco le daba el agua con la que se había lavado el arroz.",
        "Al segundo año el árbol era tan alto como Ravi. Al cuarto año un pájaro hizo en él su nido.",
        "Al décimo año su hermano volvió a casa un día de calor y se sentó bajo las hojas. «Qué buena sombra», dijo. Ravi solo sonrió.",
        "Después puso tres semillas en la mano de su hermano. «Son pequeñas», dijo, «pero tienen tiempo».",
      ],
    },
    {
      languageCode: "ar",
      title: "أصغر شجرة",
      description: "شتلة ومرشّة ماء وكثير من الصبر.",
      paragraphs: [
        "زرع رافي شجرة لا يزيد طولها على طول حذائه. ضحك أخوه وقال: «أهذا كل شيء؟ إنها لا تكاد تلقي ظلًا!»",
        "حفر رافي حفرة واسعة، وضغط التراب برفق، ووضع حول الشجرة ثلاث عصيّ حتى تتركها الماعز وشأنها.",
        "وكل مساء كان يسقيها مرشّة ماء واحدة. وفي شهر الجفاف كان يسقيها الماء الذي غُسل به الأرز.",
        "في السنة الثانية صارت الشجرة بطول رافي، وفي السنة الرابعة بنى طائر عشه فيها.",
        "وفي السنة العاشرة عاد أخوه إلى البيت في يوم حار وجلس تحت أوراقها. قال: «ما أطيب هذا الظل!» فابتسم رافي ولم يقل شيئًا.",
        "ثم وضع ثلاث بذور في يد أخيه وقال: «إنها صغيرة، لكن لديها متسعًا من الوقت».",
      ],
    },
    {
      languageCode: "zh",
      title: "最小的树",
      description: "一棵树苗，一只水壶，还有许多耐心。",
      paragraphs: [
        "拉维种下了一棵还没有他的鞋子高的小树。“就这么点儿？”哥哥笑了，“连影子都快没有了！”",
        "拉维把坑挖得很宽，轻轻把土压实，又在小树周围插了三根木棍，不让山羊来啃它。",
        "每天傍晚，他给小树浇一壶水。在干旱的月份，他就用淘米水来浇。",
        "第二年，小树和拉维一样高了。第四年，一只小鸟在树上搭了窝。",
        "第十年的一个大热天，哥哥回到家，在树叶下坐了下来。“多好的树荫啊！”他说。拉维只是笑了笑。",
        "然后，他把三粒种子放到哥哥手里。“它们很小，”他说，“可是它们有的是时间。”",
      ],
    },
    {
      languageCode: "hi",
      title: "सबसे छोटा पेड़",
      description: "एक पौधा, एक डोलची पानी और ढेर सारा धीरज।",
      paragraphs: [
        "रवि ने एक पेड़ लगाया जो उसके जूते से ऊँचा नहीं था। उसका भाई हँसा, “बस इतना-सा? इसकी तो छाया भी मुश्किल से पड़ती है!”",
        "रवि ने चौड़ा गड्ढा खोदा, मिट्टी को धीरे से दबाया और पेड़ के चारों ओर तीन लकड़ियाँ गाड़ दीं ताकि बकरियाँ उसे न खाएँ।",
        "हर शाम वह उसे एक डोलची पानी देता। सूखे महीने में वह उसे वह पानी देता जिससे चावल धोए गए थे।",
        "दूसरे साल पेड़ रवि जितना ऊँचा हो गया। चौथे साल एक चिड़िया ने उस पर घोंसला बनाया।",
        "दसवें साल, एक गरम दिन में, उसका भाई घर लौटा और पत्तों के नीचे बैठ गया। “कितनी अच्छी छाया है,” उसने कहा। रवि बस मुस्कुराया।",
        "फिर उसने भाई के हाथ में तीन बीज रख दिए। “ये छोटे हैं,” वह बोला, “पर इनके पास समय है।”",
      ],
    },
  ],
};
