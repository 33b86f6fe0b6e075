import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import type { AdmitText } from '../../../../src/contracts/scan.ts';

const ground = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-rules-')));
after(() => rmSync(ground, { recursive: true, force: true }));

let trees = 0;
/** A folder of its own with these files; a name that ends in `/` is a folder. */
export function tree(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const root = join(ground, `tree-${trees++}`);
  mkdirSync(root);
  plant(root, files);
  return root;
}

export function plant(root: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(name.endsWith('/') ? path : dirname(path), { recursive: true });
    if (!name.endsWith('/')) writeFileSync(path, content);
  }
}

/** Stands for the scanner: refuses a text with the word `evil` in it, warns of `odd`, and keeps what it was asked. */
export function scanner() {
  const asked: { readonly text: string; readonly kind: string; readonly name: string; readonly owned: boolean }[] = [];
  const admit: AdmitText = (text, origin) => {
    asked.push({ text, ...origin });
    const line = text.split('\n').findIndex((one) => one.includes('evil')) + 1;
    if (line === 0) return { allow: true, notices: text.includes('odd') ? [`${origin.name} is odd`] : [] };
    return { allow: false, notice: `${origin.name}: evil in line ${line}`, marker: `[${origin.name} was blocked]`, findings: [] };
  };
  return { admit, asked };
}
