import { resolveTargetPath } from '../places/paths.ts';
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
