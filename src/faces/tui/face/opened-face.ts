import { breathe } from '../../../base/breathe.ts';
import { UsageError } from '../../../base/errors.ts';
import { describeUnknownName } from '../../../base/unknown-name.ts';
import type { InboxMode, Session } from '../../../contracts/session-store.ts';
import { createConversation, type Conversation } from './conversation.ts';
import type { FaceBackend } from './deps.ts';
import type { Face, OpenedFace } from './face.ts';
import { findPicker } from './pickers.ts';
import { followUp } from './follow-ups.ts';
import { resolveKeys } from '../input/keys.ts';
import { readStoredUsage, refreshStatus } from './status.ts';
import { ringFor } from './notify.ts';
import { showBanner, showEarlier, showEnd } from './welcome.ts';
import type { CompletedCommand } from '../../../contracts/host.ts';
import { composeMessage } from './compose-message.ts';
import { submitLine } from './submit.ts';
import { isKeysLine, showKeys } from './show-keys.ts';
import { STATUS_FIELDS } from '../status/status-bar.ts';

/** Opens what stands behind the screen: host, settings, theme, keys; and goes on with the session that was asked for. */
export async function openBehind(face: Face, opened: AsyncDisposableStack): Promise<OpenedFace> {
  const { deps, options, state } = face;
  const backend = await deps.open();
  opened.use(backend.host);
  await breathe();
  const isNamed = Object.keys(options.session.model ?? {}).length > 0;
  if (!isNamed && !(await backend.isReady())) throw new NothingSetUp('no model is connected yet. To connect one: hermes setup');
  state.settings = backend.settings;
  face.keys = bindKeys(face);
  if (state.settings['display.screen'] === 'alternate') await face.screen.useAlternate();
  await breathe();
  const stored = await options.resume?.(backend.host);
  const conversation = opened.use(createFaceConversation(face, backend));
  const ready = { backend, conversation };
  face.opened = ready;
  // A theme of the owner's is a file, which is read through what is open now.
  await face.restyle();
  for (const problem of describeUnknownFields(face)) face.say(problem, 'warn');
  await showBanner(face, backend, stored);
  await breathe();
  void face.colorCode();
  if (stored !== undefined) {
    if (await showEnd(face, backend, stored)) state.shownBefore = stored.id;
    await breathe();
    await conversation.open(stored);
  }
  return ready;
}

/** Names in `display.status_bar.fields` that nothing is shown for. */
function describeUnknownFields({ state, extensions }: Face): string[] {
  const known = [...STATUS_FIELDS, ...Object.keys(extensions.statusFields)];
  return state.settings['display.status_bar.fields']
    .filter((name) => !known.includes(name))
    .map((name) => `display.status_bar.fields: ${describeUnknownName('field', name, known, 'Nothing is shown for it.')}`);
}

/** No model can be reached yet: the setup comes first. */
export class NothingSetUp extends UsageError {}

function bindKeys(face: Face) {
  const { state, extensions } = face;
  const handle = face.terminalHandle;
  const keys = resolveKeys({
    overrides: readKeySettings(state.settings['display.keys']),
    extensions: extensions.keys.map(({ key, owner, run }) => ({ key, owner, run: () => run(handle) })),
  });
  for (const problem of keys.problems) face.say(problem, 'warn');
  return keys;
}

/** What is no name of a key is told as one that is not known. */
const readKeySettings = (table: Readonly<Record<string, unknown>>): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(Object.entries(table).map(([action, keys]) => [action, (Array.isArray(keys) ? keys : [keys]).map(String)]));

function createFaceConversation(face: Face, { host }: FaceBackend): Conversation {
  const { state, stage, questions, options } = face;
  return createConversation({
    host,
    options: { ...options.session, ports: { clarify: questions.ask }, readSecret: questions.readSecret },
    context: () => ({ confirm: (question) => questions.confirm(question), readSecret: questions.readSecret }),
    handlers: {
      event: (event) => {
        if (event.type === 'inbox') state.posted.splice(0, state.posted.length, ...state.posted.filter(({ id }) => id !== event.itemId));
        stage.apply(event);
        stage.invalidate('stream');
        ringFor(event, face);
        if (event.type === 'settled') void refreshStatus(face);
      },
      busy: () => stage.invalidate('stream'),
      opened: async (session, left) => {
        stage.reset();
        state.posted.splice(0);
        state.since = Date.now();
        state.stored = undefined;
        if (session.resumed) await takeUp(face, session.session, left);
        await refreshStatus(face);
      },
      posted: (id, typed, mode, images) => {
        state.posted.push({ id, words: face.deps.redact(typed), typed, mode, images });
        stage.invalidate();
      },
      typed: (line) => showTyped(face, line),
      running: (stop, line, note) => showRunning(face, stop, line, note),
      completed: (done, isShown) => showResult(face, done, isShown),
      notice: (text) => {
        face.say(text, 'warn');
        // It may tell the end of something in the background.
        void refreshStatus(face);
      },
      problem: (text) => face.say(toSentence(text), 'bad'),
      followUp: (step) => followUp(step, face),
    },
  });
}

function showTyped({ stage, deps }: Face, line: string): void {
  stage.aside({ kind: 'typed', text: deps.redact(line.trim()) });
  stage.invalidate();
}

/** What the owner runs, until it is over. One at a time has the row, and Ctrl-C: the first. */
function showRunning({ state, stage, deps }: Face, stop: AbortController, line: string | undefined, note: string | undefined): void {
  if (state.shell !== undefined && state.shell.stop !== stop) return;
  const lines = [...(state.shell?.lines ?? []), ...(note === undefined ? [] : note.replace(/\n+$/, '').split('\n'))].slice(-20);
  const command = line === undefined ? undefined : deps.redact(line.trim());
  state.shell = command === undefined ? undefined : { stop, command, since: state.shell?.since ?? Date.now(), lines, sign: '/' };
  stage.invalidate('stream');
}

async function showResult(face: Face, done: CompletedCommand, isShown: boolean): Promise<void> {
  const { drawCommandResult } = await import('../draw/command-result.ts');
  const drawn = drawCommandResult(done, face.context());
  if (drawn !== undefined) face.stage.aside({ kind: 'aside', tone: 'plain', drawn: true, text: drawn.join('\n') });
  const rest = isShown ? (REST[done.command.name]?.(done.text) ?? done.text) : done.text;
  if (drawn === undefined && rest !== '') face.say(rest);
  for (const words of done.notices) face.say(words, 'warn');
  face.stage.invalidate();
  void refreshStatus(face);
}

/** What is told behind the name of a program elsewhere is a sentence of its own here. What begins with a name keeps it. */
const toSentence = (text: string): string => (/^[a-z]+(?=[ ,;])/.test(text) ? `${text.charAt(0).toUpperCase()}${text.slice(1)}` : text);

/** What is left to tell of a command whose entries are on the screen. */
const REST: Readonly<Record<string, (text: string) => string>> = {
  // The first line says how many turns; files come below.
  undo: (text) => text.split('\n').slice(1).join('\n'),
  retry: () => '',
  'sessions compress': () => '',
};

/** A stored session: what was said is shown, and what is counted goes on from what it had. */
async function takeUp(face: Face, session: Session, left: string | undefined): Promise<void> {
  const { id, parent } = session;
  const entries = (await face.opened?.backend.host.store.entries(id)) ?? [];
  const blocks = face.stage.follow(entries);
  // What a branch begins with is on the screen already, and so is what a session had that is opened anew.
  const isShown = face.state.shownBefore === id || (left !== undefined && (left === parent?.sessionId || left === id));
  if (!isShown) showEarlier(face, blocks);
  face.state.shownBefore = undefined;
  void readStoredUsage(face, session).catch(() => {});
}

/** Sends what was typed. */
export async function submitTo(
  face: Face,
  { backend, conversation }: OpenedFace,
  text: string,
  mode: InboxMode | undefined,
): Promise<void> {
  if (isKeysLine(text)) return showKeys(face);
  const picker = await findPicker(text, backend);
  if (picker !== undefined) return picker(face);
  const { state, stage, extensions } = face;
  return submitLine(
    text,
    {
      conversation,
      extensions,
      aside: (block) => {
        const { command } = block;
        stage.aside({ ...block, ...(command !== undefined && { command: face.deps.redact(command) }) });
        stage.invalidate();
      },
      compose: (session, words) => composeMessage(face, session, words),
      beside: face.beside,
      busyMode: () => state.settings['display.busy_input_mode'],
      shell: (running, event) => {
        const lines =
          event?.type === 'tool_progress'
            ? [...(state.shell?.lines ?? []), ...event.note.replace(/\n+$/, '').split('\n')].slice(-20)
            : (state.shell?.lines ?? []);
        state.shell = running && {
          stop: running,
          sign: '!',
          command: text.slice(1).trim(),
          since: state.shell?.since ?? Date.now(),
          lines: state.shell === undefined ? [] : lines,
        };
        stage.invalidate('stream');
      },
    },
    mode,
  );
}
