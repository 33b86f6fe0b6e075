import { createScanner, type Scanner } from './scanner.ts';
import { redactWith, type Replacement } from './stream.ts';

/** Fewer letters and digits stand behind one another in many texts by accident. */
const SHORTEST = 12;

/** Finds values whose letters and digits stand in order, or backwards, with anything else between them. */
export interface SpreadScanner {
  redact(text: string, replace: (name: string, written: string) => string): string;
}

/** Looks for forms of values by their letters and digits alone: wrapped over lines, spaced out, put together from strings. */
export function createSpreadScanner(forms: Iterable<{ readonly name: string; readonly text: string }>): SpreadScanner {
  const names = new Map<string, string>();
  for (const { name, text } of forms) {
    const core = text.replaceAll(/[^A-Za-z0-9]+/g, '');
    // A value of mostly other characters would be told by too few.
    if (core.length < SHORTEST || core.length * 2 < text.length) continue;
    for (const each of [core, Array.from(core).toReversed().join('')]) if (!names.has(each)) names.set(each, name);
  }
  const scanner = createScanner(names.keys());
  return {
    redact: (text, replace) => {
      if (names.size === 0 || text.length < SHORTEST) return text;
      const hits = findSpread(text, scanner);
      if (hits.length === 0) return text;
      const next = (_text: string, from: number): Replacement | undefined => {
        const hit = hits.find(({ start }) => start >= from);
        return hit && { ...hit, text: replace(names.get(hit.core) ?? '', text.slice(hit.start, hit.end)) };
      };
      return redactWith({ next }, text);
    },
  };
}

interface SpreadHit {
  readonly start: number;
  readonly end: number;
  readonly core: string;
}

function findSpread(text: string, scanner: Scanner): readonly SpreadHit[] {
  const { core, places } = condense(text);
  const hits: SpreadHit[] = [];
  for (let at = 0, hit = scanner.find(core, at); hit !== undefined; hit = scanner.find(core, at)) {
    const whole = hit.length === hit.needle.length;
    at = hit.start + (whole ? hit.length : 1);
    if (whole) hits.push({ start: places[hit.start] ?? 0, end: (places[at - 1] ?? 0) + 1, core: hit.needle });
  }
  return hits;
}

/** The number that tools print before a line. */
const LINE_NUMBER = /^[ \t]*\d{1,7}(?:[:|\t\u2192-]|[ \t]{2,})/gm;

/** The letters and digits of a text, and where each stood; numbers before lines are left out. */
function condense(text: string): { readonly core: string; readonly places: Uint32Array } {
  const numbered = [...text.matchAll(LINE_NUMBER)];
  const places = new Uint32Array(text.length);
  const codes = Buffer.allocUnsafe(text.length);
  let count = 0;
  let skip = 0;
  for (let at = 0; at < text.length; at++) {
    const number = numbered[skip];
    if (number !== undefined && at === number.index) {
      at += number[0].length - 1;
      skip++;
      continue;
    }
    const code = text.charCodeAt(at);
    if (!isLetterOrDigit(code)) continue;
    codes[count] = code;
    places[count++] = at;
  }
  return { core: codes.toString('latin1', 0, count), places };
}

const isLetterOrDigit = (code: number): boolean => (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
