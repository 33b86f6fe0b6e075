import type { JudgeCommand } from '../../../contracts/safety.ts';

/** Splits a line into the commands in it, as their words; handed in because reading a shell line is another part's work. */
export type CommandsIn = (line: string) => readonly string[];

/** The owner's deny list before the judge: what it names is refused like the floor, whoever would allow it. */
export function withDenyList(judge: JudgeCommand, denied: readonly string[], commandsIn: CommandsIn): JudgeCommand {
  if (denied.length === 0) return judge;
  const patterns = denied.map((glob) => ({ glob, matches: globOver(glob) }));
  return (line, place) => {
    const texts = [line.trim(), ...commandsIn(line)];
    const hit = patterns.find(({ matches }) => texts.some(matches));
    if (hit === undefined) return judge(line, place);
    return { type: 'refuse', reason: `the owner's deny list (approvals.deny) names it: ${hit.glob}`, key: 'denied_by_owner' };
  };
}

/** `*` takes anything, `?` one character; upper and lower case are one. */
function globOver(glob: string): (text: string) => boolean {
  const source = glob
    .trim()
    .split('')
    .map((sign) => (sign === '*' ? '[\\s\\S]*' : sign === '?' ? '[\\s\\S]' : sign.replace(/[.+^${}()|[\]\\]/, '\\$&')))
    .join('');
  const pattern = new RegExp(`^${source}$`, 'i');
  return (text) => pattern.test(text);
}
