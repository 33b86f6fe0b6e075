import { resolve } from 'node:path';
import { UsageError } from '../base/errors.ts';
import { plain } from '../base/screen/paint.ts';
import { startOfDays } from '../base/screen/when.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import { drawInsights } from './draw-insights.ts';
import { sumActivity, type Insights } from './insight-sums.ts';
import { writeNewFile } from './write-new-file.ts';

/** Days looked back when nobody says how many. */
const DAYS = 30;
/** What fits a phone and every terminal. */
const CHAT_COLUMNS = 40;

export interface InsightsResult {
  readonly insights: Insights;
  /** The page that was written. */
  readonly file?: string;
}

export const insights = defineCommand({
  name: 'insights',
  category: 'insight',
  summary: 'Show what the agent did: tokens, cost, tools, outcomes, busy hours',
  options: {
    days: { kind: 'whole_number', default: DAYS, placeholder: 'n', description: 'only the last n days; 0 means all' },
    html: { kind: 'text', placeholder: 'file', description: 'write a page with plots that opens offline in any browser' },
  },
  where: ['shell', 'terminal', 'chat'],
  whileBusy: 'run',
  json: 'as JSON',
  examples: ['hermes insights --days 7', 'hermes insights --html insights.html'],
  needs: ['store'],
  run: async ({ days, html }, { store }, { now, place, cwd }): Promise<InsightsResult> => {
    if (html !== undefined && place === 'chat')
      throw new UsageError(
        'a chat cannot open a file on this computer. Leave out --html, or run hermes insights --html FILE in a terminal.',
      );
    const since = days === 0 ? {} : { since: startOfDays(days, now) };
    const [activity, compactions] = [await store.activity(since), await store.compactions(since)];
    const found = sumActivity(activity, { days: days === 0 ? undefined : days, now, compactions, ...since });
    if (html === undefined) return { insights: found };
    const { createInsightsPage } = await import('./page-insights.ts');
    return { insights: found, file: writeNewFile(resolve(cwd, html), createInsightsPage(found), 'the page') };
  },
  describe: (result) => describeInsights(result, CHAT_COLUMNS),
});

const describeInsights = ({ insights: found, file }: InsightsResult, columns: number): string =>
  file === undefined ? drawInsights(found, { paint: plain, columns, now: found.now }) : describeWritten(file);

export const describeWritten = (file: string): string => `Wrote ${file}. Open it in a browser.\n`;
