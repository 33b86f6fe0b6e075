import type { Summariser } from '../../src/contracts/complete.ts';
import { NO_USAGE } from '../../src/contracts/message.ts';

/**
 * The three stand-ins of `exam-f/summaries.md`. None of them keeps to the form that is asked for, so that the engine refuses
 * their notes and makes a digest where it must; `… in form` has the same words under the headings, which is accepted.
 */
export const FRESH_SUMMARISERS: Readonly<Record<string, Summariser>> = Object.fromEntries(
  Object.entries({ lazy, parrot, extractive }).flatMap(([name, summarise]) => [
    [name, summariserOf(name, summarise)],
    [`${name} in form`, summariserOf(name, (request) => inForm(summarise(request)))],
  ]),
);

function summariserOf(name: string, summarise: (request: string) => string): Summariser {
  const complete: Summariser['complete'] = async ({ system, text }) => ({
    ok: true,
    text: summarise(`${system}\n${text}`),
    usage: NO_USAGE,
    model: name,
  });
  return { model: name, window: 200_000, complete };
}

const inForm = (words: string): string => `## Goal\n${words}\n## Progress\nsee above\n## Next Steps\nsee above`;

const ENGLISH =
  'The user and the assistant worked through several tasks. Various files were examined and some changes were made. The work is going well and will continue.';
const CHINESE = '用户和助手处理了若干任务。查看了一些文件并做了一些修改。工作进展顺利,将继续进行。';
const LOOKED_AT = 4_000;
const MOSTLY_CHINESE = 0.15;

function lazy(request: string): string {
  const end = lastPoints(request, LOOKED_AT).replaceAll(/\s/g, '');
  const han = end.match(/[\u4e00-\u9fff]/g)?.length ?? 0;
  return han > MOSTLY_CHINESE * Array.from(end).length ? CHINESE : ENGLISH;
}

const ECHOED = 2_000;
function parrot(request: string): string {
  return lastPoints(request, ECHOED);
}

const lastPoints = (text: string, count: number): string =>
  Array.from(text.slice(-2 * count))
    .slice(-count)
    .join('');

interface Sentence {
  readonly text: string;
  readonly worth: number;
}
const SENTENCE_END = /(?<=[.!?])\s+|(?<=[。！？])/u;
const NUMBER = /[0-9]+(?:[.,:][0-9]+)*/g;
const PATH = /(?:[~.]?\/)?[\w.-]+(?:\/[\w.-]+)+|\b[\w-]+\.(?=[a-z0-9]*[a-z])[a-z0-9]{1,5}\b/;
const NAMES = /\w*_\w*|\b(?=\w*[A-Za-z])(?=\w*\d)\w{5,}\b/;
const LOG_LINE = /^\s*(?:\d{4}-\d\d-\d\d[T ]|\[?\d\d:\d\d:\d\d|[A-Za-z]{3}\s+\d{1,2}\s+\d\d:\d\d)/;
const TROUBLE = /error|fail|warn|exception|fatal/i;
const USER = /^(?:\[\d+\]\s*)?(?:user|USER|\[user\]|用户)[^:：\]]{0,20}[:：\]]/;
const ASSISTANT = /^(?:\[\d+\]\s*)?(?:assistant|ASSISTANT|\[assistant\]|助手)[^:：\]]{0,20}[:：\]]/;
const OTHER = /^(?:\[\d+\]\s*)?(?:result|RESULT|tool|TOOL|NOTE OF THE PROGRAM)\b[^:：\]]{0,20}[:：\]]/;
const LONGEST = 240;
const BUDGET = 6_000;

function extractive(request: string): string {
  const kept = [
    ...new Map(
      sentencesOf(request)
        .filter(({ text }) => isKept(text))
        .toReversed()
        .map((each) => [each.text, each]),
    ).values(),
  ]
    .toReversed()
    .map(({ text, worth }) => ({ text: `- ${Array.from(text).slice(0, LONGEST).join('')}`, worth }));
  return kept.length === 0 ? '- (nothing)' : withinBudget(kept).join('\n');
}

/** The best first, the later of equals first, until the next one would not fit; told in their order. */
function withinBudget(kept: readonly Sentence[]): string[] {
  const ranked = kept.map((each, place) => ({ ...each, place })).toSorted((a, b) => b.worth - a.worth || b.place - a.place);
  let left = BUDGET + 1;
  const end = ranked.findIndex(({ text }) => (left -= Array.from(text).length + 1) < 0);
  return ranked
    .slice(0, end < 0 ? ranked.length : end)
    .toSorted((a, b) => a.place - b.place)
    .map(({ text }) => text);
}

function sentencesOf(request: string): Sentence[] {
  let worth = 1;
  return request.split('\n').flatMap((line) => {
    const words = line.trimEnd();
    if (words.trim() === '' || /^\s*```\w*$/.test(words)) return [];
    worth = USER.test(words) ? 3 : ASSISTANT.test(words) ? 2 : OTHER.test(words) ? 1 : worth;
    return words
      .split(SENTENCE_END)
      .filter((sentence) => sentence.trim() !== '')
      .map((sentence) => ({ text: sentence.trim(), worth }));
  });
}

function isKept(sentence: string): boolean {
  const number = [...sentence.matchAll(NUMBER)].some(([digits]) => digits.replaceAll(/\D/g, '').length >= 2);
  const telling = number || PATH.test(sentence) || NAMES.test(sentence);
  return telling && (!LOG_LINE.test(sentence) || TROUBLE.test(sentence));
}
