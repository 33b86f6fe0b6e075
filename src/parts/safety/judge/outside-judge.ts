import { isAbsolute } from 'node:path';
import { isWithin } from '../../../base/within.ts';
import { ONLY_LOOKING, type CommandLocation, type JudgeCommand, type ProgramSettings } from '../../../contracts/safety.ts';
import { findActs } from '../approval/acts/acts-of-line.ts';

/** Classes that only say that nobody knows what would come of a command: that it leaves the wall says as much. */
const SAID: ReadonlySet<string> = new Set(['project_code', 'not_reading', 'interpreter_code']);

/**
 * A judge of commands that are to run outside the wall. Every one of them is asked about, and held to its act; whatever the
 * judge has against it where there is no wall is asked about with it, and what it refuses stays refused. `path` are the folders
 * programs outside are found in.
 */
export const createOutsideJudge =
  (judge: JudgeCommand, path: readonly string[] = [], settings?: ProgramSettings): JudgeCommand =>
  (line, place) => {
    const verdict = judge(line, place);
    if (verdict.type === 'refuse') return verdict;
    const dangers = verdict.type === 'ask' ? verdict.key.split('+').filter((name) => !SAID.has(name)) : [];
    const acts = path.some((folder) => isOfProject(folder, place)) ? undefined : findActs(line, place.cwd, settings);
    const { reason = '', at = {}, read } = verdict.type === 'ask' ? verdict : {};
    return {
      type: 'ask',
      reason: dangers.length === 0 ? '' : reason,
      key: ['run_outside', ...dangers].join('+'),
      at: {
        ...(acts !== undefined && { run_outside: acts.map((act) => `act:${verdict.type === 'fine' ? joinLooking(act) : act}`) }),
        ...at,
      },
      ...(read !== undefined && { read }),
    };
  };

/** Programs of which the judge without a wall lets pass only what looks and changes nothing. */
const LOOKED_AT: ReadonlySet<string> = new Set('kubectl oc helm ssh gh glab aws gcloud az doctl psql mysql mariadb redis-cli'.split(' '));
/** Whoever may look at one thing there may look at another: one yes for a place, and for that place alone. */
function joinLooking(act: string): string {
  const [name = '', ...words] = act.split(' ');
  const places = words.filter((word) => word.startsWith('@'));
  return places.length === 0 || !LOOKED_AT.has(name) ? act : [name, ONLY_LOOKING, ...places].join(' ');
}

/** Programs are found there that the agent may have put there: then a name says nothing. */
const isOfProject = (folder: string, { cwd, workspace = cwd }: CommandLocation): boolean =>
  folder !== '' && (!isAbsolute(folder) || isWithin(workspace, folder));
