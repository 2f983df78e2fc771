// A story about a lending library that comes by bicycle, in five languages.
import type { DemoBook } from "../book.ts";

export const theBicycleLibrary: DemoBook = {
  titleEn: "The Bicycle Library",
  slug: "the-bicycle-library",
  description: "Forty books ride over the hill and always come back.",
  translations: [
    {
      languageCode: "en",
      title: "The Bicycle Library",
      description: "Forty books ride over the hill and always come back.",
      paragraphs: [
        "Mr. Tomas had a bicycle, a wooden box and forty books. Every Saturday he put the box on the bicycle and rode over the hill.",
        "In the first village the children were already waiting. “How much does a book cost?” asked Lina. “Nothing,” said Mr. Tomas. “You only have to bring it back.”",
        "Lina took a book about whales. She had never seen the sea, but that night she heard it in her room.",
        "A week later she brought the book back. Between the pages lay a note: “Page twelve is the best one.”",
        "The next child read the note and wrote another one. Soon a letter from somebody lived in every book.",
        "When Mr. Tomas grew old, Lina was given the bicycle. Now the box holds a hundred books, and she still asks the same price: bring it back.",
      ],
    },
    {
      languageCode: "es",
      title: "La biblioteca en bicicleta",
      description: "Cuarenta libros cruzan la colina y siempre vuelven.",
      paragraphs: [
        "Don Tomás tenía una bicicleta, una caja de madera y cuarenta libros. Cada sábado ponía la caja en la bicicleta y cruzaba la colina.",
        "En el primer pueblo los niños ya lo esperaban. «¿Cuánto cuesta un libro?», preguntó Lina. «Nada», respondió don Tomás. «Solo tienes que devolverlo».",
        "Lina se llevó un libro sobre ballenas. Nunca había visto el mar, pero aquella noche lo oyó en su cuarto.",
        "Una semana después devolvió el libro. Entre las páginas había una nota: «La página doce es la mejor».",
        "El siguiente niño leyó la nota y escribió otra. Pronto, en cada libro vivía una carta de alguien.",
        "Cuando don Tomás se hizo mayor, la bicicleta pasó a Lina. Ahora en la caja caben cien libros, y ella sigue pidiendo el mismo precio: que lo devuelvas.",
      ],
    },
    {
      languageCode: "ar",
      title: "مكتبة على دراجة",
      description: "أربعون كتابًا تعبر التل وتعود دائمًا.",
      paragraphs: [
        "كان لدى السيد توماس دراجة وصندوق خشبي وأربعون كتابًا. وكل يوم سبت كان يضع الصندوق على الدراجة ويعبر التل.",
        "في القرية الأولى كان الأطفال ينتظرونه. سألت لينا: «كم ثمن الكتاب؟» قال السيد توماس: «لا شيء. عليكِ فقط أن تعيديه».",
        "أخذت لينا كتابًا عن الحيتان. لم تكن قد رأت البحر من قبل، لكنها سمعته تلك الليلة في غرفتها.",
        "وبعد أسبوع أعادت الكتاب، وبين صفحاته ورقة صغيرة كُتب عليها: «الصفحة الثانية عشرة هي الأجمل».",
        "قرأ الطفل التالي الورقة وكتب ورقة أخرى. وسرعان ما صار في كل كتاب رسالة من أحدهم.",
        "ولما كبر السيد توماس في السن، انتقلت الدراجة إلى لينا. في الصندوق اليوم مئة كتاب، وما زالت تطلب الثمن نفسه: أن تعيد الكتاب.",
      ],
    },
    {
      languageCode: "zh",
      title: "自行车图书馆",
      description: "四十本书翻过山坡，又总会回来。",
      paragraphs: [
        "托马斯先生有一辆自行车、一只木箱和四十本书。每个星期六，他都把木箱绑在自行车上，骑车翻过山坡。",
        "在第一个村子里，孩子们早就等着了。“一本书多少钱？”莉娜问。“不要钱，”托马斯先生说，“只要看完还回来就行。”",
        "莉娜借了一本讲鲸鱼的书。她从没见过大海，可是那天夜里，她在自己的房间里听见了海的声音。",
        "一个星期后，她把书还了回来。书里夹着一张纸条：“第十二页最好看。”",
        "下一个孩子读了纸条，又写了一张。不久，每本书里都住着一封不知是谁写的信。",
        "托马斯先生老了以后，自行车交给了莉娜。现在箱子里有一百本书，她要的价钱还是一样：记得还回来。",
      ],
    },
    {
      languageCode: "fr",
      title: "La bibliothèque à vélo",
      description: "Quarante livres passent la colline et reviennent toujours.",
      paragraphs: [
        "Monsieur Tomas avait un vélo, une caisse en bois et quarante livres. Chaque samedi, il posait la caisse sur le vélo et passait la colline.",
        "Dans le premier village, les enfants l’attendaient déjà. « Combien coûte un livre ? » demanda Lina. « Rien, répondit monsieur Tomas. Il faut seulement le rapporter. »",
        "Lina prit un livre sur les baleines. Elle n’avait jamais vu la mer, mais cette nuit-là, elle l’entendit dans sa chambre.",
        "Une semaine plus tard, elle rapporta le livre. Entre les pages, il y avait un petit mot : « La page douze est la plus belle. »",
        "L’enfant suivant lut le mot et en écrivit un autre. Bientôt, chaque livre abrita une lettre de quelqu’un.",
        "Quand monsieur Tomas devint vieux, Lina reçut le vélo. Aujourd’hui, la caisse contient cent livres, et elle demande toujours le même prix : rapporte-le.",
      ],
    },
  ],
};
