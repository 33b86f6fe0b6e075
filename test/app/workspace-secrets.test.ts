import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createEnvFileMask, learnWorkspaceSecrets } from '../../src/app/tools/workspace-secrets.ts';
import { createSecrets } from '../../src/parts/safety/secrets/secrets.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-env-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

test('an .env file may be shown once all of its secrets are known, and not when one of them is a plain word', () => {
  const plain = write('.env', 'API_KEY=q7Rt99xLmZ2w\nPORT=3000\nDB_URL=postgres://app:pq7rT99xLm@db/app\n');
  const word = write('.env.dev', 'API_KEY=q7Rt99xLmZ2w\nDB_PASSWORD=TOPSECRET\n');
  const secrets = createSecrets({ known: () => [], salt: () => 'salt' });
  const masks = createEnvFileMask(secrets);
  assert.equal(masks(plain), false, 'nothing is known yet');
  learnWorkspaceSecrets(folder, secrets);
  assert.deepEqual([plain, word, write('.env.example', 'API_KEY=q7Rt99xLmZ2w\n'), write('key.pem', 'API_KEY=q7Rt99xLmZ2w\n')].map(masks), [
    true,
    false,
    false,
    false,
  ]);
  const commented = write(
    '.env.old',
    '# OLD_KEY=zz8Kq2LmRtPw\nKEY=first7Kq2LmRt1\nKEY=q7Rt99xLmZ2w # was aa1Bq2LmRtPwXy\n#export T="b9Kq2 LmRt#Pw"\n',
  );
  assert.equal(masks(commented), false, 'what is commented out or replaced counts too');
  learnWorkspaceSecrets(folder, secrets);
  assert.equal(masks(commented), true);
  assert.doesNotMatch(secrets.redact(readFileSync(commented, 'utf8')), /zz8K|first7|q7Rt|aa1B|b9Kq/);
  write('.env', 'API_KEY=another9Kq2LmRt\n');
  assert.equal(masks(plain), false, 'the owner has changed it since');
});
