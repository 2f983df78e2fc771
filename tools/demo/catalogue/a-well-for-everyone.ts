// A story about a village that digs a well, in six languages.
import type { DemoBook } from "../book.ts";

export const aWellForEveryone: DemoBook = {
  titleEn: "A Well for Everyone",
  slug: "a-well-for-everyone",
  description: "A village digs together until it finds water.",
  translations: [
    {
      languageCode: "en",
      title: "A Well for Everyone",
      description: "A village digs together until it finds water.",
      paragraphs: [
        "Every morning Amina walked to the river with a yellow bucket. The way there was easy. The way back was long, because water is heavy.",
        "One evening her grandmother said, “There is water under our feet. We only have to ask the ground for it.”",
        "So the village began to dig. The baker dug, the teacher dug, and the children carried the earth away in baskets. On the first day they found only stones.",
        "On the ninth day the soil turned dark and cool. Amina put her hand into the hole and felt something wet. “It is here!” she called.",
        "They built a round wall of stones so that nobody could fall in, and they put a lid on the well to keep the water clean.",
        "Now Amina reaches the well in a hundred steps. In the time she has won, she reads. And on the wall of the well stand the words: This water belongs to everyone.",
      ],
    },
    {
      languageCode: "es",
      title: "Un pozo para todos",
      description: "Un pueblo cava unido hasta encontrar agua.",
      paragraphs: [
        "Cada mañana Amina caminaba hasta el río con un cubo amarillo. La ida era fácil. La vuelta era larga, porque el agua pesa.",
        "Una tarde su abuela le dijo: «Hay agua bajo nuestros pies. Solo tenemos que pedírsela a la tierra».",
        "Así que el pueblo empezó a cavar. Cavó el panadero, cavó la maestra, y los niños se llevaron la tierra en cestas. El primer día solo encontraron piedras.",
        "El noveno día la tierra se volvió oscura y fresca. Amina metió la mano en el hoyo y sintió algo mojado. «¡Está aquí!», gritó.",
        "Levantaron un muro redondo de piedra para que nadie se cayera y taparon el pozo para que el agua se conservara limpia.",
        "Ahora Amina llega al pozo en cien pasos. Con el tiempo que ha ganado, lee. Y en el muro del pozo están escritas estas palabras: «Esta agua es de todos».",
      ],
    },
    {
      languageCode: "ar",
      title: "بئر للجميع",
      description: "قرية تحفر معًا حتى تجد الماء.",
      paragraphs: [
        "كل صباح كانت أمينة تمشي إلى النهر وفي يدها دلو أصفر. كان الذهاب سهلًا، أما العودة فكانت طويلة لأن الماء ثقيل.",
        "وفي إحدى الأمسيات قالت لها جدتها: «تحت أقدامنا ماء، وما علينا إلا أن نطلبه من الأرض».",
        "فبدأت القرية تحفر. حفر الخباز، وحفرت المعلمة، وحمل الأطفال التراب بعيدًا في السلال. وفي اليوم الأول لم يجدوا غير الحجارة.",
        "وفي اليوم التاسع صارت التربة داكنة وباردة. مدّت أمينة يدها في الحفرة فلمست شيئًا رطبًا. نادت: «إنه هنا!»",
        "بنوا جدارًا مستديرًا من الحجر حتى لا يقع أحد، ووضعوا غطاءً على البئر ليبقى الماء نظيفًا.",
        "والآن تصل أمينة إلى البئر في مئة خطوة، وتقرأ في الوقت الذي كسبته. وعلى جدار البئر كُتبت هذه الكلمات: هذا الماء للجميع.",
      ],
    },
    {
      languageCode: "zh",
      title: "大家的水井",
      description: "全村人一起挖井，终于找到了水。",
      paragraphs: [
        "每天早晨，阿米娜都提着一只黄色的水桶走到河边。去的路很轻松，回来的路却很长，因为水很重。",
        "一天傍晚，奶奶对她说：“我们脚下就有水，只要向大地去要就行了。”",
        "于是全村人开始挖井。面包师挖，老师也挖，孩子们用篮子把土运走。第一天，他们只挖到了石头。",
        "到了第九天，泥土变得又黑又凉。阿米娜把手伸进坑里，摸到了湿湿的东西。“水在这儿！”她喊道。",
        "他们用石头砌了一圈井壁，免得有人掉下去，又给井加了盖子，让井水保持干净。",
        "现在，阿米娜走一百步就到井边了。省下来的时间，她用来读书。井壁上写着这样一句话：这水属于大家。",
      ],
    },
    {
      languageCode: "hi",
      title: "सबका कुआँ",
      description: "पूरा गाँव मिलकर खोदता है, जब तक पानी नहीं मिल जाता।",
      paragraphs: [
        "हर सुबह अमीना पीली बाल्टी लेकर नदी तक जाती थी। जाना आसान था। लौटना मुश्किल था, क्योंकि पानी भारी होता है।",
        "एक शाम उसकी दादी ने कहा, “पानी तो हमारे पैरों के नीचे है। बस हमें धरती से माँगना है।”",
        "तब गाँव वालों ने खोदना शुरू किया। नानबाई ने खोदा, अध्यापिका ने खोदा, और बच्चे टोकरियों में मिट्टी ढोकर ले गए। पहले दिन उन्हें सिर्फ़ पत्थर मिले।",
        "नौवें दिन मिट्टी काली और ठंडी हो गई। अमीना ने गड्ढे में हाथ डाला तो कुछ गीला-सा लगा। वह चिल्लाई, “पानी यहाँ है!”",
        "उन्होंने पत्थरों की गोल दीवार बनाई ताकि कोई गिर न जाए, और पानी साफ़ रखने के लिए कुएँ पर ढक्कन लगा दिया।",
        "अब अमीना सौ क़दम चलकर कुएँ तक पहुँच जाती है। जो समय बचता है, उसमें वह पढ़ती है। और कुएँ की दीवार पर लिखा है: यह पानी सबका है।",
      ],
    },
    {
      languageCode: "fr",
      title: "Un puits pour tous",
      description: "Tout un village creuse jusqu’à trouver de l’eau.",
      paragraphs: [
        "Chaque matin, Amina allait à la rivière avec un seau jaune. L’aller était facile. Le retour était long, car l’eau est lourde.",
        "Un soir, sa grand-mère lui dit : « Il y a de l’eau sous nos pieds. Il suffit de la demander à la terre. »",
        "Alors le village se mit à creuser. Le boulanger creusa, l’institutrice creusa, et les enfants emportèrent la terre dans des paniers. Le premier jour, ils ne trouvèrent que des pierres.",
        "Le neuvième jour, la terre devint sombre et fraîche. Amina plongea la main dans le trou et sentit quelque chose de mouillé. « Elle est là ! » cria-t-elle.",
        "Ils bâtirent un muret rond en pierre pour que personne ne tombe, et ils posèrent un couvercle sur le puits pour garder l’eau propre.",
        "Maintenant, Amina arrive au puits en cent pas. Avec le temps gagné, elle lit. Et sur le muret du puits, on peut lire ces mots : cette eau est à tout le monde.",
      ],
    },
  ],
};
