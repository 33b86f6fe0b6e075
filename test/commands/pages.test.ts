import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, test } from 'node:test';
import { chromium, type Browser } from 'playwright-core';
import { createInsightsPage } from '../../src/commands/page-insights.ts';
import { createSessionPage } from '../../src/commands/page-session.ts';
import { findBrowser } from '../../src/parts/tools/builtin/browser/find.ts';
import { sampleInsights } from './insight-sample.ts';
import { ATTACKS, CALLS, ENTRIES, SESSION } from './hostile-session.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-pages-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const executablePath = findBrowser({ executable: '', variable: (name) => process.env[name] });
const skip = executablePath === undefined ? 'there is no Chromium on this machine' : false;

const tools = [{ name: ATTACKS.join(' '), calls: 9, failed: 1, timed: 1, ms: 1 }];
const PAGES = {
  session: createSessionPage({ session: SESSION, entries: ENTRIES, calls: CALLS }),
  insights: createInsightsPage({ ...sampleInsights(30), tools, sources: [{ source: ATTACKS[0] ?? '', sessions: 2 }] }),
};
/** Without the policy the escaping alone has to hold; without the escaping, the policy. */
const withoutPolicy = (page: string): string => page.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, '');

/** Opens a page with everything unfolded, points at and clicks what it can, and tells what acted. */
async function look(browser: Browser, name: string, page: string) {
  const file = join(folder, `${name}.html`);
  writeFileSync(file, page);
  const view = await browser.newPage({ viewport: { width: 390, height: 800 } });
  const requests: string[] = [];
  const dialogs: string[] = [];
  const blocked: string[] = [];
  view.on('request', (request) => void requests.push(request.url()));
  view.on('requestfailed', (request) => void (request.failure()?.errorText === 'csp' && blocked.push(request.url())));
  view.on('dialog', (dialog) => void (dialogs.push(dialog.message()), dialog.dismiss()));
  await view.goto(pathToFileURL(file).href, { waitUntil: 'load' });
  const seen = (await view.evaluate(`(() => {
    const all = [...document.querySelectorAll('*')];
    for (const fold of document.querySelectorAll('details')) fold.open = true;
    for (const one of all) for (const kind of ['mouseover', 'focus', 'toggle', 'load', 'error']) if (one.localName !== 'img') one.dispatchEvent(new Event(kind));
    return {
      ran: window.ran ?? null,
      tags: [...new Set(all.map((one) => one.localName))].sort(),
      handlers: all.flatMap((one) => one.getAttributeNames().filter((name) => name.startsWith('on'))),
      links: [...document.querySelectorAll('a')].map((one) => one.protocol),
      sources: [...document.querySelectorAll('[src]')].map((one) => one.getAttribute('src').slice(0, 15)),
      wide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
      text: document.body.innerText,
    };
  })()`)) as Seen;
  await view.close();
  return { ...seen, requests: requests.filter((url) => !url.startsWith('data:')), dialogs, blocked, file: pathToFileURL(file).href };
}
interface Seen {
  readonly ran: number | null;
  readonly tags: readonly string[];
  readonly handlers: readonly string[];
  readonly links: readonly string[];
  readonly sources: readonly string[];
  readonly wide: boolean;
  readonly text: string;
}
const ACTIVE = ['script', 'iframe', 'object', 'embed', 'link', 'base', 'form', 'button', 'math', 'audio', 'video'];

test(
  'hostile words in a page stay words: nothing runs, nothing is asked of the network, with or without the policy',
  { skip },
  async () => {
    await using opened = new AsyncDisposableStack();
    const browser = await chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox'] });
    opened.defer(() => browser.close());
    for (const [name, page] of Object.entries(PAGES))
      for (const [kind, text] of [
        ['guarded', page],
        ['bare', withoutPolicy(page)],
      ] as const) {
        const {
          ran,
          tags,
          handlers,
          links,
          sources,
          wide,
          requests,
          dialogs,
          file,
          text: shown,
        } = await look(browser, `${name}-${kind}`, text);
        assert.deepEqual([ran, handlers, dialogs, requests], [null, [], [], [file]], `${name} ${kind}`);
        assert.deepEqual(
          tags.filter((tag) => ACTIVE.includes(tag)),
          [],
        );
        assert.ok(
          links.every((protocol) => ['http:', 'https:', 'mailto:'].includes(protocol)),
          links.join(),
        );
        assert.deepEqual([...new Set(sources)], name === 'session' ? ['data:image/png;'] : []);
        assert.ok(!wide, `${name} is wider than a phone`);
        assert.ok(shown.includes('<script>window.ran = 1</script>') && !/[\u202a-\u202e\u2066-\u2069]|\p{Cc}(?<![\n\t])/u.test(shown));
      }
    // The same words, not escaped and without the policy, do act: the test can fail. One would lead away from the page.
    const words = ATTACKS.filter((attack) => !attack.includes('refresh')).join('\n');
    const raw = await look(browser, 'raw', `<title>x</title><body>${words}`);
    assert.notEqual(raw.ran, null);
    assert.ok(raw.requests.length > 1);
    // And the policy alone stops them too.
    const policy = /<meta http-equiv="Content-Security-Policy"[^>]*>/.exec(PAGES.session)?.[0] ?? '';
    const kept = await look(browser, 'policy', `${policy}<title>x</title><body>${words}`);
    assert.deepEqual([kept.ran, kept.requests.filter((url) => !kept.blocked.includes(url))], [null, [kept.file]]);
  },
);
