import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { definePlugin } from 'hermes-ts/plugin';

const settings = {
  tense: { kind: 'choice', choices: ['present', 'past'], default: 'present', describe: 'The tense of release notes' },
} as const;

export default definePlugin({
  name: 'release-notes',
  settings,
  setup(host, { tense }) {
    const file = join(host.dataFolder, 'changes.txt');
    // Rendered once for each session, scanned, and cut to its cap.
    host.slots.add({ name: 'style', render: () => `Release notes are written in the ${tense} tense.` });
    // In a shell: hermes release-notes add …
    host.cli.add({
      name: 'add',
      run: ({ words }) => {
        appendFileSync(file, `${Array.isArray(words) ? words.join(' ') : String(words)}\n`);
        return 'Noted.';
      },
    });
    host.cli.add({ name: 'list', run: () => (existsSync(file) ? readFileSync(file, 'utf8').trimEnd() : 'Nothing is noted yet.') });
  },
});
