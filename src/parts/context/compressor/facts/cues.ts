import { splitSentences } from './sentences.ts';

/** Words by which people set rules, by language. A row more is a language more. */
const SPELT: Readonly<Record<string, string>> = {
  english:
    "never|always|must|mustn't|don't|dont|do not|does not|only|prefer|avoid|without|instead of|rather than|at most|at least|no more than|no longer than|should not|shouldn't|not allowed|forbidden|required|make sure|ensure|remember|keep in mind|stick to|from now on|no matter|deadline|under no circumstances|except|unless|by default|leave alone|stay away|can't|cannot|may not|hands off|off limits|important|constraint|rule",
  german:
    'nie|niemals|immer|muss|müssen|musst|nicht|kein|keine|keinen|nur|lieber|bevorzuge|vermeide|ohne|statt|höchstens|mindestens|auf keinen fall|unbedingt|ab jetzt|wichtig|verboten|bitte beachte',
  french:
    'jamais|toujours|doit|doivent|il faut|ne pas|pas de|seulement|uniquement|préfère|évite|évitez|sans|plutôt|au plus|au moins|interdit|désormais',
  spanish:
    'nunca|siempre|debe|deben|hay que|no uses|no toques|no hagas|solo|sólo|solamente|prefiero|evita|sin|en vez de|como máximo|al menos|prohibido|importante',
  portuguese: 'sempre|deve|não|somente|apenas|prefiro|evite|sem|no máximo|pelo menos|proibido',
  italian: 'mai|devi|non|soltanto|preferisco|senza|al massimo|almeno|vietato',
  dutch: 'nooit|altijd|moet|niet|geen|alleen|liever|vermijd|zonder|hoogstens|minstens|verboden',
  polish: 'nigdy|zawsze|musi|nie|tylko|wolę|unikaj|bez|najwyżej|co najmniej|zabronione',
  russian: 'никогда|всегда|должен|должна|должно|нельзя|не|только|предпочитаю|избегай|без|обязательно|важно',
  ukrainian: 'ніколи|завжди|повинен|тільки|лише|уникай',
  turkish: 'asla|her zaman|sadece|yalnızca|tercih|kaçın|mutlaka|yasak|en fazla|en az',
  arabic: 'لا|أبدا|أبدًا|دائما|دائمًا|يجب|فقط|تجنب|بدون|ممنوع',
  hindi: 'कभी|हमेशा|केवल|सिर्फ|मत|ज़रूर|बिना',
};
/** Languages that put no space between words. */
const UNSPACED: Readonly<Record<string, string>> = {
  chinese: '不要|别|必须|必須|总是|總是|永远|从不|只|禁止|务必|优先|不能|不可|不得|请勿|切勿|避免|至少|最多|一定|絕對',
  japanese: 'ないで|必ず|絶対|だけ|常に|べき|なければ|しない|のみ',
  korean: '절대|항상|반드시|하지 마|하지마|만 |금지|말고|않',
};

const any = (table: Readonly<Record<string, string>>): string => Object.values(table).join('|');
const CUE = new RegExp(`(?<!\\p{L})(?:${any(SPELT)})(?!\\p{L})|${any(UNSPACED)}`, 'iu');

const MAX_SENTENCES = 6;
const SENTENCE_LENGTH = 300;

/** Sentences that set a rule, as they were said. A pasted page has many; the first ones and the last one count. */
export function extractRules(text: string): readonly string[] {
  const found = splitSentences(text).filter((sentence) => sentence.length <= SENTENCE_LENGTH && CUE.test(sentence));
  return found.length <= MAX_SENTENCES ? found : [...found.slice(0, MAX_SENTENCES - 1), ...found.slice(-1)];
}
