import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROGRAM_ACTS } from '../../../../../src/parts/safety/approval/acts/programs.ts';
import { scopeOfCommand } from '../../../../../src/parts/safety/approval/acts/scope-of-command.ts';
import { findActs } from '../../../../../src/parts/safety/approval/acts/acts-of-line.ts';

/** A line, and the acts it is made of; nothing when it is only what it says, word for word. */
const ACTS: readonly (readonly [line: string, acts: string | undefined])[] = [
  ['kubectl delete pod web-1 -n staging', 'kubectl delete pod @namespace=staging'],
  ['kubectl -n staging delete pod/web-2', 'kubectl delete pod @namespace=staging'],
  ['kubectl delete pod web-1 --namespace=production', 'kubectl delete pod @namespace=production'],
  ['kubectl delete pod web-1 -nstaging --context prod', 'kubectl delete pod @context=prod @namespace=staging'],
  ['kubectl delete deployment web -n staging', 'kubectl delete deployment @namespace=staging'],
  ['kubectl delete pods --all -n staging', 'kubectl delete pods --all @namespace=staging'],
  ['kubectl delete pods -A --all', 'kubectl delete pods --all @all=yes'],
  ['KUBECONFIG=/etc/prod kubectl delete pod x -n staging', 'kubectl delete pod @kubeconfig=/etc/prod @namespace=staging'],
  ['kubectl delete pod web-1', undefined],
  ['FOO=bar kubectl delete pod x -n staging', undefined],
  ['kubectl delete pod "$POD" -n staging', undefined],
  ['kubectl exec web-1 -n staging -- rm -rf /data', 'kubectl exec web-1 -- rm -rf /data @namespace=staging'],
  ['helm uninstall shop -n staging', 'helm uninstall shop @namespace=staging'],
  ['git push origin main', 'git push @branch=main @in=/w @remote=origin'],
  ['git push --force origin main', 'git push --force @branch=main @in=/w @remote=origin'],
  ['git push origin main 2>&1 | tail -5', 'git push @branch=main @in=/w @remote=origin'],
  ['cd api && git push origin main', 'git push @branch=main @in=/w/api @remote=origin'],
  ['git -C api push origin main', 'git push @branch=main @in=/w/api @remote=origin'],
  ['git push', undefined],
  ['git checkout -- .', 'git checkout -- @in=/w'],
  ['git reset --hard HEAD~3', 'git reset --hard @in=/w'],
  ['git branch -D old', 'git branch -D @in=/w'],
  ['docker rm -f web', 'docker rm -f'],
  ['docker -H tcp://prod:2375 rm -f web', 'docker rm -f @host=tcp://prod:2375'],
  ['docker volume rm data', 'docker volume rm data'],
  ['docker run -v /:/host alpine', undefined],
  ['docker compose -p shop down --volumes', undefined],
  ['docker ps', 'docker ps'],
  ['psql -d shop_staging -c "DELETE FROM users WHERE id = 1"', "psql 'DELETE users WHERE' @database=shop_staging"],
  ['psql -h db.prod shop -c "delete from users"', "psql 'DELETE users' @database=shop @host=db.prod"],
  ['psql -d shop -c "DROP TABLE IF EXISTS orders; SELECT 1"', "psql 'DROP orders' SELECT @database=shop"],
  ['psql -c "select 1"', undefined],
  ['psql -d shop -f wipe.sql', undefined],
  ['psql -d shop -c "\\\\! rm -rf /"', undefined],
  ['mysql -D shop -e "TRUNCATE TABLE carts"', "mysql 'TRUNCATE carts' @database=shop"],
  ['ssh web1 sudo systemctl restart nginx', "ssh 'sudo systemctl restart nginx' @host=web1"],
  ['ssh -p 2222 me@web1 uptime', 'ssh uptime @host=me@web1 @port=2222'],
  ['ssh web1 "rm -rf /srv; ls"', "ssh 'rm -rf /srv; ls' @host=web1"],
  ['ssh web1', undefined],
  ['systemctl restart nginx', 'systemctl restart nginx'],
  ['systemctl restart nginx --no-pager', 'systemctl restart nginx'],
  ['gh pr merge 12 -R me/shop', 'gh pr merge 12 @in=/w @repository=me/shop'],
  ['aws s3 rm s3://logs/a --recursive --profile staging', 'aws s3 rm s3://logs/a --recursive @profile=staging'],
  ['AWS_PROFILE=prod aws s3 ls', 'aws s3 ls @profile=prod'],
  [
    'gcloud compute instances delete vm1 --project shop-dev --zone a --quiet',
    'gcloud compute instances delete vm1 @project=shop-dev @zone=a',
  ],
  ['terraform destroy -auto-approve', undefined],
  ['npm publish --tag beta', undefined],
  ['sudo systemctl restart nginx', 'sudo systemctl restart nginx'],
  ['sudo npm publish', undefined],
  ['sudo -u me systemctl restart nginx', undefined],
  ['apt-get remove -y nginx', 'apt-get remove nginx'],
  ['echo done && systemctl reload nginx', 'systemctl reload nginx'],
  ['systemctl stop nginx && kubectl get pods -n staging', 'systemctl stop nginx; kubectl get pods @namespace=staging'],
  ['systemctl stop nginx && ./clean.sh', undefined],
  ['systemctl stop nginx > /etc/x', undefined],
  ['systemctl stop $(cat unit)', undefined],
  ['my-tool deploy', undefined],
  ['./kubectl delete pod x -n staging', undefined],
  ['cat ~/.ssh/id_ed25519', undefined],
  ["docker rm '@host=x'", 'docker rm'],
  ["systemctl restart '@host=x'", "systemctl restart '@host=x'"],
];
for (const [line, acts] of ACTS)
  test(`${line}: ${acts ?? 'only these very words'}`, () => assert.equal(findActs(line, '/w')?.join('; '), acts));

test('the table knows many programs', () => assert.ok(Object.keys(PROGRAM_ACTS).length >= 40));

/** Commands that run files of the project: as a line they are no act, their danger still has a place. */
const SCOPES: readonly (readonly [line: string, scope: string | undefined])[] = [
  ['docker run -v /:/host alpine', 'docker run /:/host alpine -v'],
  ['docker compose -p shop down --volumes', 'docker compose down --volumes @project=shop'],
  ['terraform destroy -auto-approve', 'terraform destroy @in=/w'],
  ['terraform -chdir=prod destroy', 'terraform destroy @in=/w/prod'],
  ['npm publish --tag beta', 'npm publish @in=/w @tag=beta'],
  ['my-tool deploy', undefined],
];
for (const [line, scope] of SCOPES)
  test(`the scope of ${line} is ${scope ?? 'not known'}`, () => {
    const [name = '', ...args] = line.split(' ');
    assert.equal(scopeOfCommand({ name, args, cwd: '/w' }), scope);
  });
