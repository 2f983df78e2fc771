// A story about two sisters under the night sky, in three languages.
import type { DemoBook } from "../book.ts";

export const countingStars: DemoBook = {
  titleEn: "Counting Stars",
  slug: "counting-stars",
  description: "How two sisters counted the whole sky.",
  translations: [
    {
      languageCode: "en",
      title: "Counting Stars",
      description: "How two sisters counted the whole sky.",
      paragraphs: [
        "The lamp had gone out, and Mei could not sleep. “Count the stars,” said her sister. “Nobody has ever reached the end.”",
        "One, two, three. At forty-two a cloud came along, and Mei forgot where she had been.",
        "“Begin with the bright ones,” said her sister. “They are the steps. The small ones are the sand between them.”",
        "So they drew lines from star to star. They found a kite, a fish and a ladle, and every picture had its own number.",
        "“Seven stars in the ladle,” whispered Mei, “five in the kite, nine in the fish. That makes twenty-one.”",
        "“And the others?” asked her sister. But Mei was asleep, and the others waited for tomorrow.",
      ],
    },
    {
      languageCode: "zh",
      title: "数星星",
      description: "两姐妹怎样数遍整个天空。",
      paragraphs: [
        "灯灭了，小梅睡不着。“数星星吧，”姐姐说，“从来没有人数到头。”",
        "一、二、三……数到四十二，一朵云飘过来，小梅忘了数到哪儿了。",
        "“先从亮的数起，”姐姐说，“亮的是台阶，小的是台阶之间的沙子。”",
        "于是，她们在星星之间连线，找到了一只风筝、一条鱼和一把勺子，每幅图都有自己的数。",
        "“勺子有七颗星，”小梅轻声说，“风筝有五颗，鱼有九颗，一共二十一颗。”",
        "“那剩下的呢？”姐姐问。可是小梅已经睡着了，剩下的星星等着明天。",
      ],
    },
    {
      languageCode: "hi",
      title: "तारे गिनना",
      description: "दो बहनों ने पूरा आसमान कैसे गिना।",
      paragraphs: [
        "दीया बुझ चुका था और मेई को नींद नहीं आ रही थी। “तारे गिनो,” उसकी बहन ने कहा। “आज तक कोई आख़िर तक नहीं पहुँचा।”",
        "एक, दो, तीन। बयालीस पर एक बादल आ गया, और मेई भूल गई कि वह कहाँ तक पहुँची थी।",
        "“चमकीले तारों से शुरू करो,” बहन ने कहा। “वे सीढ़ियाँ हैं। छोटे तारे उनके बीच की रेत हैं।”",
        "तब दोनों ने एक तारे से दूसरे तारे तक रेखाएँ खींचीं। उन्हें एक पतंग, एक मछली और एक करछुल मिली, और हर चित्र की अपनी एक संख्या थी।",
        "“करछुल में सात तारे,” मेई फुसफुसाई, “पतंग में पाँच, मछली में नौ। कुल इक्कीस हुए।”",
        "“और बाक़ी?” बहन ने पूछा। पर मेई सो चुकी थी, और बाक़ी तारे कल की राह देख रहे थे।",
      ],
    },
  ],
};
