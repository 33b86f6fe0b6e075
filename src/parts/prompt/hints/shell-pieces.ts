/** A word of a command, its quotes taken away, or a mark between words. */
export type Piece = { readonly word: string } | { readonly mark: string };

const LEXEME = new RegExp(
  [
    /(?<gap>(?:[ \t\r]|\\\r?\n)+)/,
    /\\(?<escaped>[^])/,
    /'(?<single>[^']*)'?/,
    /"(?<double>(?:\\[^]|[^"\\])*)"?/,
    /(?<mark>[\n;&|<>()`])/,
    /(?<plain>[^\s\\'";&|<>()`]+|[^])/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

/** Enough of a shell's reading to find paths. It guards nothing: what is read wrongly costs a hint or brings one too many. */
export function shellPieces(command: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let word: string | undefined;
  const end = (): void => {
    if (word !== undefined) pieces.push({ word });
    word = undefined;
  };
  for (const { groups } of withoutComments(withoutHereDocuments(command)).matchAll(LEXEME)) {
    const { gap, mark } = groups ?? {};
    if (gap === undefined && mark === undefined) word = (word ?? '') + literal(groups ?? {});
    else end();
    if (mark !== undefined) pieces.push({ mark });
  }
  end();
  return pieces;
}

const literal = ({ escaped, single, double, plain }: Readonly<Record<string, string | undefined>>): string =>
  escaped ?? single ?? double?.replaceAll(/\\([$`"\\])/g, '$1') ?? plain ?? '';

/** Quoted texts are stepped over, so that a `#` in them stays. */
const withoutComments = (command: string): string =>
  command.replaceAll(/'[^']*'|"(?:\\[^]|[^"\\])*"|\\[^]|(?<=^|[\s;&|()])#[^\n]*/g, (found) => (found.startsWith('#') ? '' : found));

/** What is fed to a command is no part of it. Without its closing line it is no here-document. */
function withoutHereDocuments(command: string): string {
  const lines = command.split('\n');
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    kept.push(line);
    const word = /(?<!<)<<-?[ \t]*(?:(["'])(?<quoted>[^"']+)\1|\\?(?<bare>[A-Za-z_]\w*))/.exec(line)?.groups;
    const closing = word?.['quoted'] ?? word?.['bare'];
    const close = closing === undefined ? -1 : lines.findIndex((later, index) => index > at && later.trim() === closing);
    if (close !== -1) at = close;
  }
  return kept.join('\n');
}
