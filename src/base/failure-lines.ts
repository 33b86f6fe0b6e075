/** A line that tells of a failure, by where it stands in the whole. */
export interface FailureLine {
  /** Counted from 1. */
  readonly number: number;
  /** Where it begins, in characters. */
  readonly at: number;
  readonly text: string;
}

/** How compilers, test runners and runtimes say that something failed. Adding one is a row. */
const FAILURES: readonly RegExp[] = [
  // TAP, node:test, mocha, jest, pytest, go test, cargo test, ctest
  /^\s*(?:not ok\b|[✖✗✘×❌●]|FAIL(?:ED|URE)?\b|--- FAIL)/,
  /\b(?:FAILED|FAILURE|FAILURES)\b|\.\.\. FAIL|\*\*\*(?:Failed|Exception|Timeout)/,
  /\b[1-9]\d* (?:tests? |specs? |examples? )?(?:failed|failing|failures?|errors?)\b/i,
  // Compilers and linters: `a.c:3:1: error: …`, `error[E0308]: …`, `error TS2304: …`
  /\berror(?:\[\w+\])?(?: [A-Z]+\d+)?: /i,
  // Runtimes: `TypeError: …`, `Traceback (most recent call last):`, `panic: …`
  /^\s*(?:\w+\.)*\w*(?:Error|Exception)\b(?::| at |$)|^Traceback \(|\bpanic(?:ked)?\b|^Caused by\b/,
  /^\s*(?:E {2,}|fatal|critical)\b|\bfatal(?: error)?: |^(?:ERR!|npm ERR!|npm error)|\[(?:ERROR|FATAL)\]|\bERROR\b/,
  /\b(?:segmentation fault|core dumped|undefined reference|command not found|permission denied|no space left|out of memory)\b/i,
];
/** What every row above has in it: most lines have nothing of it, and are passed over quickly. */
const HINTS =
  /not ok|fail|err|exception|timeout|traceback|panic|caused|fatal|critical|fault|dumped|undefined ref|not found|denied|no space|memory|[✖✗✘×❌●]|^\s*E {2}/i;
/** What passed, whatever its name says, and counts of nothing. */
const PASSED = /^\s*(?:ok\b|[✓✔√]|PASS(?:ED)?\b|test .* \.\.\. ok)|\b(?:0|no) (?:errors?|fail\w*)\b/i;
/** A piece of a key or of a picture is no words. */
const ENCODED = /^\s*[\w+/=-]{40,}\s*$/;
/** A longer line is judged by its beginning. */
const MAX_JUDGED = 2_000;

function tellsFailure(line: string): boolean {
  const words = line.slice(0, MAX_JUDGED);
  return HINTS.test(words) && !PASSED.test(words) && !ENCODED.test(words) && FAILURES.some((pattern) => pattern.test(words));
}

/** The first failure tells most, the last how it ended; those between are many of one kind. */
const KEPT = { first: 30, last: 10 };
/** Characters kept of one. */
const MAX_SHOWN = 300;

/** Looks at lines that pass by, in bounded memory. */
export function createFailureCollector(): { add(line: FailureLine): void; found(): readonly FailureLine[] } {
  const first: FailureLine[] = [];
  const last: FailureLine[] = [];
  return {
    add: ({ number, at, text }) => {
      if (!tellsFailure(text)) return;
      const found = { number, at, text: text.trimEnd().slice(0, MAX_SHOWN) };
      if (first.length < KEPT.first) first.push(found);
      else if (last.push(found) > KEPT.last) last.shift();
    },
    found: () => [...first, ...last],
  };
}

export function findFailureLines(text: string): readonly FailureLine[] {
  const lines = createFailureCollector();
  let at = 0;
  for (const [index, line] of text.split('\n').entries()) {
    lines.add({ number: index + 1, at, text: line });
    at += line.length + 1;
  }
  return lines.found();
}

export const drawFailures = (lines: readonly FailureLine[]): string => lines.map(({ number, text }) => `L${number}: ${text}`).join('\n');
