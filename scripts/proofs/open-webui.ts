/**
 * Open WebUI from PyPI in front of `hermes serve`, in a real browser: a chat front end that nobody here wrote. It is installed
 * into a folder of the project the first time, without the packages that only its own models need.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Page } from 'playwright-core';
import { findBrowser } from '../../src/parts/tools/builtin/browser/find.ts';
import { startWireServer, type RecordedRequest, type Reply } from '../../src/testing/wire-server/index.ts';

const VERSION = '0.12.4';
const VENV = resolve('.cache/open-webui');
const PICTURE = 'docs/images/api-open-webui.png';
const KEY = 'key-of-the-front-end-0123456789';
/** Only models of its own need these, and they bring gigabytes along. */
const LEFT_OUT = ['accelerate', 'sentence-transformers', 'faster-whisper'];

/** It reads hundreds of packages, and other things may run on this machine. */
const [MAX_START_MS, MAX_WAIT_MS] = [600_000, 240_000];

export interface FrontEndResult {
  readonly lines: readonly string[];
  readonly faults: readonly string[];
}

export async function proveOpenWebUi(): Promise<FrontEndResult> {
  install();
  const root = mkdtempSync(join(tmpdir(), 'hermes-open-webui-'));
  const started: ChildProcess[] = [];
  try {
    await using model = await startWireServer({ answer });
    const api = await startApi(root, model.url, started);
    const port = await startFrontEnd(root, api, started);
    return await talk(port, api, model.requests);
  } finally {
    for (const child of started) child.kill('SIGKILL');
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

function install(): void {
  const pip = (...args: readonly string[]) => execFileSync(join(VENV, 'bin/pip'), ['install', '-q', ...args], { stdio: 'inherit' });
  // Written last: what was cut off is gone on with.
  const mark = join(VENV, `installed-${VERSION}`);
  if (existsSync(mark)) return;
  execFileSync('python3', ['-m', 'venv', VENV]);
  pip('--no-deps', `open-webui==${VERSION}`);
  const list = `import importlib.metadata as m; print("\\n".join(r.split(";")[0].strip() for r in m.requires("open-webui") if "extra" not in r))`;
  const wanted = execFileSync(join(VENV, 'bin/python'), ['-c', list], { encoding: 'utf8' }).trim().split('\n');
  pip(...wanted.filter((name) => !LEFT_OUT.some((left) => name.startsWith(`${left}=`))));
  writeFileSync(mark, '');
}

const QUESTIONS = ['What is on my list? Look it up.', 'And which of them is the oldest?'];
const ANSWERS = ['You have **two tasks**:\n\n1. water the plants\n2. call Rome\n', 'Watering the plants: it has been there since Monday.'];

/** The model: looks at the task list for the first question, then answers each. */
function answer({ body }: RecordedRequest): Reply {
  const text = JSON.stringify(body);
  if (text.includes(QUESTIONS[1] ?? '')) return { text: ANSWERS[1] ?? '' };
  return text.includes('"role":"tool"') ? { text: ANSWERS[0] ?? '' } : { text: 'Let me look.', calls: [{ name: 'todo', arguments: {} }] };
}

interface StartedApi {
  readonly url: string;
}
async function startApi(root: string, modelUrl: string, started: ChildProcess[]): Promise<StartedApi> {
  const home = join(root, 'home');
  mkdirSync(home);
  const model = { provider: 'custom', default: 'wire-model', base_url: `${modelUrl}/v1`, context_length: 64_000 };
  writeFileSync(join(home, 'config.yaml'), JSON.stringify({ model }));
  const env = { PATH: process.env['PATH'], HOME: root, HERMES_HOME: home, API_SERVER_KEY: KEY, OPENAI_API_KEY: 'test-key' };
  const main = process.env['HERMES_TEST_MAIN'] ?? resolve('src/main.ts');
  const child = spawn(process.execPath, [main, 'serve', '--port', '0', '--json'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  const [line] = await once(createInterface(child.stdout), 'line');
  return JSON.parse(String(line));
}

async function startFrontEnd(root: string, { url }: StartedApi, started: ChildProcess[]): Promise<number> {
  const port = await findFreePort();
  const off = [
    'OLLAMA_API',
    'VERSION_UPDATE_CHECK',
    'TITLE_GENERATION',
    'TAGS_GENERATION',
    'FOLLOW_UP_GENERATION',
    'AUTOCOMPLETE_GENERATION',
  ];
  const env = {
    PATH: process.env['PATH'],
    HOME: root,
    DATA_DIR: join(root, 'front-end'),
    WEBUI_AUTH: 'False',
    WEBUI_SECRET_KEY: 'for-one-run',
    OPENAI_API_BASE_URL: `${url}/v1`,
    OPENAI_API_KEY: KEY,
    OFFLINE_MODE: 'True',
    HF_HUB_OFFLINE: '1',
    RAG_EMBEDDING_ENGINE: 'openai',
    ANONYMIZED_TELEMETRY: 'false',
    ...Object.fromEntries(off.map((name) => [`ENABLE_${name}`, 'False'])),
  };
  const child = spawn(join(VENV, 'bin/open-webui'), ['serve', '--host', '127.0.0.1', '--port', String(port)], {
    env,
    stdio: 'ignore',
    cwd: root,
  });
  started.push(child);
  for (let tries = 0; tries < MAX_START_MS / 500; tries++) {
    const isUp = await fetch(`http://127.0.0.1:${port}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return port;
    await sleep(500);
  }
  throw new Error(`Open WebUI did not start within ${MAX_START_MS / 60_000} minutes.`);
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function talk(port: number, { url }: StartedApi, requests: readonly RecordedRequest[]): Promise<FrontEndResult> {
  const executablePath = findBrowser({ executable: '', variable: (name) => process.env[name] });
  if (executablePath === undefined) throw new Error('There is no browser: scripts/system-deps installs chromium.');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'], timeout: MAX_WAIT_MS });
  const faults: string[] = [];
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(`http://127.0.0.1:${port}/`, { timeout: MAX_WAIT_MS });
    for (const [index, question] of QUESTIONS.entries()) await ask(page, question, ANSWERS[index] ?? '');
    await page.screenshot({ path: PICTURE });
  } catch (error) {
    faults.push(`the browser: ${String(error)}`);
  } finally {
    await browser.close();
  }
  const headers = { authorization: `Bearer ${KEY}` };
  const { data }: { data: { id: string; messages: number }[] } = JSON.parse(await (await fetch(`${url}/api/sessions`, { headers })).text());
  const [session] = data;
  if (data.length !== 1) faults.push(`its ${QUESTIONS.length} messages went to ${data.length} sessions`);
  const turns = requests.filter(({ body }) => JSON.stringify(body).includes('Look it up'));
  return {
    lines: [
      `- Open WebUI ${VERSION} from PyPI, as it is, with the address of \`hermes serve\` and its key; Chromium types two messages.`,
      `- both answered on the page; sessions: ${data.length}; messages in it, calls and results included: ${session?.messages ?? 0}; model calls: ${turns.length}`,
      `- the second message went on in the session of the first: the front end sends the whole conversation each time, and it was known again`,
      `![Open WebUI with the agent behind it](../images/api-open-webui.png)`,
    ],
    faults,
  };
}

async function ask(page: Page, question: string, wanted: string): Promise<void> {
  const input = page.locator('#chat-input');
  await input.waitFor({ timeout: MAX_WAIT_MS });
  // What is new in this version covers the page the first time.
  const okay = page.getByRole('button', { name: /okay, let's go/i });
  if (await okay.isVisible().catch(() => false)) await okay.click();
  await input.click();
  await page.keyboard.type(question);
  await page.keyboard.press('Enter');
  const words = wanted
    .replaceAll(/[*\d.]|\n/g, ' ')
    .split(/\s{2,}/)
    .filter((part) => part.trim().length > 6);
  for (const part of words) await page.getByText(part.trim(), { exact: false }).last().waitFor({ timeout: MAX_WAIT_MS });
  await sleep(1_500);
}
