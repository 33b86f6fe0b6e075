import { drawTable, type TableColumn } from '../../base/screen/table.ts';
import { wrapText } from '../../base/screen/wrap.ts';
import { toVisibleLine } from '../../base/visible.ts';
import { describeModelFacts, formatRate, formatTokens } from '../../commands/model-facts.ts';
import { model, type ModelResult } from '../../commands/model.ts';
import { renderCommand, type RendererRow, type RenderScreen } from './renderer.ts';

const COLUMNS: readonly TableColumn[] = [
  { heading: '' },
  { heading: 'model', flexible: true },
  { heading: 'window', align: 'right', optional: true },
  { heading: '$/M in', align: 'right', optional: true },
  { heading: '$/M out', align: 'right', optional: true },
];

function renderModels(result: ModelResult, screen: RenderScreen): string {
  if (result.type === 'set') return `${wrapText(describeChange(result), screen.columns).join('\n')}\n`;
  const { provider, current, models } = result;
  const rows = models.map(({ id, window, inputPrice, outputPrice }) => [
    id === current ? '*' : '',
    toVisibleLine(id),
    window === undefined ? '' : formatTokens(window),
    inputPrice === undefined ? '' : formatRate(inputPrice),
    outputPrice === undefined ? '' : formatRate(outputPrice),
  ]);
  const head = current === undefined ? `Models of ${provider}:` : `The model is ${toVisibleLine(current)} of ${provider}.`;
  return [...wrapText(head, screen.columns), '', ...drawTable(COLUMNS, rows, screen), '', 'Change it: hermes model NAME', ''].join('\n');
}

function describeChange({ provider, model: line, before, file }: Extract<ModelResult, { readonly type: 'set' }>): string {
  const facts = describeModelFacts(line);
  const what = `${toVisibleLine(line.id)} of ${provider}${facts === '' ? '' : ` (${facts})`}`;
  return before === undefined ? `The model is ${what} already. Nothing was changed.` : `The model is now ${what}, saved in ${file}.`;
}

export const ROWS: readonly RendererRow[] = [
  renderCommand(model, {
    text: renderModels,
    json: (result) =>
      result.type === 'set'
        ? {
            provider: result.provider,
            model: result.model.id,
            changed: result.before !== undefined,
            before: result.before ?? result.model.id,
            file: result.file,
          }
        : result.models.map((line) => ({ ...line, provider: result.provider, current: line.id === result.current })),
    notices: (result) =>
      result.type === 'set' && result.unchecked !== undefined
        ? [`hermes: the name was not checked: ${toVisibleLine(result.unchecked)}`]
        : [],
  }),
];
