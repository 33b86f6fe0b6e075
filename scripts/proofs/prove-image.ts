/** The image, built and used: `npm run prove -- image`. Writes docs/proofs/image.md. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';

const FILES = ['test/walks/image.test.ts', 'test/package.test.ts'];

export function proveImage(): boolean {
  const env = { ...process.env, HERMES_PROVE_IMAGE: '1' };
  const ran = spawnSync(process.execPath, ['--test', '--test-reporter=spec', '--test-concurrency=1', ...FILES], { env, encoding: 'utf8' });
  process.stdout.write(ran.stdout);
  const [shown = ''] = ran.stdout.split('ℹ tests ');
  const rows = [...shown.matchAll(/^([✔✖﹣]) (.*?) \([\d.]+ms\)(?: # (.*))?$/gm)].map(
    ([, sign, name, why]) => `| ${name} | ${sign === '✔' ? 'holds' : sign === '✖' ? 'DOES NOT HOLD' : `skipped: ${why ?? ''}`} |`,
  );
  const figures = [...shown.matchAll(/^ℹ (.*)$/gm)].map(([, words]) => `- ${words}`);
  const page = [
    '# The image and the package',
    '',
    '`test/walks/image.test.ts` builds the `Dockerfile` with podman on a Debian 12 made by mmdebstrap, and runs the gateway as `compose.yaml` describes it, with a Telegram server and a model server of the test on loopback. The former image is the same program with another version number. `test/package.test.ts` packs the npm package and installs it in an empty folder.',
    '',
    '| Story | Result |',
    '|---|---|',
    ...rows,
    '',
    'Measured:',
    '',
    ...figures,
    '',
    'It does not show: a build on the images of Docker Hub, Docker itself, and arm64.',
    '',
    `Run on ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB. Repeat with \`npm run prove -- image\`.`,
    '',
  ].join('\n');
  writeFileSync('docs/proofs/image.md', page);
  console.log(page);
  return ran.status === 0;
}
