import type { Face } from './face.ts';
import { createCompleter, type Completer, type CompletionChoice } from '../input/completion.ts';
import { createFileCache } from '../input/file-cache.ts';
import type { InputHistory } from '../input/history.ts';
import type { ActionHandlers } from '../input/keys.ts';

/** Completions from what stands behind the screen, once it is open. */
export function createFaceCompleter(face: () => Face, history: InputHistory, closed: AbortSignal): Completer {
  const files = createFileCache(
    {
      listFiles: async (most, signal) => {
        const { backend, conversation } = await face().ready;
        return backend.attachments(conversation.session?.session.cwd ?? backend.host.cwd).listFiles(most, signal);
      },
    },
    Date.now,
    closed,
  );
  return createCompleter({
    commands: async (line) => (await face().ready).backend.host.commands.complete(line, 'terminal'),
    values: {
      model: async () => {
        const { backend, conversation } = await face().ready;
        return backend.listModels(conversation.session?.runtime.provider ?? face().state.facts?.provider ?? '');
      },
    },
    files,
    history: () => history.entries(),
    redact: (text) => face().deps.redact(text),
    onChange: () => face().stage.invalidate(),
  });
}

/** The keys that belong to the menu. */
export function createCompletionActions({ editor, completer }: Face): ActionHandlers {
  const take = (choice: CompletionChoice | undefined): boolean => {
    if (choice !== undefined) editor.complete(choice.replace, choice.text);
    return choice !== undefined;
  };
  return {
    accept_completion: () => take(completer.accept()),
    completion_up: () => completer.move(-1),
    completion_down: () => completer.move(1),
    close_completion: () => completer.close(),
    complete: () => {
      const ghost = completer.ghost();
      if (ghost !== '') editor.insert(ghost);
      else completer.lookForPath(editor.before());
    },
    accept_selected: () => take(completer.acceptChosen()),
    submit: () => {
      completer.close();
      editor.submit();
    },
  };
}
