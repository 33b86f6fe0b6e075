import type { CommandLocation, CommandVerdict, JudgeCommand } from '../../../contracts/safety.ts';

/** A question that was put to the disk while judging, and what it said. */
interface DiskAnswer {
  readonly ask: 'look' | 'read' | 'keeps' | 'masks';
  readonly path: string;
  readonly answer: string | undefined;
}
interface RememberedVerdict {
  readonly words: string;
  readonly seen: readonly DiskAnswer[];
  readonly verdict: CommandVerdict;
}

/**
 * A judge that knows its last verdict still: a command is looked at when its call comes to the door and again when it runs,
 * mostly with nothing in between. A verdict hangs on the line, the place and what the disk said on the way, and on nothing
 * else; every one of these is asked for anew, and one that differs has the line judged anew.
 */
export function createRememberingJudge(judge: JudgeCommand): JudgeCommand {
  let last: RememberedVerdict | undefined;
  return (line, place) => {
    const words = wordsOf(line, place);
    if (last?.words === words && last.seen.every(({ ask, path, answer }) => JSON.stringify(place[ask]?.(path)) === answer))
      return last.verdict;
    const seen: DiskAnswer[] = [];
    const verdict = judge(line, noting(place, seen));
    last = { words, seen, verdict };
    return verdict;
  };
}

const wordsOf = (line: string, { look, read, keeps, masks, ...place }: CommandLocation): string =>
  JSON.stringify([line, place, look !== undefined, read !== undefined, keeps !== undefined, masks !== undefined]);

function noting({ look, read, keeps, masks, ...place }: CommandLocation, seen: DiskAnswer[]): CommandLocation {
  const noted =
    <Answer>(ask: DiskAnswer['ask'], given: (path: string) => Answer) =>
    (path: string): Answer => {
      const answer = given(path);
      seen.push({ ask, path, answer: JSON.stringify(answer) });
      return answer;
    };
  return {
    ...place,
    ...(look !== undefined && { look: noted('look', look) }),
    ...(read !== undefined && { read: noted('read', read) }),
    ...(keeps !== undefined && { keeps: noted('keeps', keeps) }),
    ...(masks !== undefined && { masks: noted('masks', masks) }),
  };
}
