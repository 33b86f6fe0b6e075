import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import { joinTextBlocks } from '../../../src/contracts/message.ts';
import type { AdmitText, ScanText } from '../../../src/contracts/scan.ts';
import type { SkillContext } from '../../../src/contracts/skills.ts';
import type { ApprovalRequest } from '../../../src/contracts/consent.ts';
import { ToolFailure, type Tool, type ToolContext, type ToolOutput } from '../../../src/contracts/tool.ts';
import { createSkillCatalog, type SkillCatalogOptions } from '../../../src/parts/skills/catalog/catalog.ts';
import type { ReplaceText } from '../../../src/parts/skills/manage/plan.ts';
import { localFiles } from '../../../src/parts/terminals/files/local.ts';

/** A folder of its own, gone when the file's tests are through. */
export function tempFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-skills-')));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function put(folder: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

/** A whole SKILL.md. */
export const page = (name: string, body = 'Do the thing.', head = ''): string =>
  `---\nname: ${name}\ndescription: About ${name}\n${head}---\n\n# ${name}\n\n${body}\n`;

const THREATS = [
  { sign: 'IGNORE ALL RULES', threat: 'prompt_injection', severe: false },
  { sign: 'STEAL KEYS', threat: 'exfiltration', severe: true },
];
export const scan: ScanText = (text) =>
  text.split('\n').flatMap((line, index) =>
    THREATS.filter(({ sign }) => line.includes(sign)).map(({ sign, threat, severe }) => ({
      threat,
      severe,
      line: index + 1,
      excerpt: sign,
    })),
  );
export const admit: AdmitText = (text, { name, owned, kind }) => {
  const findings = scan(text, kind);
  const notice = `${name}: ${findings.map(({ threat }) => threat).join(', ')}`;
  if (findings.length === 0) return { allow: true, notices: [] };
  return owned && !findings.some(({ severe }) => severe)
    ? { allow: true, notices: [notice] }
    : { allow: false, notice, marker: `[BLOCKED: ${name}]`, findings };
};

export const replaceIn: ReplaceText = (text, old, fresh, all) => {
  const places = text.split(old).length - 1;
  if (places === 0) return { ok: false, words: 'it is not there' };
  if (places > 1 && !all) return { ok: false, words: `it is there ${places} times` };
  return { ok: true, text: text.split(old).join(fresh) };
};

export const CONTEXT: SkillContext = { tools: ['terminal'], toolsets: ['hermes-cli'], platform: 'cli' };

/** A home with the three kinds of skill folders. */
export function world(options: Partial<SkillCatalogOptions> = {}) {
  const home = tempFolder();
  const [userDir, bundledDir, externalDir] = [join(home, 'skills'), join(home, 'bundled'), join(home, 'external')];
  for (const folder of [userDir, bundledDir, externalDir]) mkdirSync(folder);
  const catalog = createSkillCatalog({ userDir, bundledDir, externalDirs: [externalDir], os: 'linux', ...options });
  const setup = { home, isSet: (name: string) => name === 'SET' };
  return { home, userDir, bundledDir, externalDir, catalog, setup, scan, admit, replaceIn, skillContext: () => CONTEXT };
}

/** What a call met: what it asked for and what it reported. */
export function contextWith(more: Partial<ToolContext> = {}) {
  const asked: ApprovalRequest[] = [];
  const notes: string[] = [];
  const context: ToolContext = {
    signal: new AbortController().signal,
    sessionId: 's1',
    turnId: 't1',
    callId: 'c1',
    taint: [],
    terminal: {
      kind: 'desk',
      cwd: '/',
      files: localFiles,
      run: () => Promise.reject(new Error('no commands here')),
      start: () => Promise.reject(new Error('no commands here')),
      [Symbol.asyncDispose]: async () => {},
    },
    ports: {},
    call: () => Promise.reject(new Error('no other tools here')),
    report: (note) => notes.push(note),
    approve: async (action) => {
      asked.push(action);
      return { allow: false, by: 'test', reason: 'not today' };
    },
    ...more,
  };
  return { context, asked, notes };
}
/** A context whose owner says yes. */
export function agreeing() {
  const asked: ApprovalRequest[] = [];
  const { context } = contextWith({
    approve: async (action) => {
      asked.push(action);
      return { allow: true, by: 'test' };
    },
  });
  return { context, asked };
}

/** The words a tool answers with; a refusal is told with its mark, so that tables can hold both. */
export async function answer<Input>(tool: Tool<Input>, input: Input, context: ToolContext): Promise<string> {
  try {
    return words(await tool.run(input, context));
  } catch (error) {
    if (error instanceof ToolFailure) return `FAILED ${error.message}`;
    throw error;
  }
}
export const words = (output: ToolOutput): string =>
  joinTextBlocks({ role: 'tool', callId: '', name: '', content: output.content, failed: false });
