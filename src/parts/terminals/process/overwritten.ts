/** Whole lines of output as a screen would show them in the end: what a carriage return took back is not there. */
export interface LineAssembler {
  /** Takes text, gives the lines it completes, each with its end. A line too long to be redrawn comes in pieces. */
  push(text: string): string[];
  /** The line that is not at its end yet. */
  pending(): string;
}

/** Longer lines are no progress bars: they are given on before they end. */
const MAX_REDRAWN = 4_096;

export function createLineAssembler(): LineAssembler {
  let open = '';
  return {
    push: (text) => {
      const lines = (open + text).split(/(?<=\n)/);
      const rest = lines.at(-1)?.endsWith('\n') === true ? '' : (lines.pop() ?? '');
      const shown = lastDrawn(rest);
      open = shown.length > MAX_REDRAWN ? '' : shown;
      return [...lines.map(lastDrawn), ...(open === shown ? [] : [shown])];
    },
    pending: () => open,
  };
}

/** What was drawn last on a line, and how it ends. A return at the very end may belong to a line end that is on its way. */
function lastDrawn(line: string): string {
  const [, body = '', end = ''] = /^([^]*?)(\r*\n?)$/.exec(line) ?? [];
  const drawn = body.includes('\r') ? (body.split('\r').findLast((piece) => piece !== '') ?? '') : body;
  return drawn + (end.endsWith('\n') ? end.replace(/^\r+/, '\r') : end);
}
