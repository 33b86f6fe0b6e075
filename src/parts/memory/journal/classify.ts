/** What a sentence is good for: told by its form alone, in the languages the tables know. A `cue` is no sentence: words a turn is found by. */
export type SentenceKind = 'statement' | 'preference' | 'asked' | 'hypothetical' | 'cue';

const QUESTION_END = /[?？]["')\]]?$|(?:吗|呢|か)[。.]?$/u;
const QUESTION_START =
  /^(?:and |so |but |und |also )?(?:what|who|whom|whose|when|where|why|how|which|is|are|was|were|do|does|did|can|could|would|should|will|shall|may|have|has|was|wer|wann|wo|wie|warum|welche[rsnm]?|kannst|könntest|soll)\b[^,.]*$/iu;

/** Verbs that open an order to the agent. */
const ORDER =
  /^(?:please |bitte |now |then |and |also |ok,? |great[.,!]? )*(?:add|analy[sz]e|arrange|ask|book|bring|build|calculate|call|change|check|choose|clean|compare|convert|count|create|cut|delete|deploy|describe|draft|draw|drill|explain|export|fill|find|fix|format|generate|get|give|help|import|keep|list|look|make|mark|message|move|open|order|phone|pick|plan|post|prepare|print|proofread|pull|push|put|raise|read|recommend|refactor|remind|remove|rename|reply|rerun|reserve|restart|rewrite|rotate|run|save|scan|schedule|search|send|set|show|simplify|sort|split|start|stop|suggest|summari[sz]e|sum|tell|test|translate|try|turn|update|upload|use|warn|write|mach|schreib|such|such|finde|lies|zeig|bestell|prüf|erstell|schick|sag|gib|hilf|übersetze|plane|räum|rechne|erklär)e?\b/iu;
const ORDER_SIGNS =
  /^(?:帮我|请|麻烦|给我|把|看一下|查一下|写|列|翻译|总结|部署)|(?:一下)[。.]?$|(?:して|くれる|ください|もらえる|調べて|読んで|教えて)[。.？?]?$|(?:해 ?줘|줘|해줘|주세요|골라 줘)[.。]?$|^(?:ช่วย|กรุณา|ขอ)/u;
const POLITE = /\b(?:can|could|would|will) you\b|\bhelp me\b|\bkannst du\b|\bkönntest du\b|\bany ideas?\b/iu;

export const isQuestion = (sentence: string): boolean => QUESTION_END.test(sentence) || QUESTION_START.test(sentence);
/** Somebody wants something done, rather than to know or to tell something. */
export const isOrder = (sentence: string): boolean => ORDER.test(sentence) || ORDER_SIGNS.test(sentence) || POLITE.test(sentence);

/** Orders for a text or an explanation: what is in them is material, nothing that was told. */
const CRAFT =
  /^(?:please |bitte |can you |could you |now )*(?:check the grammar|compare|describe|draft|explain|format|proofread|rephrase|rewrite|shorten|simplify|sort|summari[sz]e|translate|write|make (?:a|an|the|me)|give me|tell me|show me|list|help me|let's play|name|kürze|formuliere|übersetze|erklär|schreib|vergleiche|korrigiere|mach)e?\b|^(?:翻译|解释|写|改写|帮我写|总结|润色)|(?:訳して|説明して|書いて|直して)|(?:번역해|설명해|써 ?줘|고쳐 ?줘)/iu;

/** How the agent is to go about things from then on, or what somebody cannot have. */
const STANDING =
  /\b(?:only|without|not|no|never|none|nothing|always|prefers?|preferred|needs?|must|should|can't|cannot|don't|doesn't|won't|please|rather|at most|at least|max(?:imum)?|except|unless|allerg\w+|intolerant|vegan|vegetarian|hates?|loathe|loves?|i like|likes|dislikes?|avoid|usually|rule|strict|keep in mind|from now on|by default|i want|i'd like|nie|niemals|nicht|kein|keine|keinen|nur|ohne|immer|bitte|muss|müssen|soll|lieber|höchstens|mindestens|außer|grundsätzlich|mag|hasse)\b/iu;
const STANDING_SIGNS =
  /不|别|只|一律|以后|过敏|必须|请|要先|尽量|习惯|晕|怕|喜欢|讨厌|ない|だけ|ください|いつも|必ず|苦手|嫌い|好き|弱い|がいい|避け|アレルギー|안 |않|못|만 |로만|에만|마세요|지 ?마|항상|꼭|절대|싫|좋아|알레르기|ไม่|เท่านั้น|ต้อง|อย่า|ห้าม|ชอบ|แพ้|เสมอ/u;

export const isStanding = (sentence: string): boolean => STANDING.test(sentence) || STANDING_SIGNS.test(sentence);

/** Wishes, tests, jokes and stories: said, but not so. */
const UNREAL =
  /\b(?:if (?:i|we) ever|if (?:i|we) (?:had|won|were|bought)|would be nice|hypothetical|imagine|dream|dreams|pretend|fake|dummy|placeholder|for the test|test data|sample|example only|made[- ]up|in (?:the|my) (?:novel|story|book|game|play)|the (?:heroine|hero|protagonist|character)|joked|joking|just kidding|a joke|wish (?:i|we)|angenommen|wäre schön|fiktiv|testdaten|im roman|scherz)\b|如果|假如|假设|要是|测试用|小说里|开玩笑|もし|たら(?:いい|な)|小説|テスト用|冗談|만약|소설|농담|테스트용|ถ้า|สมมติ|นิยาย|ล้อเล่น/iu;

export const isUnreal = (sentence: string): boolean => UNREAL.test(sentence);

/** A number, a name, a path, a quotation: something that could be the answer to a question. */
export const hasValue = (sentence: string): boolean =>
  /[\d０-９]|["“„「『《]|\/\w|[一二三四五六七八九十百千万]/u.test(sentence) || /(?<=[\p{L}\p{N},;:] )\p{Lu}\p{L}+/u.test(sentence);

/** A number, a path, a quotation or a name as programs have them: the agent's general advice has none. */
export const hasHardValue = (sentence: string): boolean =>
  /\d|["“„「『《]|\/\w|\w[_-]\w+\b.*\w[_-]\w|[a-z]\.[a-z]{2,4}\b|[二三四五六七八九十百千万]/u.test(sentence);

export function classifySentence(sentence: string): SentenceKind {
  if (isUnreal(sentence)) return 'hypothetical';
  if (isQuestion(sentence)) return 'asked';
  if (CRAFT.test(sentence)) return 'asked';
  if (isStanding(sentence)) return 'preference';
  return isOrder(sentence) && !hasValue(sentence) ? 'asked' : 'statement';
}
