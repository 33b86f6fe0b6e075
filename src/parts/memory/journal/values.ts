/** What in a sentence could be the answer to a question, by type: two values of one type can stand in each other's place. */
export type ValueType = 'weekday' | 'date' | 'clock' | 'measure' | 'money' | 'number' | 'frequency' | 'name' | 'path';

export interface FoundValue {
  readonly type: ValueType;
  readonly text: string;
  /** What is counted or measured: `mg`, `percent`, `minutes`. */
  readonly unit?: string;
}

const MONTHS =
  'jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|märz|apr(?:il)?|may|mai|june?|juni|july?|juli|aug(?:ust)?|sep(?:t|tember)?|oct(?:ober)?|okt(?:ober)?|nov(?:ember)?|dec(?:ember)?|dez(?:ember)?';
const NUMBER_WORDS =
  'two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf';
const SIGN_NUMBER = '[\\d〇零一二两三四五六七八九十百千万]';

const ROWS: readonly (readonly [ValueType, RegExp])[] = [
  ['path', /(?:^|[\s"(（：:])(\/[\w./-]{3,}|[\w-]+(?:\/[\w.-]+)+|[\w-]+\.(?:ya?ml|json|tex|ts|js|py|md|txt|jks|toml|conf|sh)\b)/giu],
  [
    'date',
    new RegExp(
      `\\b(\\d{1,2}(?:st|nd|rd|th|\\.)?(?: of)? (?:${MONTHS})\\b|(?:${MONTHS}) \\d{1,2}(?:st|nd|rd|th)?\\b|\\d{4}-\\d\\d-\\d\\d|\\bthe \\d{1,2}(?:st|nd|rd|th)\\b)`,
      'giu',
    ),
  ],
  ['date', new RegExp(`(${SIGN_NUMBER}{1,3} ?[月월] ?${SIGN_NUMBER}{1,3} ?[日号일]|每月${SIGN_NUMBER}{1,3}[号日])`, 'gu')],
  [
    'clock',
    new RegExp(
      `(\\b\\d{1,2}:\\d\\d\\b|\\b\\d{1,2} ?(?:am|pm|o'clock|uhr)\\b|(?:上午|下午|晚上|早上|午前|午後|오전|오후|아침|저녁)? ?${SIGN_NUMBER}{1,3} ?[点點時시](?:半| ?반)?|\\bmidnight\\b|\\bnoon\\b)`,
      'giu',
    ),
  ],
  [
    'weekday',
    /\b((?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?)\b|([周週]|星期|礼拜)[一二三四五六日天]|[月火水木金土日]曜|[월화수목금토일]요일|วัน(?:จันทร์|อังคาร|พุธ|พฤหัส|ศุกร์|เสาร์|อาทิตย์)/giu,
  ],
  [
    'frequency',
    /\b(every (?:other |second |two |three )?\w+|daily|weekly|monthly|yearly|once a \w+|twice a \w+|jeden \w+|täglich|wöchentlich)\b|每[天周月年]|毎[日週月年]|매[일주월년]|ทุก/giu,
  ],
  [
    'measure',
    /(\d[\d.,]*) ?(percent|prozent|%|kg|g|grams?|mg|ml|l|litres?|liters?|km|m|cm|mm|centimet\w+|kilomet\w+|kwh|kwp|kw|watts?|minutes?|minuten|min|hours?|stunden|days?|tage|weeks?|wochen|months?|years?|jahre|points?|punkte|pages?|seiten|pixels?|mb|gb|shards?|approvals?|words?|kids|people|毫秒|分钟|小时|天|个|人|元|块|岁|円|分|階|年|개|분|원|살|명|층|ห้อง|บาท|ปี)(?![\p{L}])/giu,
  ],
  ['measure', new RegExp(`\\b(${NUMBER_WORDS}|one) (\\p{L}+)`, 'giu')],
  ['measure', /([一二两三四五六七八九十百千万]+)(元|块|天|个|人|间|岁|次|年|円|階|日|号)/gu],
  ['number', /(?:^|[^\p{Script=Latin}\p{N}.:/-])(\d[\d.,]*\d|\d|[A-Z]{1,3}-?\d+[\w-]*)(?![\p{Script=Latin}\p{N}:/-])/gu],
  ['number', /(?<=[\p{L}:] )([B-HJ-Z])(?![\p{L}\p{N}'.-]\p{L}|\p{L})/gu],
  ['name', /(?<=[\p{L}\p{N},;:)"] )(\p{Lu}[\p{Ll}\p{N}'.-]+(?: \p{Lu}[\p{L}\p{N}'.-]+)*)/gu],
];

export function toValues(sentence: string): readonly FoundValue[] {
  const text = sentence.normalize('NFKC').replace(/(?<=\d),(?=\d{3}(?!\d))/gu, '');
  const found: FoundValue[] = [];
  let left = text;
  for (const [type, pattern] of ROWS)
    left = left.replace(pattern, (whole: string, value: unknown, unit: unknown) => {
      found.push({
        type,
        text: (typeof value === 'string' ? value : whole).toLowerCase().trim(),
        ...(type === 'measure' && typeof unit === 'string' && { unit: unit.toLowerCase().replace(/s$/u, '') }),
      });
      return ' '.repeat(whole.length);
    });
  return found;
}

/** Units of measurement say nothing of what is measured; what is counted does. */
const PHYSICAL =
  /^(?:percent|prozent|%|kg|g|gram|mg|ml|l|litre|liter|km|m|cm|mm|centimet\w+|kilomet\w+|kwh|kwp|kw|watt|minute|minuten|min|hour|stunden|day|tage|week|wochen|month|year|jahre|pixel|mb|gb|毫秒|分钟|小时|天|元|块|円|分|年|분|원|บาท|ปี)$/u;
export const isPhysicalUnit = (unit: string): boolean => PHYSICAL.test(unit);
