// A booklet about washing hands, in five languages.
import type { DemoBook } from "../book.ts";

export const cleanHands: DemoBook = {
  titleEn: "Clean Hands",
  slug: "clean-hands",
  description: "A small booklet about soap, water and twenty seconds.",
  translations: [
    {
      languageCode: "en",
      title: "Clean Hands",
      description: "A small booklet about soap, water and twenty seconds.",
      paragraphs: [
        "Your hands are clever. They draw, dig, count and wave. They also collect small guests that nobody can see: germs.",
        "Most germs do no harm. Some of them cause a stomach ache or a cough when they travel from the hand to the mouth.",
        "Wash your hands before you eat, after you have used the toilet, and when you come in from playing.",
        "This is how: wet your hands, take soap, rub the palms, the backs, between the fingers and under the nails. Rub for twenty seconds. Then rinse and dry.",
        "How long are twenty seconds? Count slowly to twenty, or sing a short song twice.",
        "There is no tap? A bottle with a small hole in its lid is enough. There is no soap? Clean ash helps too. Show it to a friend: clean hands are a gift to each other.",
      ],
    },
    {
      languageCode: "es",
      title: "Manos limpias",
      description: "Un cuadernillo sobre el jabón, el agua y veinte segundos.",
      paragraphs: [
        "Tus manos son listas. Dibujan, cavan, cuentan y saludan. También recogen pequeños huéspedes que nadie puede ver: los gérmenes.",
        "La mayoría de los gérmenes no hacen daño. Algunos causan dolor de barriga o tos cuando viajan de la mano a la boca.",
        "Lávate las manos antes de comer, después de ir al baño y cuando vuelvas de jugar.",
        "Se hace así: moja las manos, toma jabón y frota las palmas, el dorso, entre los dedos y debajo de las uñas. Frota durante veinte segundos. Después enjuaga y seca.",
        "¿Cuánto duran veinte segundos? Cuenta despacio hasta veinte o canta dos veces una canción corta.",
        "¿No hay grifo? Basta una botella con un agujerito en la tapa. ¿No hay jabón? La ceniza limpia también ayuda. Enséñaselo a un amigo: las manos limpias son un regalo para todos.",
      ],
    },
    {
      languageCode: "ar",
      title: "أيدٍ نظيفة",
      description: "كتيّب صغير عن الصابون والماء وعشرين ثانية.",
      paragraphs: [
        "يداك ماهرتان: ترسمان وتحفران وتعدّان وتلوّحان. وهما تجمعان أيضًا ضيوفًا صغارًا لا يراهم أحد: الجراثيم.",
        "معظم الجراثيم لا يضر. لكن بعضها يسبب ألمًا في البطن أو سعالًا حين ينتقل من اليد إلى الفم.",
        "اغسل يديك قبل الأكل، وبعد استعمال المرحاض، وعندما تعود من اللعب.",
        "هكذا تغسلهما: بلّل يديك وخذ الصابون، ثم افرك الراحتين وظهر اليدين وما بين الأصابع وتحت الأظافر. افرك عشرين ثانية، ثم اشطف وجفّف.",
        "كم تدوم عشرون ثانية؟ عُدّ ببطء إلى العشرين، أو غنِّ أغنية قصيرة مرتين.",
        "لا يوجد صنبور؟ تكفي زجاجة في غطائها ثقب صغير. لا يوجد صابون؟ الرماد النظيف يساعد أيضًا. علّم صديقك ذلك: الأيدي النظيفة هدية يقدمها بعضنا لبعض.",
      ],
    },
    {
      languageCode: "hi",
      title: "साफ़ हाथ",
      description: "साबुन, पानी और बीस सेकंड पर एक छोटी-सी पुस्तिका।",
      paragraphs: [
        "तुम्हारे हाथ बहुत होशियार हैं। वे चित्र बनाते हैं, मिट्टी खोदते हैं, गिनती करते हैं और विदा करते समय हिलते हैं। वे ऐसे नन्हे मेहमान भी इकट्ठा करते हैं जिन्हें कोई देख नहीं सकता: कीटाणु।",
        "ज़्यादातर कीटाणु कोई नुक़सान नहीं करते। पर कुछ कीटाणु हाथ से मुँह तक पहुँचकर पेट दर्द या खाँसी कर देते हैं।",
        "खाने से पहले, शौचालय जाने के बाद और खेलकर लौटने पर हाथ धोओ।",
        "ऐसे धोओ: हाथ गीले करो, साबुन लो, फिर हथेलियाँ, हाथों का पिछला हिस्सा, उँगलियों के बीच और नाख़ूनों के नीचे मलो। बीस सेकंड तक मलो। फिर पानी से धोकर सुखा लो।",
        "बीस सेकंड कितने होते हैं? धीरे-धीरे बीस तक गिनो, या कोई छोटा गीत दो बार गाओ।",
        "नल नहीं है? ढक्कन में छोटे छेद वाली एक बोतल काफ़ी है। साबुन नहीं है? साफ़ राख भी काम आती है। अपने दोस्त को भी सिखाओ: साफ़ हाथ एक-दूसरे के लिए उपहार हैं।",
      ],
    },
    {
      languageCode: "fr",
      title: "Les mains propres",
      description: "Un petit livret sur le savon, l’eau et vingt secondes.",
      paragraphs: [
        "Tes mains sont habiles. Elles dessinent, creusent, comptent et font signe. Elles ramassent aussi de petits invités que personne ne voit : les microbes.",
        "La plupart des microbes ne font pas de mal. Certains donnent mal au ventre ou font tousser quand ils passent de la main à la bouche.",
        "Lave-toi les mains avant de manger, après être allé aux toilettes et quand tu rentres de jouer.",
        "Voici comment faire : mouille tes mains, prends du savon, frotte les paumes, le dos des mains, entre les doigts et sous les ongles. Frotte pendant vingt secondes. Puis rince et sèche.",
        "Combien de temps durent vingt secondes ? Compte lentement jusqu’à vingt, ou chante deux fois une courte chanson.",
        "Il n’y a pas de robinet ? Une bouteille avec un petit trou dans le bouchon suffit. Il n’y a pas de savon ? La cendre propre aide aussi. Montre-le à un ami : des mains propres sont un cadeau que l’on se fait.",
      ],
    },
  ],
};
