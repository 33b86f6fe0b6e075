import { shorten } from '../files/locate.ts';
import { VCS_FOLDERS, type FileHit, type FileQuery, type SearchMode } from './query.ts';

/** One page of hits and what is known about the rest. */
export interface FileSearchPage {
  readonly hits: readonly FileHit[];
  /** Hits in all, or as many as were counted before it became pointless. */
  readonly total: number;
  /** There are more than `total`. */
  readonly more: boolean;
  /** Hits in files that tools do not open. */
  readonly hidden: number;
  /** Offset of the next page, if there is one. */
  readonly next: number | undefined;
}
export interface PageOptions {
  readonly offset: number;
  readonly limit: number;
  hides(path: string): boolean;
}

/** Beyond this many hits nobody needs the exact number. */
const MAX_COUNTED = 20_000;

/** Keeps one page of a stream of hits and counts on for a while. Lines around a match go with it and are not counted. */
export async function collect(stream: AsyncIterable<FileHit>, { offset, limit, hides }: PageOptions): Promise<FileSearchPage> {
  const hits: FileHit[] = [];
  let leading: FileHit[] = [];
  let [total, hidden] = [0, 0];
  for await (const hit of stream) {
    if (hides(hit.path)) {
      hidden += 1;
      continue;
    }
    if (hit.kind === 'line' && !hit.match) {
      // Between two matches it is not known yet whose neighbour a line is; it is shown if either is.
      if (total > offset && total <= offset + limit) hits.push(hit);
      else if (total <= offset) leading = near(leading, hit);
      continue;
    }
    total += 1;
    if (total > offset && total <= offset + limit) hits.push(...leading.filter((line) => isBefore(line, hit)), hit);
    leading = [];
    if (total > Math.max(MAX_COUNTED, offset + limit)) return { hits, total, more: true, hidden, next: offset + limit };
  }
  return { hits, total, more: false, hidden, next: total > offset + limit ? offset + limit : undefined };
}

/** Context is at most this many lines; older ones belong to nobody. */
const MAX_LEADING = 20;
const near = (leading: readonly FileHit[], hit: FileHit): FileHit[] => [...leading, hit].slice(-MAX_LEADING);
const isBefore = (line: FileHit, match: FileHit): boolean =>
  line.kind === 'line' && match.kind === 'line' && line.path === match.path && line.line < match.line;

export function render(page: FileSearchPage, { mode, root, pattern, fileGlob }: FileQuery, cwd: string): string {
  const body =
    mode === 'content'
      ? renderLines(page.hits, cwd)
      : page.hits.map((hit) => shorten(hit.path, cwd) + (hit.kind === 'count' ? `: ${hit.count}` : ''));
  const where =
    page.hits.length > 0 ? '' : ` in ${root}, pattern ${JSON.stringify(pattern)}${fileGlob === undefined ? '' : `, file_glob ${fileGlob}`}`;
  const unsearched = page.total > 0 ? '' : `; not searched: ${VCS_FOLDERS[0]} and the like, and what .gitignore names`;
  return [...body, summary(page, mode, where, unsearched)].join('\n');
}

/** Each file's name once, its lines below; `:` marks a match, `-` a line around one. */
function renderLines(hits: readonly FileHit[], cwd: string): string[] {
  let file = '';
  return hits.flatMap((hit) => {
    if (hit.kind !== 'line') return [];
    const line = `${hit.line}${hit.match ? ':' : '-'}${hit.text}`;
    if (hit.path === file) return [line];
    file = hit.path;
    return [shorten(hit.path, cwd), line];
  });
}

const NOUNS: Readonly<Record<SearchMode, readonly [one: string, many: string]>> = {
  files: ['file', 'files'],
  files_only: ['file with matches', 'files with matches'],
  count: ['file with matches', 'files with matches'],
  content: ['matching line', 'matching lines'],
};

function summary({ total, more, hidden, next }: FileSearchPage, mode: SearchMode, where: string, unsearched: string): string {
  const [one, many] = NOUNS[mode];
  const found = total === 0 ? `no ${many}` : `${more ? 'more than ' : ''}${total} ${total === 1 ? one : many}`;
  const onward = next === undefined ? '' : `; next page: offset ${next}`;
  const kept = hidden === 0 ? '' : `; ${hidden} left out because they are in files that hold secrets`;
  return `[${found}${where}${onward}${kept}${unsearched}]`;
}
