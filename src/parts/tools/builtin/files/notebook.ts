import { readPath, isObject, parseJson, readStringAt } from '../../../../base/json.ts';

/** A notebook as text: its cells in order, each with what it put out in words. `undefined` when it is no notebook. */
export function renderNotebook(source: string): string | undefined {
  const cells = readPath(parseJson(source.replace(/^\u{feff}/u, '')), 'cells');
  return Array.isArray(cells) ? `${cells.map(cellText).join('\n\n')}\n` : undefined;
}

function cellText(cell: unknown, index: number): string {
  const outputs = readPath(cell, 'outputs');
  const told = Array.isArray(outputs) ? outputs.map(outputText).filter((text) => text !== '') : [];
  return [
    `[cell ${index + 1}: ${readStringAt(cell, 'cell_type') ?? 'unknown'}]`,
    joined(readPath(cell, 'source')),
    ...told.map((text) => `[output]\n${text}`),
  ].join('\n');
}

/** What a person would read of an output; pictures and widgets are only named. */
function outputText(output: unknown): string {
  const error = readStringAt(output, 'ename');
  if (error !== undefined) return `${error}: ${readStringAt(output, 'evalue') ?? ''}`;
  const plain = joined(readPath(output, 'text') ?? readPath(output, 'data', 'text/plain'));
  const data = readPath(output, 'data');
  const others = isObject(data) ? Object.keys(data).filter((kind) => !kind.startsWith('text/')) : [];
  return [plain, ...(others.length === 0 ? [] : [`[not shown: ${others.join(', ')}]`])].filter((text) => text !== '').join('\n');
}

/** Notebooks keep a text as one string or as its lines, each with its end. */
function joined(source: unknown): string {
  const text = Array.isArray(source) ? source.filter((line) => typeof line === 'string').join('') : source;
  return typeof text === 'string' ? text.trimEnd() : '';
}
