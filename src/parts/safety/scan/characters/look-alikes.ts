/** Letters of other alphabets (folded: lower case, no accents), each before the Latin letter it looks like. */
const PAIRS = [
  // Cyrillic
  'аaвbсcԁdеeһhнhіiїiјjкkӏlмmоoрpԛqгrѕsтtуyѵvԝwхxүyз3пnиuѡwьbєe',
  // Greek
  'αaβbϲcσoδdεeηnιiκkνvοoρpτtυuχxγyωwϳjςsμuζz',
  // Armenian and Cherokee
  'օoոnսuհhյjցgզqաwꭰdꭱrꭺaꮃwꮇmꮋhꮩvꮪsꮮlꮯcꮲpꮶkꭲiꭻjꭼeꮐgꮓz',
].join('');

export const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  Array.from(PAIRS.matchAll(/(.)(.)/gu), ([, odd = '', latin = '']) => [odd, latin]),
);
