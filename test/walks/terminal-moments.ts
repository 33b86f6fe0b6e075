import type { RecordedRequest, Reply } from '../../src/testing/wire-server/index.ts';
import type { Steps } from './shell-user.ts';
import { bodyOf, call, command, userWords } from './stage.ts';

/** What the model does, by the last words of the user; with a result behind them it is done. Nothing is kept between requests. */
export function answerByWords(request: RecordedRequest): Reply {
  const { messages } = bodyOf(request);
  const words = userWords(request).at(-1) ?? '';
  const since = messages.slice(messages.findLastIndex(({ role }) => role === 'user'));
  if (since.some(({ role }) => role === 'tool')) return { text: `Done with ${words}.` };
  return REPLIES[words] ?? { text: `Answer to ${words}.` };
}
const REPLIES: Readonly<Record<string, Reply>> = {
  'stream it': { text: `Begun. ${'word '.repeat(150)}\n\nDone with stream it.`, chunk: 5, paceMs: 8 },
  'think about it': { thinking: 'I wonder. '.repeat(80), text: 'Done with think about it.', chunk: 5, paceMs: 8 },
  'work on it': command('echo work >> marks; echo tick; sleep 1; echo tock'),
  'ask me': command('sudo true; echo asked >> marks'),
  'let me choose': call('clarify', { question: 'Which color?', choices: ['red', 'green'] }),
  'read a secret': call('clarify', { question: 'What is the key?', secret: 'DEPLOY_KEY' }),
};

/** A moment in the life of a session at the terminal, and what brings it to rest when it goes on. */
export interface Moment {
  readonly name: string;
  /** How it is reached; what is shown last is the moment. */
  readonly reach: Steps;
  readonly shown: RegExp;
  /** What was sent up to then: each must be in the log exactly once in the end. */
  readonly sent: readonly string[];
  /** What the session asks for once it goes on, and what it says in the end. */
  readonly rest?: Steps;
  readonly over?: RegExp;
  /** It is drawn for so long that the size can change meanwhile. */
  readonly resized?: true;
  /** It is on its way out. */
  readonly ends?: true;
  /** Settings of the home. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

const ENTER = '\r';
const READY = /Answer to hello\.[^]*❯/;
const say = (words: string): Steps[number] => [READY, words + ENTER];
const DENY: Steps = [[/sudo true[^]*› No\s+Yes, this once/, '\r']];
const NO_SECRET: Steps = [[/What is the key\?[^]*Not shown/, '\u001b']];
const GREEN: Steps = [[/Which color\?[^]*green/, `2${ENTER}`]];

/** After the start, which counts in milliseconds. */
export const MOMENTS: readonly Moment[] = [
  { name: 'idle', reach: [], shown: READY, sent: [] },
  { name: 'typing', reach: [[READY, 'half a sent']], shown: /half a sent/, sent: [] },
  {
    name: 'pasted',
    reach: [[READY, `\u001b[200~${'a line\n'.repeat(500)}\u001b[201~`]],
    shown: /\[paste #1/,
    sent: [],
  },
  { name: 'streaming', reach: [say('stream it')], shown: /Begun\. word/, sent: ['stream it'], over: /Done with stream it\./ },
  { name: 'resizing', reach: [say('stream it')], shown: /Begun\. word/, sent: ['stream it'], over: /Done with stream it\./, resized: true },
  {
    name: 'thinking',
    reach: [say('think about it')],
    shown: /think about it[^]*Thinking/i,
    sent: ['think about it'],
    over: /Done with think/,
  },
  { name: 'tool running', reach: [say('work on it')], shown: /tick/, sent: ['work on it'], over: /Done with work on it\./ },
  {
    name: 'approval',
    reach: [say('ask me')],
    shown: /sudo true[^]*› No\s+Yes, this once/,
    sent: ['ask me'],
    rest: DENY,
    over: /Done with ask me\./,
  },
  {
    name: 'question',
    reach: [say('let me choose')],
    shown: /Which color\?[^]*green/,
    sent: ['let me choose'],
    rest: GREEN,
    over: /Done with let/,
  },
  { name: 'secret', reach: [say('read a secret')], shown: /Not shown/, sent: ['read a secret'], rest: NO_SECRET, over: /Done with read/ },
  {
    name: 'queue',
    reach: [say('work on it'), [/tick/, `this joins${ENTER}`], [/joins: this joins/, 'this is next\u001bq']],
    shown: /next: this is next/,
    sent: ['work on it', 'this joins', 'this is next'],
    over: /Answer to this is next\./,
  },
  {
    name: 'viewer',
    reach: [[READY, '\u000f']],
    shown: /end ·/,
    sent: [],
  },
  { name: 'palette', reach: [[READY, '\u0010']], shown: /\/help/, sent: [] },
  { name: 'shell command', reach: [[READY, `!echo own >> marks; echo begun; sleep 1${ENTER}`]], shown: /begun\n/, sent: [] },
  { name: 'editor', reach: [[READY, '\u0007']], shown: /in the editor/, sent: [] },
  {
    name: 'alternate screen',
    reach: [say('stream it')],
    shown: /Begun\. word/,
    sent: ['stream it'],
    over: /Done with stream it\./,
    settings: { display: { screen: 'alternate' } },
  },
  { name: 'shutdown', reach: [say('work on it'), [/tick/, '\u0004']], shown: /^/, sent: ['work on it'], ends: true },
];
