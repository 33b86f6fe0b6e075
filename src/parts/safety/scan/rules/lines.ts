import type { TextKind } from '../../../../contracts/scan.ts';
import { sendsSecret } from './secret-lines.ts';

/** What a single line of shell or code gives away. The command judge reads commands; here it is about what a text asks for. */
interface LineRow {
  readonly threat: string;
  readonly kinds?: readonly TextKind[];
  readonly mild?: true;
  readonly test: (line: string) => boolean;
}

const SHELL = String.raw`\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b`;
const DECODED = new RegExp(
  String.raw`(?:base64\s+(?:-d|--decode)|xxd -r|\brev\b)[^\n]{0,120}${SHELL}|\b(?:exec|eval)\s*[("'$][^\n]{0,60}(?:b64decode|base64|atob|fromhex|unhexlify)`,
);
const LITERAL_KEY =
  /\b(?:sk-(?:ant-|proj-)?[a-z0-9_-]{24,}|gh[pousr]_[a-z0-9]{30,}|akia[0-9a-z]{16}|xox[abpr]-[a-z0-9-]{20,}|aiza[0-9a-z_-]{30,})\b|-----begin [a-z ]{0,20}private key-----/;
/** `cat .env` asks, covers or needs something: a command that is told of. */
const TOLD_OF = /`[^`\n]{1,200}`(?= (?:of|needs?|asks?|covers?|shows?|prints?|is|was|would|fails?)\b)/g;
/** Shown on the terminal, whole; a line that forbids it is none. */
const SHOWN =
  /(?<!(?:never|not|n.t|no)\s[\w\s`'"]{0,30})(?:\b(?:cat|bat|strings|xxd|base64|get-content)|(?:^|[;&|`$(]\s{0,3})(?:less|more|head|tail|type)(?=\s+(?:-\w+\s+){0,4}["']?[~/.$]))\s[^\n>]{0,200}?(?:(?<![\w.])\.env(?:\.(?!example|sample|template|dist|test|tpl|defaults?|schema)[\w-]{1,20})?(?![\w.-])|(?<![\w.-])credentials(?![\w.-]*(?:\.(?:example|sample|md|enc)|-))|\.netrc\b|\.pgpass\b|\bid_(?:rsa|ed25519)\b(?!\.pub))/;

const ROWS: readonly LineRow[] = [
  { threat: 'exfil_curl', test: sendsSecret },
  { threat: 'read_secrets', test: (line) => SHOWN.test(line.replaceAll(TOLD_OF, ' ')) },
  { threat: 'translate_execute', test: (line) => DECODED.test(line) },
  {
    threat: 'hardcoded_secret',
    mild: true,
    kinds: ['memory', 'skill'],
    test: (line) => LITERAL_KEY.test(line) && !/example|xxxx|dummy|placeholder|your[-_]/.test(line),
  },
];

const LONGEST = 2000;
const OVERLAP = 200;

/** Goes through the lines; a backslash at the end joins the next one, a very long line comes in slices. */
export function* findLines(text: string, kind: TextKind): Generator<{ threat: string; severe: boolean; at: number; end: number }> {
  const rows = ROWS.filter(({ kinds }) => kinds?.includes(kind) ?? true);
  for (let start = 0; start < text.length;) {
    let end = lineEnd(text, start);
    for (let joined = 0; joined < 12 && text[end - 1] === '\\' && end < text.length; joined++) end = lineEnd(text, end + 1);
    for (let at = start; at < end; at += LONGEST - OVERLAP) {
      const line = text.slice(at, Math.min(end, at + LONGEST));
      for (const { threat, mild, test } of rows) if (test(line)) yield { threat, severe: mild !== true, at, end: at + line.length };
    }
    start = end + 1;
  }
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}
