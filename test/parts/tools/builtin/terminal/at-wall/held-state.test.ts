import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findHeldState } from '../../../../../../src/parts/tools/builtin/terminal/at-wall/held-state.ts';

const SCRIPT = `declare -x AWS_PROFILE="staging"
declare -- NS="shop"
declare -x PATH="/w/bin:/usr/bin"
declare -x HOME
declare -- BASH="/bin/bash"
umask 0022
deploy () 
{ 
    echo hacked
}
alias k='kubectl'
__hermes_set=''
`;
const USED: readonly (readonly [line: string, used: readonly string[]])[] = [
  ['kubectl get pods -n $NS', ['$NS']],
  ['kubectl get pods -n "${NS:-default}"', ['$NS']],
  ['NS=other; kubectl get pods -n $NS', []],
  ['deploy now', ['deploy']],
  ['cd x && k get pods', ['k']],
  ['echo $HOME $PATH $UNSET', []],
  ['kubectl get pods', []],
];
for (const [line, used] of USED)
  test(`${line} uses ${used.join(', ') || 'nothing'} of what earlier commands left`, () =>
    assert.deepEqual(findHeldState(line, [{ type: 'held', script: SCRIPT }]), { used, exported: ['AWS_PROFILE'] }));

test('a fresh shell holds nothing', () => assert.deepEqual(findHeldState('deploy $NS', []), { used: [], exported: [] }));
