import { resolveTargetPath } from '../places/paths.ts';
import { hasMarks } from '../values/marks.ts';
import { type Call, toProgramName } from '../call/call.ts';
import type { Shell } from './shell.ts';

/** Copies and links this line made go by the name of what they are. */
export function resolveRenamed(shell: Shell, call: Call): Call {
  const path =
    call.place.cwd === undefined || !call.path.includes('/') ? call.path : new URL(call.path, `file://${call.place.cwd}/`).pathname;
  const real = (shell.programs.size === 0 ? undefined : shell.programs.get(path)) ?? linked(call);
  return real === undefined || real === call.name ? call : { ...call, name: real };
}

const SYSTEM_PROGRAM = /^\/(?:usr\/)?(?:local\/)?s?bin\/[^/]+$/;
/** A link of the disk to a program of the system goes by the name of that. */
function linked({ path, place }: Call): string | undefined {
  if (!path.includes('/') || place.look === undefined || SYSTEM_PROGRAM.test(path)) return undefined;
  const real = resolveTargetPath(path, place);
  return real !== undefined && SYSTEM_PROGRAM.test(real) ? toProgramName(real) : undefined;
}

/** With a search path of its own, a line may run a file the agent wrote, or a link, under the name of another program. */
export function resolveShadowed(shell: Shell, call: Call): Call {
  const value = shell.state.values.get('PATH')?.[0]?.[0];
  if (call.path.includes('/') || call.path === '' || (value === undefined && !call.settings.some((word) => word.startsWith('PATH='))))
    return call;
  const path = [...shell.files.keys()].find((each) => each.endsWith(`/${call.path}`)) ?? inSearchPath(shell, call, value ?? '');
  return path === undefined ? call : resolveRenamed(shell, { ...call, path });
}
/** Folders of a search path that are looked into; those of the system are not. */
const MAX_FOLDERS = 8;
function inSearchPath(shell: Shell, { path, place }: Call, value: string): string | undefined {
  const folders = value.split(':').filter((folder) => folder !== '' && !SYSTEM_PROGRAM.test(`${folder}/x`) && !hasMarks(folder));
  return folders
    .slice(0, MAX_FOLDERS)
    .map((folder) => `${resolveTargetPath(folder, place) ?? folder}/${path}`)
    .find((file) => shell.textsOf(file, place.cwd) !== undefined || place.look?.(file)?.kind === 'link');
}
