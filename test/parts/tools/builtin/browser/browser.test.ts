import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { atSite, noBrowser, refIn } from './setup.ts';

const skip = noBrowser();

suite('a real browser', { skip, concurrency: false }, async () => {
  if (skip !== false) return;
  const here = await atSite();
  const { site, say, run } = here;

  test('without a page there is nothing to look at', async () => {
    assert.equal(await say('snapshot'), 'FAILED No page is open. Open one with browser_navigate.');
  });

  test('a form is read, filled and sent', async () => {
    const form = await say('navigate', { url: `${site.url}/form` });
    assert.match(form, /Order form\n.*\/form\n/);
    assert.match(form, /- heading "Order" \[level=1\]/);
    assert.match(await say('type', { ref: `@${refIn(form, 'textbox "Name"')}`, text: 'Ada & co' }), /Ada & co/);
    await say('type', { ref: refIn(form, 'combobox "Size"'), text: 'large' });
    assert.match(await say('click', { ref: refIn(form, 'checkbox "Gift"') }), /checkbox "Gift" \[checked\]/);
    const sent = await run('click', { ref: refIn(form, 'button "Send"') });
    assert.equal(sent.foreign, `site.test:${site.port}`);
    assert.ok(site.asked.includes('site.test/ordered?who=Ada+%26+co&size=large&gift=on'), site.asked.join(' '));
    assert.match(await say('back'), /Order form/);
  });

  test('what arrives later is told with the click that caused it', async () => {
    const page = await say('navigate', { url: `${site.url}/dynamic` });
    const ref = refIn(page, 'button "Add"');
    const after = await say('click', { ref });
    assert.match(after, /New on the page:\n.*Arrived later/s);
    assert.match(after, /1 line is gone/);
    assert.equal(
      await say('click', { ref }),
      `FAILED There is no element ${ref} on the page any more. Take a new browser_snapshot and use its refs.`,
    );
    assert.match(await say('click', { ref: 'the button' }), /^FAILED "the button" is not a ref/);
  });

  test('elements inside frames have refs too', async () => {
    const page = await say('navigate', { url: `${site.url}/frames` });
    assert.match(await say('click', { ref: refIn(page, 'button "Press me"') }), /Was pressed/);
  });

  test('dialogs are dismissed and told', async () => {
    const page = await say('navigate', { url: `${site.url}/dialogs` });
    const after = await say('click', { ref: refIn(page, 'button "Delete"') });
    assert.match(after, /\[A dialog was dismissed \(confirm\): "Really delete everything\?"\]/);
    assert.match(after, /\(alert\): "Done"/);
    assert.match(after, /^falseundefined\n/, 'the page was told no');
  });

  test('a download lands in the private folder, whatever the page calls it', async () => {
    const page = await say('navigate', { url: `${site.url}/files` });
    const folder = join(here.home, 'cache', 'documents');
    const told = [await say('click', { ref: refIn(page, 'link "Report"') }), await say('navigate', { url: `${site.url}/report.csv` })];
    for (const words of told) {
      const path = /\[Downloaded (\S+) \(8 bytes\)\]/.exec(words)?.[1] ?? '';
      assert.ok(path.startsWith(`${folder}/`), words);
      assert.equal(readFileSync(path, 'utf8'), 'a,b\n1,2\n');
    }
    assert.match(told[1] ?? '', /This address is a file, not a page/);
    assert.equal(readdirSync(folder).length, 2);
    assert.equal(statSync(folder).mode & 0o077, 0);
  });

  test('the console is kept, read, cleared and spoken to', async () => {
    await say('navigate', { url: `${site.url}/noisy` });
    const log = await say('console', { clear: true });
    assert.match(log, /log: hello 42\nerror: it broke\nuncaught: nobody caught me/);
    assert.match(
      await say('console', { expression: 'Promise.resolve({ sum: 1 + 2 })' }),
      /Value: \{\n "sum": 3\n\}\n\nThe console is empty\./,
    );
    assert.match(await say('console', { expression: 'nonsense(' }), /^FAILED The expression failed: .*SyntaxError/);
  });

  test('a huge page is cut and kept whole', async () => {
    const page = await say('navigate', { url: `${site.url}/huge` });
    assert.ok(page.length < 15_600, String(page.length));
    const path = /all of it is in (\S+):/.exec(page)?.[1] ?? '';
    assert.match(readFileSync(path, 'utf8').slice(-200), /Row number 5999.*button "The last one" \[ref=\w+\]/s);
  });

  test('new tabs are followed', async () => {
    const page = await say('navigate', { url: `${site.url}/tabs` });
    const opened = await say('click', { ref: refIn(page, 'link "Open it"') });
    // On a slow machine the tab is there with the next look.
    const shown = opened.includes('Order form') ? opened : await say('snapshot');
    assert.match(shown, /Order form\n/);
    assert.match(`${opened}${shown}`, /\[A new tab opened; it is the current one now/);
  });

  test('pictures are listed, the page is scrolled, keys are pressed', async () => {
    await say('navigate', { url: `${site.url}/images` });
    assert.match(await say('get_images'), /- http:\/\/site\.test:\d+\/dot\.png \(1×1\) "A dot"\n- data:image\/gif.*"inline"/);
    await say('navigate', { url: `${site.url}/tall` });
    assert.match(await say('scroll', { direction: 'down' }), /Scrolled down: pixels 640 to 1440 of 5\d\d\d/);
    assert.match(await say('scroll', { direction: 'up' }), /pixels 0 to 800/);
    await say('press', { key: 'End' });
    assert.match(await say('console', { expression: 'new Promise((done) => setTimeout(() => done(scrollY > 1000), 300))' }), /Value: true/);
    assert.match(await say('press', { key: 'Nonsense' }), /^FAILED Pressing Nonsense failed: Unknown key/);
  });

  test('a screenshot is looked at and kept', async () => {
    await say('navigate', { url: `${site.url}/picture` });
    const seen = await run('vision', { question: 'Which colour?', annotate: true });
    const words = seen.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
    const path = /Screenshot: (\S+)/.exec(words)?.[1] ?? '';
    assert.match(words, /I see: Which colour\?/);
    assert.equal(readFileSync(path).toString('base64'), here.asks.at(-1)?.image.data);
    assert.ok(path.startsWith(join(here.home, 'cache', 'images')), path);
    assert.doesNotMatch(await say('snapshot', { full: true }), /e\d+<\/span>|hermes-labels/);
  });

  test('trouble with a navigation is told plainly', async () => {
    assert.match(await say('navigate', { url: `${site.url}/circle` }), /^FAILED .*redirects in a circle \(ERR_TOO_MANY_REDIRECTS\)/);
    assert.match(await say('navigate', { url: 'http://unknown.test/' }), /^FAILED Refused: unknown\.test could not be looked up/);
    assert.match(await say('navigate', { url: 'http://site.test:9/' }), /^FAILED /);
    assert.match(await say('navigate', { url: `${site.url}/missing` }), /\[The site answered 404\].*No such page/s);
  });

  test('a page that crashes is told, and the next one opens', async () => {
    const crash = () =>
      here.browsers.use('s1', false, async ({ tabs }) => {
        const page = await tabs.current();
        const crashed = page.waitForEvent('crash');
        await page.goto('chrome://crash').catch(() => {});
        await crashed;
      });
    await say('navigate', { url: `${site.url}/form` });
    await crash();
    assert.match(await say('snapshot'), /^FAILED The page crashed\. It was closed and an empty page stands in its place/);
    assert.match(await say('snapshot'), /about:blank/);
    assert.match(await say('navigate', { url: `${site.url}/form` }), /Order form/);
    await crash();
    assert.match(await say('navigate', { url: `${site.url}/form` }), /Order form/);
  });

  test('a call that is stopped stops at once', async () => {
    await say('navigate', { url: `${site.url}/form` });
    const stop = new AbortController();
    const work = here.tool('console').run({ expression: 'new Promise(() => {})' }, { ...here.context, signal: stop.signal });
    stop.abort(new Error('stopped by the user'));
    await assert.rejects(work, /stopped by the user/);
    assert.match(await say('snapshot'), /Order form/);
  });
});

suite('a browser with other settings', { skip, concurrency: false }, async () => {
  if (skip !== false) return;
  const { site, say, run } = await atSite(
    { 'browser.restrict_evaluate': true, 'browser.command_timeout': 4, 'browser.inactivity_timeout': 5 },
    { native: true },
  );

  test('expressions can be forbidden', async () => {
    await say('navigate', { url: `${site.url}/picture` });
    assert.match(await say('console', { expression: '1' }), /^FAILED Not evaluated: the owner does not allow expressions/);
  });

  test('a model that sees gets the picture itself', async () => {
    const { content } = await run('vision', { question: 'What is there?' });
    assert.deepEqual(
      content.map(({ type, trust }) => `${type} ${trust}`),
      ['text foreign', 'text foreign', 'text foreign', 'image foreign'],
    );
  });

  test('a page that hangs is replaced', async () => {
    const page = await say('navigate', { url: `${site.url}/hangs` });
    assert.match(
      await say('click', { ref: refIn(page, 'button "Hang"') }),
      /^FAILED Clicking \w+ failed: the page is busy and does not respond/,
    );
    assert.match(await say('navigate', { url: `${site.url}/form` }), /Order form/);
  });

  test('a browser nobody uses is closed, and the next call says so', async () => {
    await say('navigate', { url: `${site.url}/form` });
    await until(async () => (await say('snapshot')).includes('closed after'), 7_000);
    const words = await say('snapshot');
    assert.equal(words, `FAILED The browser was closed after 5 s without use. It was at ${site.url}/form. Open one with browser_navigate.`);
    assert.match(await say('navigate', { url: `${site.url}/form` }), /Order form/);
  });
});

/** Asks seldom enough that asking does not keep it awake. */
async function until(holds: () => Promise<boolean>, everyMs: number): Promise<void> {
  for (let tries = 0; tries < 8; tries++) {
    await new Promise((resolve) => setTimeout(resolve, everyMs));
    if (await holds()) return;
  }
}
