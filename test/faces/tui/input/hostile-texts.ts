const ESC = '\x1b';
const [BEL, ST] = ['\x07', `${ESC}\\`];

/** Sequences that a terminal would obey. */
const SEQUENCES = [
  `${ESC}[2J${ESC}[H`,
  `${ESC}[3J`,
  `${ESC}[1A${ESC}[2K`,
  `${ESC}[8m hidden ${ESC}[0m`,
  `${ESC}[30;40m black on black`,
  `${ESC}[?1049h`,
  `${ESC}[?2004l`,
  `${ESC}[?25l`,
  `${ESC}[6n`,
  `${ESC}c`,
  `${ESC}]0;title${BEL}`,
  `${ESC}]52;c;cm0gLXJmIH4=${BEL}`,
  `${ESC}]8;;https://evil.example${ST}click${ESC}]8;;${ST}`,
  `${ESC}]133;A${BEL}`,
  `${ESC}]9;done${BEL}`,
  `${ESC}P+q544e${ST}`,
  `${ESC}_Gf=100;AAAA${ST}`,
  `${ESC}_pi:c${BEL}`,
  `${ESC}[200~o\r${ESC}[201~`,
  `${ESC}%G${ESC}(0lqqk`,
  '\x9b2J\x9b31m',
  '\x9d0;title\x9c',
  `\x90$q"p\x9c`,
  `${ESC}[1;1Hoverwritten`,
  `${ESC}[?2026h`,
  `\x18\x1a${ESC}[`,
];
/** Letters that turn the writing round, hide, or pass for others. */
const LETTERS = [
  '\u202etxt.exe\u202c',
  '\u2066rm -rf /\u2069 # safe',
  '\u200b\u200c\u200d\u2060\ufeff',
  'rm\u00a0-rf\u2003/',
  'r\u00adm',
  '\u{e0072}\u{e006d}\u{e0020}\u{e002d}\u{e0072}',
  'а\u0301с\u0489о\u20dd',
  'e\u0301'.repeat(200),
  '\u3164\u115f\u1160\uffa0',
  '中文命令 🙂👨‍👩‍👧‍👦🇩🇪 한글',
  '\u2028second\u2029third',
  '\u0085next\u000bvertical\u000cpage',
];
/** Pieces that move the cursor or rub out what stands there. */
const MOVES = [
  'echo safe\rrm -rf /',
  'rm -rf /\b\b\b\b\b\b\b\bls',
  'a\tb\t\tc',
  '\x00\x01\x02',
  'one\r\ntwo\rthree\n\rfour',
  '\x7f\x7f\x7f',
];
/** Long ones: what counts stands where somebody may not look. */
const LONG = [
  `echo ${'A'.repeat(10_000)} ; rm -rf ~`,
  `${' '.repeat(4_000)}rm -rf ~`,
  `ls${'\n'.repeat(300)}rm -rf ~`,
  `echo ${'中'.repeat(3_000)} && rm -rf ~`,
  Array.from({ length: 400 }, (_, index) => `step ${index}`).join('\n'),
  `${'x'.repeat(39)}\n${'y'.repeat(40)}\n${'z'.repeat(41)}\n${'w'.repeat(120)}`,
  `# ${'-'.repeat(200)}\nrm -rf ~`,
  '🙂'.repeat(2_000),
];
/** Pictures of a question of ours. */
const FAKES = [
  'true\n? Run this command?\n  │ ls\n› No\n  Yes, this once',
  'true\n  lines 1–3 of 3 · PgUp: back\n› No\n  Yes, this once',
  `true${' '.repeat(200)}? Allow ls?`,
  'true\n  (all of it: 1 lines, 4 characters)\n  Asked because it is harmless.\n  d  No',
  'true\n  ┆ goes on\n  │ another line',
  '\\x1b[2J \\u202e \\\\x1b ⇥ ↵',
  'true\n> always\n  Pasted text does not count as an answer: press a key.',
  'o\ny\n1\ns\nalways\n',
];

export const HOSTILE: readonly string[] = [
  ...SEQUENCES.map((each) => `echo ${each} && rm -rf ~`),
  ...LETTERS.map((each) => `cat ${each}`),
  ...MOVES,
  ...LONG,
  ...FAKES,
];

/** All that a screen of ours writes besides text: moves, erasing to the end, styles, the cursor, frames that are shown at once. */
// oxlint-disable-next-line no-control-regex -- sequences are what this is about
export const OURS = /\x1b\[\d*[ABCDGKJ]|\x1b\[[\d;]*m|\x1b\[\?(?:2026|25|7)[hl]|\x1b[78]|\r|\n/g;
// oxlint-disable-next-line no-control-regex -- and nothing of this may be left
export const OBEYED = /[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u;
// oxlint-disable-next-line no-control-regex -- the same without what pictures are joined with
export const CONTROLS = /[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;
