import { nextDisplayValue } from '../../../commands/settings.ts';
import type { CommandFollowUp, DisplaySetting } from '../../../contracts/command.ts';
import { joinOwnWords } from '../../../contracts/message.ts';
import { attachImage } from './compose-message.ts';
import { composeIn } from './actions.ts';
import type { Face } from './face.ts';
import { showTitle } from './notify.ts';
import type { FaceState } from './state.ts';
import { copyByProgram } from '../terminal/clipboard-programs.ts';
import { copyToClipboard, fitsClipboard, passageOf } from '../terminal/sequences.ts';

/** What a command asks of the screen. What this face cannot do it leaves out. */
export async function followUp(step: CommandFollowUp, face: Face): Promise<void> {
  const { editor, stage, images } = face;
  if (step.type === 'edit') {
    editor.set(joinOwnWords(step.message));
    for (const part of step.message.content) if (part.type === 'image') images.add('image', part);
  }
  if (step.type === 'leave') face.leave();
  if (step.type === 'redraw') face.redraw();
  if (step.type === 'compose') await composeIn(face, step.text);
  if (step.type === 'copy') await copy(step.text, face);
  if (step.type === 'attach') await attachImage(face, step.path);
  if (step.type === 'display') changeDisplay(step.setting, step.value, face);
  if (step.type === 'new') {
    // What was there goes up into the scrollback, where it stays.
    if (step.clear === true) stage.aside({ kind: 'aside', tone: 'plain', drawn: true, text: '\n'.repeat(face.deps.terminal.size.rows) });
    stage.reset();
    Object.assign(face.state, NO_SESSION);
    showTitle(face);
  }
  stage.invalidate();
}

/** What is shown of a session, where there is none yet. */
const NO_SESSION = { title: undefined, cost: 0, backgroundCount: 0, stored: undefined, since: undefined } satisfies Partial<FaceState>;

/** By the terminal, which is the way through ssh and tmux, and by a program of the desktop: terminals differ in what they allow. */
async function copy(text: string, { deps, hint }: Face): Promise<void> {
  const fits = fitsClipboard(text);
  if (fits) deps.terminal.write(copyToClipboard(text, passageOf(deps.env)));
  const copied = (await copyByProgram(text, deps.env, process.platform)) || fits;
  const size = `${text.length.toLocaleString('en-US')} characters`;
  hint(copied ? `Copied ${size}.` : `Not copied: ${size} are more than a terminal takes at once. /save writes the conversation to a file.`);
}

/** For this run of the program; `hermes config set` makes it last. */
function changeDisplay(setting: DisplaySetting, wanted: string | undefined, face: Face): void {
  const { state } = face;
  const current = state.settings[setting];
  const shown = typeof current === 'boolean' ? (current ? 'on' : 'off') : current;
  const value = wanted ?? nextDisplayValue(setting, shown);
  state.settings = { ...state.settings, [setting]: typeof current === 'boolean' ? value === 'on' : value };
  void face.restyle();
  face.say(`${setting} is ${value} in this run. With --save it stays.`);
}
