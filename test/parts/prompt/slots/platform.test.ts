import assert from 'node:assert/strict';
import { test } from 'node:test';
import { platformSlot } from '../../../../src/parts/prompt/slots/platform.ts';
import { PLATFORMS } from '../../../../src/parts/prompt/slots/platforms/all.ts';
import { sceneWith, textOf, told, words } from './setup.ts';

const said = async (platform: string, hints: Readonly<Record<string, unknown>> = {}): Promise<string> =>
  (await textOf(platformSlot({ hints }), { platform })) ?? '';

/** Seed 000 §5.4, seed 004 (gateway adapters), reference core §4.9, and the editor protocol of our own. */
const EXPECTED = words(`
  whatsapp telegram discord slack signal email cron cli sms bluebubbles weixin wecom qqbot matrix mattermost dingtalk feishu
  webhook api_server homeassistant wecom_callback msgraph_webhook whatsapp_cloud tui desktop yuanbao webui acp`);
const TAKES_FILES = words(`
  whatsapp whatsapp_cloud telegram discord slack signal bluebubbles mattermost matrix email feishu weixin wecom qqbot yuanbao
  desktop webui cron`);

test('every platform of the documents has a row, and every row a platform', () => {
  assert.deepEqual(Object.keys(PLATFORMS).toSorted(), EXPECTED.toSorted());
});

test('each row says something of its own within 500 characters', async () => {
  const texts = await Promise.all(EXPECTED.map((platform) => said(platform)));
  for (const [index, text] of texts.entries()) assert.ok(text.length > 50 && text.length <= 500, `${EXPECTED[index]}: ${text.length}`);
  assert.equal(new Set(texts).size, texts.length);
});

test('the rule for files stands exactly where files can be sent', async () => {
  const ruled = [];
  for (const platform of EXPECTED) if ((await said(platform)).includes('MEDIA:/absolute/path')) ruled.push(platform);
  assert.deepEqual(ruled.toSorted(), TAKES_FILES.toSorted());
});

test('rules that belong to one place', async () => {
  assert.match(await said('cron'), /Nobody can answer: ask no questions.* finish the task/);
  assert.match(await said('wecom'), /Never say that you cannot send files/);
  assert.match(await said('sms'), /about 1,600 characters/);
  assert.match(await said('cli'), /terminal\. Use plain text/);
  assert.match(await said('whatsapp_cloud'), /24 hours/);
  assert.match(await said('telegram'), /\*\*bold\*\*.*\|\|spoiler\|\|.*## headings/);
  for (const plain of ['whatsapp', 'sms', 'bluebubbles', 'homeassistant']) assert.match(await said(plain), /Markdown is not rendered/);
});

test('scheduled jobs are spoken of only where they can be made', async () => {
  assert.match(await said('cli'), /Scheduled jobs write to a file/);
  assert.doesNotMatch((await textOf(platformSlot({ hints: {} }), { tools: ['terminal'] })) ?? '', /scheduled/);
});

test('an unknown platform, and names every object has, leave no trace', async () => {
  for (const platform of ['pigeon', 'toString', '__proto__']) assert.equal(await said(platform), '');
});

test('the owner adds words, or puts theirs in place of ours', async () => {
  const ours = await said('signal');
  assert.equal(await said('signal', { signal: ' Be kind. ' }), `${ours}\nBe kind.`);
  assert.equal(await said('signal', { signal: { append: 'Be kind.' } }), `${ours}\nBe kind.`);
  assert.equal(await said('signal', { signal: { replace: 'Be kind.' } }), 'Be kind.');
  assert.equal(await said('signal', { signal: { append: 'More.', replace: 'Be kind.' } }), 'Be kind.');
  assert.equal(await said('signal', { signal: { replace: '' } }), '');
  assert.equal(await said('pigeon', { pigeon: 'Coo.' }), 'Coo.');
  assert.equal(await said('signal', { telegram: 'Be kind.' }), ours);
});

test('a hint of another shape is left out and the owner is told', async () => {
  const ours = await said('signal');
  for (const wrong of [7, null, ['x'], {}, { append: 3 }]) {
    const { text, notices } = await told(platformSlot({ hints: { signal: wrong } }), sceneWith({ platform: 'signal' }));
    assert.equal(text, ours);
    assert.match(notices.join(), /^platform_hints\.signal was not used: write a text/);
  }
});

test('that the user can open files is said only where tools work on the files of this machine', async () => {
  const box = { where: 'in a box', cwd: '/root' };
  const isSaid = async (place: Parameters<typeof platformSlot>[0]['place'], tools?: readonly string[]) =>
    /can open files/.test(
      (await textOf(platformSlot({ hints: {}, ...(place !== undefined && { place }) }), { ...(tools !== undefined && { tools }) })) ?? '',
    );
  assert.equal(await isSaid(undefined), true);
  assert.equal(await isSaid({ ...box, onThisMachine: true }), true);
  assert.equal(await isSaid(box), false, 'a container, another host');
  for (const tools of [[], ['web_search', 'context_recall']]) assert.equal(await isSaid(undefined, tools), false);
});

test('a child hears nothing of a screen or a chat: another agent reads its answer', async () => {
  const slot = platformSlot({ hints: { telegram: 'Use emoji.' } });
  for (const platform of ['cli', 'telegram', 'cron']) assert.equal(await textOf(slot, { platform, role: 'child' }), undefined);
});
