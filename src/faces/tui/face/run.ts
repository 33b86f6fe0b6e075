import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { toErrorMessage } from '../../../base/errors.ts';
import { lazy } from '../../../base/lazy.ts';
import { toPrintable } from '../../../base/printable.ts';
import type { TerminalFaceDeps, TerminalFaceOptions } from './deps.ts';
import { createTranscriptView } from '../draw/view.ts';
import { openExtensions } from './extensions.ts';
import { createActions, stopWork } from './actions.ts';
import { createFaceState } from './state.ts';
import { createTerminalHandle, type Face, type OpenedFace } from './face.ts';
import { takePastedImage } from './compose-message.ts';
import { createFaceCompleter } from './completion.ts';
import { createFrames } from './frame.ts';
import type { KeyCondition } from '../input/actions.ts';
import { createQuestionQueue } from '../input/dialogs/queue.ts';
import { bindEditorKeys } from '../input/editor-keys.ts';
import { createEditor } from '../input/editor.ts';
import { openHistory, openHistoryFile } from '../input/history.ts';
import { createKeyRouter, resolveKeys } from '../input/keys.ts';
import { openBehind, submitTo } from './opened-face.ts';
import { createImageBar } from '../input/images.ts';
import { restyle } from './restyle.ts';
import { createTitle, describeWayBack } from './notify.ts';
import { createSubmitQueue } from './submit-queue.ts';
import { createScreens } from './screens.ts';
import { createStage } from './stage.ts';

/**
 * Runs the terminal UI until the person leaves it, and gives the exit code. The first frame is drawn before anything else is
 * loaded: what is typed meanwhile is kept. What keeps it from starting is thrown once the terminal is as it was.
 */
export async function runTerminalFace(options: TerminalFaceOptions, deps: TerminalFaceDeps): Promise<number> {
  const left = Promise.withResolvers<number>();
  const ready = Promise.withResolvers<OpenedFace>();
  ready.promise.catch(() => {});
  const closing = new AbortController();
  let isHandedBack = false;
  const face = await openFace(options, deps, {
    ready: ready.promise,
    leave: left.resolve,
    closed: closing.signal,
    isHandedBack: () => isHandedBack,
  });
  const stopped = startTerminal(face);
  if (options.message !== undefined) face.submit(options.message);
  await using opened = new AsyncDisposableStack();
  try {
    openBehind(face, opened).then(ready.resolve, (error: unknown) => (ready.reject(error), left.reject(error)));
    return await left.promise;
  } finally {
    closing.abort();
    // How a turn ended that was still running is told before the terminal is handed back.
    await Promise.race([face.opened?.conversation.end(), sleep(MAX_ENDING_MS, undefined, { ref: false })]);
    await stopped();
    isHandedBack = true;
  }
}

/** A turn that does not end in this time is left without its last words. */
const MAX_ENDING_MS = 1_000;

interface FaceDeps {
  readonly ready: Promise<OpenedFace>;
  leave(code: number): void;
  /** Aborts when the program is left. */
  readonly closed: AbortSignal;
  /** The terminal is as it was: what is told now, as the end of background processes, stands below the screen. */
  isHandedBack(): boolean;
}

async function openFace(
  options: TerminalFaceOptions,
  deps: TerminalFaceDeps,
  { ready, leave, closed, isHandedBack }: FaceDeps,
): Promise<Face> {
  const { terminal } = deps;
  const state = createFaceState(deps.env);
  const file = openHistoryFile(join(deps.home.root, '.hermes_history'));
  const hasSecret = (text: string): boolean => deps.redact(text) !== text;
  const history = await openHistory({ file, hasSecret, now: Date.now });
  const screen = createScreens(
    (bytes) => terminal.write(bytes),
    () => terminal.size,
    terminal.screenOptions,
  );
  const frames = createFrames(() => face);
  const invalidate = (): void => face.stage.invalidate();
  const terminalHandle = createTerminalHandle(() => face);
  // They may speak while they are taken up, so the face is there first.
  const extensions = lazy(() => openExtensions(options.extensions ?? [], terminalHandle, (text) => face.say(text, 'warn')));
  const face: Face = {
    options,
    deps,
    state,
    screen,
    ready,
    opened: undefined,
    terminalHandle,
    keys: resolveKeys(),
    history,
    completer: createFaceCompleter(() => face, history, closed),
    editor: createEditor({
      history,
      onSubmit: (text) => face.submit(text),
      onChange: () => {
        face.completer.update(face.editor.before());
        invalidate();
      },
      onPaste: (text) => takePastedImage(face, text),
      ghost: () => face.completer.ghost(),
      hasSecret,
    }),
    questions: createQuestionQueue({
      now: Date.now,
      onChange: () => {
        // A question is seen before it is answered.
        state.viewer?.close();
        invalidate();
      },
      onInterrupt: () => stopWork(face),
    }),
    stage: createStage({ screen, view: createTranscriptView(), now: Date.now, ...frames }),
    get extensions() {
      return extensions();
    },
    images: createImageBar(),
    ...frames,
    restyle: () => restyle(face),
    redraw: () => {
      screen.repaint();
      face.stage.paint();
    },
    say: (text, tone = 'plain') => {
      if (isHandedBack()) return terminal.write(`${toPrintable(deps.redact(text))}\n`);
      face.stage.aside({ kind: 'aside', tone, text: toPrintable(deps.redact(text)) });
      invalidate();
    },
    hint: (text) => {
      state.hint = deps.redact(text);
      invalidate();
    },
    submitted: createSubmitQueue({
      send: async ({ text, mode }) => submitTo(face, await ready, text, mode),
      fail: ({ text }, error) => {
        // What could not be sent is there to be sent again.
        if (face.editor.isEmpty()) face.editor.set(text);
        face.say(toErrorMessage(error), 'bad');
      },
    }),
    beside: createLane((error) => face.say(toErrorMessage(error), 'bad')),
    submit: (text, mode) => {
      face.submitted.add({ text, mode });
      invalidate();
    },
    leave: (code = 0) => leave(code),
  };
  extensions();
  return face;
}

/** One piece of work after the other. */
function createLane(fail: (error: unknown) => void): (work: () => Promise<void>) => void {
  let last = Promise.resolve();
  return (work) => void (last = last.then(work).catch(fail));
}

/** When an action applies. */
const HOLDS: Readonly<Record<KeyCondition, (face: Face) => boolean>> = {
  empty: ({ editor }) => editor.isEmpty(),
  busy: ({ opened }) => opened?.conversation.busy === true,
  menu: ({ completer }) => completer.isOpen,
};

/** Takes the terminal over and draws the first frame. Gives what hands it back. */
function startTerminal(face: Face): () => Promise<void> {
  const { deps, state, stage, screen, questions, editor } = face;
  const actions = createActions(face);
  const bind = () => {
    bindEditorKeys(face.keys);
    return createKeyRouter({
      table: face.keys,
      dialog: () => questions.current()?.widget,
      overlay: () => state.overlay,
      actions,
      holds: (when) => HOLDS[when](face),
      editor,
      now: Date.now,
      onFailure: (owner, error) => face.say(`The key of the extension ${owner} failed: ${toErrorMessage(error)}`, 'bad'),
    });
  };
  const title = createTitle(face);
  let router = bind();
  let bound = face.keys;
  deps.terminal.start({
    key: (data) => {
      if (bound !== face.keys) [router, bound] = [bind(), face.keys];
      state.hint = '';
      if (state.overlay !== undefined || questions.current() !== undefined || !screen.handleKey(data)) router.handleKey(data);
      stage.invalidate();
    },
    resize: (size) => {
      stage.resize(size);
      state.viewer?.resize(size);
      stage.invalidate();
    },
    pause: () => {
      state.viewer?.close();
      stage.pause();
      screen.close();
      title.restore();
    },
    redraw: () => {
      title.take();
      screen.close();
      stage.resume();
    },
    leave: (signal) => face.leave(signal === 'SIGTERM' ? 143 : 129),
  });
  title.take();
  stage.paint();
  void deps.terminal.background.then((background) => {
    state.background = background;
    return face.restyle();
  });
  return async () => {
    state.viewer?.close();
    stage.paint();
    stage.pause();
    screen.leave(describeWayBack(face).map((line) => state.look.style('faint', line)));
    title.restore();
    await deps.terminal.stop();
  };
}
