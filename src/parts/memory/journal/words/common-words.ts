/** Words that say nothing about what a message is about. */
export const STOP_WORDS = new Set(
  `a an the of and or but to in on at for from by with as is are was were be been being am do does did done has have had having i me my mine
  myself we us our ours you your yours it its he she they them his her hers their theirs this that these those there here what which who whom
  whose when where why how if so not no yes can could would should will shall may might must again any some about into out up down over than
  then too also just still now ever get got gets s t re ve ll d m don doesn didn isn aren wasn weren won wouldn couldn shouldn can't i'm i'd
  i'll i've it's that's what's let's please ok okay well oh hi hello thanks thank such very much many more most few all each both either
  neither only own same other another one ones else though because while during before after since until till per via off under onto
  anything something nothing anybody somebody someone anyone nobody everybody everything
  der die das den dem des ein eine einen einem einer eines und oder aber zu zum zur im in am an auf aus bei für von vom mit nach als ist sind
  war waren sein bin bist hat habe haben hatte hatten wird werden wurde ich mir mich mein meine meinen meiner meinem wir uns unser unsere du
  dir dich dein deine es er sie ihn ihm ihr ihre was welche welcher welches welchen wer wen wem wann wo wohin woher wie warum ob nicht kein
  keine keinen noch mal doch denn dann da dass wenn weil auch nur schon sehr so viel viele mehr bitte jetzt heute um über unter vor`.split(
    /\s+/u,
  ),
);

/** What a question asks about rather than for whom or what: it never decides alone that a fact belongs to a question. */
export const ATTRIBUTE_WORDS = new Set(
  `name names named called number numbers cost costs price prices day days date dates time times hour hours size sizes year years month months
  week weeks amount kind kinds type types sort sorts place places thing things way reason colour color long old often far big high low late
  early new next last first current currently present moment today tomorrow yesterday tonight monthly weekly daily yearly annual total sum
  minute minutes second seconds percent people person evening morning afternoon night
  pay pays paid charge charges cost bill fee exactly again still anymore
  heißt heißen name nummer kostet kosten preis tag tage datum zeit uhr größe jahr monat woche art sorte ort hoch lange oft alt jährlich
  monatlich wöchentlich zahle zahlen`.split(/\s+/u),
);

/** Verbs that go with everything. */
export const WEAK_WORDS = new Set(
  `go goes going went gone come comes came coming make makes made making take takes took taken taking give gives gave given need needs needed
  want wants wanted put puts use uses used using keep keeps kept find finds found look looks looked say says said tell tells told know knows
  knew think thinks thought see sees saw seen ask asks asked try tried let set sets show shows work works happen happened turn turns turned
  help helps mean means like has bring brings brought become became feel feels seem seems remember remind mention mentioned according
  suggest recommend idea pick choose choice short good nice best better great right wrong sure really maybe actually bit lot
  machen macht gemacht geht gehen ging kommt kommen kam nehmen nimmt brauche brauchen will wollen soll sollen kann können muss müssen gibt
  geben sagen sagt weiß wissen finden hole holen steht stehen liegt liegen hilft bestell bestellen etwas alles`.split(/\s+/u),
);

/** Pieces of Chinese, Japanese, Korean and Thai sentences that are grammar, politeness or question words. */
export const STOP_PIECES =
  `什么时候 什么 哪个 哪家 哪里 哪儿 哪天 哪条 哪台 怎么 多少 几号 几点 几间 几天 现在 我们 你们 他们 是谁 一下 一个 这次 那个 这个 的时候 帮我 请 的话 有什么 是什么 叫什么 最后 应该 需要 要 吗 呢 吧 了 的 是 我 你 他 她 在 有 会 就 都 也 和 跟 把 被 给 让 对 很 那 这 谁 几 该 先 来 去 到 上 下 里 说 好
  いつですか どこですか 何ですか でしたか ですか ますか ました ません ください もらえる どこ いつ 何 だれ 誰 いくら ですね です ます でした した して する って から まで ので ない だっけ だった いる ある なる たい れば とき こと もの の は が を に で と も へ や か ね よ な
  뭐였지 뭐야 무엇 언제 어디 어디에 누구 누가 얼마나 얼마 몇 번 몇 무슨 어느 이야 예요 이에요 해요 했어요 했지 했어 할게요 있어요 있어 있지 해야 하기로 해 줘 좀 나는 나한테 내가 내 나 우리 은 는 이 가 을 를 에 에서 에게 으로 로 와 과 도 의 만 요 지 야 거
  อะไร เท่าไร เมื่อไร เมื่อไหร่ ที่ไหน ใคร ไหน ของผม ของฉัน ครับ ค่ะ คะ ผม ฉัน คือ เป็น มี ที่ และ ของ ได้ ให้ แล้ว มา ไป ว่า ใน เลขที่ ชื่อ`.split(/\s+/u);
