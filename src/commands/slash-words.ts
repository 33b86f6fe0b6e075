import { isUsageError, UsageError } from '../base/errors.ts';
import type { AnyCommand } from '../contracts/command.ts';
import { listSlashNames } from './registry.ts';

/** Runs it; a mistake it tells of names commands as a session has them: what threw it does not know where it was typed. */
export async function nameCommandsAsSlash<Result>(run: () => Promise<Result>, here: () => readonly AnyCommand[]): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw isUsageError(error) ? new UsageError(toSlashWords(error.message, here())) : error;
  }
}

/** `hermes cron list --all` as `/cron list --all`, where there is such a command here; a shell's own commands stay as they are. */
export const toSlashWords = (words: string, here: readonly AnyCommand[]): string =>
  words.replaceAll(/\bhermes ([a-z-]+(?: [a-z-]+)?)/g, (all, line: string) => {
    const [first = ''] = line.split(' ');
    const name = [line, first].find((each) => findShared(each, here) !== undefined);
    const command = name === undefined ? undefined : findShared(name, here);
    if (name === undefined || command === undefined) return all;
    const called = listSlashNames(command).includes(name) ? name : (listSlashNames(command)[0] ?? name);
    return `/${called}${line.slice(name.length)}`;
  });

/** Of that name on a command line, and typed in a session with the same words behind it. */
const findShared = (name: string, here: readonly AnyCommand[]): AnyCommand | undefined =>
  here.find(
    (command) =>
      command.where.includes('shell') &&
      [command.name, ...(command.aliases ?? [])].includes(name) &&
      Object.values(command.arguments ?? {}).every(({ session }) => session === undefined),
  );
