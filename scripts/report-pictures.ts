/**
 * Pictures of the pages that `hermes env evaluate` and `hermes env compare --html` write, of an invented run. Writes
 * docs/images/evaluation-page-light.png and -dark.png, or with `--all FOLDER` both pages whole at two widths.
 *   node scripts/report-pictures.ts [--all FOLDER]
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { compareRuns, summarizeAttempts } from '../src/faces/environments/figures.ts';
import { createComparisonPage } from '../src/faces/environments/report/comparison.ts';
import { createEvaluationPage } from '../src/faces/environments/report/evaluation.ts';
import { findBrowser } from '../src/parts/tools/builtin/browser/find.ts';
import { inventRun } from './screenshots/busy-run.ts';
import { NOW } from './screenshots/scenes.ts';

const { values } = parseArgs({ options: { all: { type: 'string' } } });
const executablePath = findBrowser({ executable: '', variable: (name) => process.env[name] });
if (executablePath === undefined) throw new Error('there is no Chromium on this machine; scripts/system-deps installs it');
const [before, after] = [inventRun(11, 3), inventRun(12, 3, 0.12)];
const scoredOf = (run: typeof before) => run.map(({ scored }) => scored);
const pages = {
  'evaluation-page': createEvaluationPage({
    name: 'office-tasks',
    figures: summarizeAttempts(scoredOf(before)),
    attempts: before,
    isStopped: false,
    now: NOW,
  }),
  'comparison-page': createComparisonPage({
    comparison: compareRuns(scoredOf(before), scoredOf(after)),
    names: ['hermes-runs/before', 'hermes-runs/after'],
    now: NOW,
  }),
};
await using opened = new AsyncDisposableStack();
const folder = mkdtempSync(join(tmpdir(), 'hermes-report-'));
opened.defer(() => rmSync(folder, { recursive: true, force: true }));
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
opened.defer(() => browser.close());
const out = values.all ?? 'docs/images';
mkdirSync(out, { recursive: true });
// In the docs the first is enough.
for (const [name, page] of Object.entries(pages).slice(0, values.all === undefined ? 1 : undefined)) {
  const file = join(folder, `${name}.html`);
  writeFileSync(file, page);
  for (const look of ['light', 'dark'] as const)
    for (const width of values.all === undefined ? [1120] : [420, 1280]) {
      const view = await browser.newPage({ viewport: { width, height: 960 }, colorScheme: look });
      await view.goto(pathToFileURL(file).href);
      if (values.all !== undefined)
        await view
          .locator('.attempt > summary')
          .first()
          .click({ timeout: 500 })
          .catch(() => {});
      const path = join(out, values.all === undefined ? `${name}-${look}.png` : `${name}-${width}-${look}.png`);
      await view.screenshot({ path, fullPage: values.all !== undefined });
      await view.close();
      console.log(path);
    }
}
