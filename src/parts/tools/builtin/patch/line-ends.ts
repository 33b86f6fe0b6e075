import { diff } from './diff.ts';

type LineEnd = '\n' | '\r\n';

/** A new text with the line ends of the one it replaces, line for line: in a mixed file no line changes its end. `next` follows in the file. */
export function withLineEnds(fresh: string, region: string, next: string): string {
  if (!`${region}${next}`.includes('\r\n')) return fresh;
  const [olds, news] = [region.split('\n'), fresh.replaceAll('\r\n', '\n').split('\n')];
  const endOf = (index: number): LineEnd => (index < olds.length - 1 ? (olds[index]?.endsWith('\r') ? '\r\n' : '\n') : endBehind());
  // The last line has its end behind the region, or none at all: then it is as the one before.
  const endBehind = (): LineEnd => (next === '\r\n' ? '\r\n' : next.startsWith('\n') || olds.length < 2 ? '\n' : endOf(olds.length - 2));
  const ends: LineEnd[] = [];
  let last = endOf(0);
  let [dropped, added]: [LineEnd[], number] = [[], 0];
  const settle = () => {
    for (let index = 0; index < added; index++) ends.push(dropped[index] ?? dropped.at(-1) ?? last);
    [dropped, added] = [[], 0];
  };
  for (const step of diff(
    olds.map((line) => line.replace(/\r$/, '')),
    news,
  )) {
    if (step.kind === 'drop') dropped.push(endOf(step.old));
    else if (step.kind === 'add') added += 1;
    else {
      settle();
      last = endOf(step.old);
      ends.push(last);
    }
  }
  settle();
  return news.map((line, index) => (index < news.length - 1 ? line + (ends[index] ?? last) : line)).join('');
}
