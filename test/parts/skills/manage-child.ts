/** A process that manages skills: `manage-child.ts <userDir> <mode> <id> <count> [bundledDir]`. Says `done <what>` after each change that is on disk. */
import { writeSync } from 'node:fs';
import { ToolFailure } from '../../../src/contracts/tool.ts';
import { createSkillCatalog } from '../../../src/parts/skills/catalog/catalog.ts';
import { manageSkill } from '../../../src/parts/skills/manage/manage.ts';
import type { ManageInput } from '../../../src/parts/skills/manage/plan.ts';
import { page, replaceIn, scan } from './tools-setup.ts';

const [userDir = '', mode = '', id = '', count = '0', bundledDir] = process.argv.slice(2);
const keeping = { userDir, catalog: createSkillCatalog({ userDir, bundledDir }), scan, replaceIn };

async function manage(input: ManageInput): Promise<void> {
  try {
    await manageSkill(keeping, input, {
      sessionId: id,
      turnId: 't',
      foreign: [],
      signal: new AbortController().signal,
      approve: async () => (mode === 'copy' ? { allow: true, by: 'owner' } : { allow: false, by: 'nobody', reason: 'asked' }),
    });
    writeSync(1, `done ${input.action} ${input.name}\n`);
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    writeSync(1, `refused ${input.action} ${input.name}: ${error.message}\n`);
  }
}

/** Long enough that a write could be seen half done. */
const long = (word: string): string => `${`${word} `.repeat(2_000)}\n`.repeat(6);

const MODES: Readonly<Record<string, (index: number) => Promise<void>>> = {
  /** Changes one skill over and over, and makes and deletes another. */
  churn: async (index) => {
    const word = index % 2 === 0 ? 'even' : 'odd';
    await manage({ action: 'edit', name: 'kept', content: page('kept', long(word)) });
    await manage({ action: 'write_file', name: 'kept', file_path: 'references/a.md', file_content: long(word) });
    await manage({ action: 'create', name: 'brief', content: page('brief', long(word)), category: 'dev' });
    await manage({ action: 'delete', name: 'brief' });
  },
  /** Makes the user's own copy of a bundled skill and throws it away again. */
  copy: async () => {
    await manage({ action: 'patch', name: 'shipped', old_string: 'as it came', new_string: 'as we want it' });
    await manage({ action: 'delete', name: 'shipped' });
  },
  /** Makes skills of its own, tries for the one everybody wants, and adds lines to a shared one. */
  crowd: async (index) => {
    await manage({ action: 'create', name: `own-${id}-${index}`, content: page(`own-${id}-${index}`) });
    await manage({ action: 'create', name: `wanted-${index}`, content: page(`wanted-${index}`, `by ${id}`), category: `of-${id}` });
    await manage({ action: 'patch', name: 'shared', old_string: 'END', new_string: `${id}:${index}\nEND` });
  },
};
for (let index = 0; index < Number(count); index++) await MODES[mode]?.(index);
