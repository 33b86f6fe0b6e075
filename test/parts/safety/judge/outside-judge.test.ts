import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeCommand } from '../../../../src/parts/safety/command-floor.ts';
import { createOutsideJudge } from '../../../../src/parts/safety/judge/outside-judge.ts';

const judge = createOutsideJudge(judgeCommand);
const actsOf = (line: string): readonly string[] | undefined => {
  const verdict = judge(line, { cwd: '/home/me/shop', home: '/home/me', workspace: '/home/me/shop' });
  return verdict.type === 'ask' ? verdict.at?.['run_outside'] : undefined;
};

test('whoever may look at one thing outside may look at another in the same place, and do nothing else', () => {
  const looking = ['act:kubectl (only looking) @context=dev @namespace=staging'];
  assert.deepEqual(actsOf('kubectl --context dev get pods -n staging'), looking);
  assert.deepEqual(actsOf('kubectl --context dev logs deploy/web -n staging --tail 5'), looking);
  assert.deepEqual(actsOf('kubectl --context dev get pods -n production'), [
    'act:kubectl (only looking) @context=dev @namespace=production',
  ]);
  assert.deepEqual(actsOf('kubectl --context dev get secret db -n staging'), ['act:kubectl get secret @context=dev @namespace=staging']);
  assert.deepEqual(actsOf('kubectl --context dev delete pod web -n staging'), ['act:kubectl delete pod @context=dev @namespace=staging']);
  assert.deepEqual(actsOf('ssh web1 df -h'), ['act:ssh (only looking) @host=web1']);
  assert.deepEqual(actsOf('ssh web1 systemctl restart app'), ["act:ssh 'systemctl restart app' @host=web1"]);
  // Where it would go is not known here: a yes holds for one call.
  assert.deepEqual(actsOf('kubectl get pods -n staging'), undefined);
  assert.deepEqual(actsOf('docker --context far ps'), ['act:docker ps @context=far']);
});
