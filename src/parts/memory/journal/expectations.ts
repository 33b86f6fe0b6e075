import type { ValueType } from './values.ts';

/** What kind of value would answer a question; nothing when its form does not tell. */
export function expectedTypes(query: string): readonly ValueType[] {
  for (const [pattern, types] of ROWS) if (pattern.test(query)) return types;
  return [];
}

const ROWS: readonly (readonly [RegExp, readonly ValueType[]])[] = [
  [
    /\bhow (?:much|many|old|long|far|big|tall|strong|fast)\b|\bwie (?:viele?|alt|lange|groß|hoch|weit)\b|多少|几(?!号|点)|多大|多久|多长|いくら|何人|何歳|いくつ|얼마|몇|เท่าไร|กี่/iu,
    ['measure', 'number', 'clock'],
  ],
  [
    /\b(?:costs?|price|charge|fee|earn|salary|pay|paid|owe|kostet|preis|zahle|zahlen)\b|价格|费用|料金|家賃|가격|요금|ราคา|ค่า/iu,
    ['number', 'measure'],
  ],
  [
    /\b(?:when|which day|what day|what date|which date|until when|deadline|wann|bis wann)\b|什么时候|哪天|几号|いつ|何日|언제|며칠|เมื่อไร|เมื่อไหร่|วันไหน/iu,
    ['date', 'weekday', 'clock', 'frequency'],
  ],
  [/\b(?:what time|what hour|at what hour|which hour|wie spät|um wie viel)\b|几点|何時|몇 시|กี่โมง/iu, ['clock', 'number']],
  [/\b(?:how often|wie oft)\b|多久一次|频率|얼마나 자주/iu, ['frequency', 'measure']],
];
