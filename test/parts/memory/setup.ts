import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { AdmitText, ScanText } from '../../../src/contracts/scan.ts';
import { collectDefaults } from '../../../src/contracts/settings.ts';
import { memorySettings, type MemorySettings } from '../../../src/parts/memory/settings.ts';
import type { MemoryPlace } from '../../../src/parts/memory/stores.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-memory-')));
after(() => rmSync(root, { recursive: true, force: true }));
let made = 0;
export const freshHome = (): string => join(root, String(++made));

/** A stand-in for the scan: one word is evil, and severe with an exclamation mark. */
export const scan: ScanText = (text) =>
  text
    .split('\n')
    .flatMap((line, index) =>
      line.includes('EVIL')
        ? [{ threat: 'prompt_injection', severe: line.includes('EVIL!'), line: index + 1, excerpt: line.slice(0, 80) }]
        : [],
    );
/** What is severe is blocked, the rest told about. */
export const admit: AdmitText = (text, { kind, name }) => {
  const findings = scan(text, kind);
  return findings.some(({ severe }) => severe)
    ? { allow: false, notice: `${name} is blocked: prompt_injection`, marker: `[${name} left out: prompt_injection]`, findings }
    : { allow: true, notices: findings.map(({ threat }) => `${name}: ${threat}`) };
};

export const placeAt = (home: string, over: Partial<MemorySettings> = {}): MemoryPlace => ({
  home,
  settings: { ...collectDefaults(memorySettings), ...over },
  scan,
  admit,
});

export const fileIn = (home: string, name = 'MEMORY.md'): string => join(home, 'memories', name);
export const textIn = (home: string, name?: string): string => readFileSync(fileIn(home, name), 'utf8');
export function put(home: string, text: string, name?: string): void {
  mkdirSync(join(home, 'memories'), { recursive: true });
  writeFileSync(fileIn(home, name), text);
}
