import type { Face } from './face.ts';
import type { PostedText } from './state.ts';

/** Takes the last message that still waits back into the editor; `false` when none does. */
export function takeBackLast(face: Face): boolean {
  const line = face.submitted.takeLast();
  if (line !== undefined) putBack(face, [line.text]);
  const last = face.state.posted.at(-1);
  if (line === undefined && last !== undefined)
    void withdraw(face, last).then((isBack) => {
      if (isBack) return putBack(face, [last.typed]);
      face.hint('The turn has taken this message in already.');
    });
  return line !== undefined || last !== undefined;
}

/** Takes back all that waits, after a stop. What a turn has taken in already is answered. */
export async function takeBackAll(face: Face): Promise<void> {
  const { state, submitted, opened } = face;
  const texts: string[] = [];
  for (const posted of state.posted.slice()) if (await withdraw(face, posted)) texts.push(posted.typed);
  for (const line of submitted.takeAll()) texts.push(line.text);
  putBack(face, texts);
  if (state.posted.length > 0) opened?.conversation.goOn();
}

async function withdraw({ state, opened, images }: Face, posted: PostedText): Promise<boolean> {
  const isBack = (await opened?.conversation.session?.dismiss(posted.id, 'withdrawn').catch(() => false)) === true;
  if (!isBack) return false;
  state.posted.splice(0, state.posted.length, ...state.posted.filter(({ id }) => id !== posted.id));
  for (const image of posted.images) images.add('image', image);
  return true;
}

/** Before what is typed now. */
function putBack({ editor, stage }: Face, texts: readonly string[]): void {
  if (texts.length > 0) editor.set([...texts, ...(editor.isEmpty() ? [] : [editor.read()])].join('\n\n'));
  stage.invalidate();
}
