import { join } from 'node:path';
import { toErrorMessage } from '../../../base/errors.ts';
import type { Face } from './face.ts';
import { createLook, describeUnknownSkin, isOwnSkin } from './look.ts';

/** Takes up the theme that holds now. One that is not there is told, and ours stays. */
export async function restyle(face: Face): Promise<void> {
  const { state, deps, extensions, opened, stage } = face;
  const name = state.settings['display.skin'];
  const file = isOwnSkin(name) && opened !== undefined ? await readOwnSkin(face, name) : undefined;
  const told = state.look.skin.problems;
  state.look = createLook({ env: deps.env, name, background: state.background, extensions: extensions.styles, file });
  for (const problem of state.look.skin.problems) if (!told.includes(problem)) face.say(`The theme ${name}: ${problem}`, 'warn');
  stage.invalidate();
}

async function readOwnSkin({ opened, deps, say }: Face, name: string): Promise<unknown> {
  try {
    const file = await opened?.backend.readSkin(name);
    if (file === undefined) say(describeUnknownSkin(name, join(deps.home.root, 'skins')), 'warn');
    return file;
  } catch (error) {
    say(toErrorMessage(error), 'warn');
    return undefined;
  }
}
