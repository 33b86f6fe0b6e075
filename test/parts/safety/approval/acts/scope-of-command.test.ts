import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProgramSettings } from '../../../../../src/contracts/safety.ts';
import { PROGRAM_ACTS } from '../../../../../src/parts/safety/approval/acts/programs.ts';
import { scopeOfCommand } from '../../../../../src/parts/safety/approval/acts/scope-of-command.ts';
import { findActs } from '../../../../../src/parts/safety/approval/acts/acts-of-line.ts';

/** What the owner's programs are set to. */
const FILES: Readonly<Record<string, string>> = {
  '/home/me/.kube/config': 'apiVersion: v1\ncurrent-context: "dev"\n',
  '/etc/prod': 'current-context: prod\n',
  '/home/me/.aws/config': '[default]\nregion = us-east-1\n[profile staging]\nregion=eu-west-1\n',
  '/home/me/.config/gcloud/active_config': 'work\n',
  '/home/me/.config/gcloud/configurations/config_work': '[core]\nproject = shop-dev\n',
  '/home/me/.azure/azureProfile.json': '\uFEFF{"subscriptions":[{"id":"sub-0"},{"id":"sub-1","isDefault":true}]}',
  '/home/me/.gitconfig': '[includeIf "gitdir:/w"]\n\tpath = work.inc\n',
  '/home/me/work.inc': '[url "ssh://push.example/"]\n\tpushInsteadOf = git.example:m\n\tpushInsteadOf = elsewhere:\n',
  '/w/.git/config':
    '[remote "origin"]\n\turl = git.example:shop.git\n[remote "mirror"]\n\turl = git.example:mirror.git\n\tpushurl = ssh://me:key@push.example/mirror.git\n',
};
const settingsWith = (over: Readonly<Record<string, string>> = {}): ProgramSettings => ({
  home: '/home/me',
  variable: () => undefined,
  text: (path) => ({ ...FILES, ...over })[path],
});

/** A line, and the acts it is made of; nothing when it is only what it says, word for word. */
const ACTS: readonly (readonly [line: string, acts: string | undefined])[] = [
  ['kubectl delete pod web-1 -n staging', 'kubectl delete pod @context=dev @namespace=staging'],
  ['kubectl -n staging delete pod/web-2', 'kubectl delete pod @context=dev @namespace=staging'],
  ['kubectl delete pod web-1 --namespace=production', 'kubectl delete pod @context=dev @namespace=production'],
  ['kubectl delete pod web-1 -nstaging --context prod', 'kubectl delete pod @context=prod @namespace=staging'],
  ['kubectl delete deployment web -n staging', 'kubectl delete deployment @context=dev @namespace=staging'],
  ['kubectl delete pods --all -n staging', 'kubectl delete pods --all @context=dev @namespace=staging'],
  ['kubectl delete pods -A --all', 'kubectl delete pods --all @all=yes @context=dev'],
  ['KUBECONFIG=/etc/prod kubectl delete pod x -n staging', 'kubectl delete pod @context=prod @kubeconfig=/etc/prod @namespace=staging'],
  ['kubectl delete pod web-1', undefined],
  ['FOO=bar kubectl delete pod x -n staging', undefined],
  ['kubectl delete pod "$POD" -n staging', undefined],
  ['kubectl exec web-1 -n staging -- rm -rf /data', 'kubectl exec web-1 -- rm -rf /data @context=dev @namespace=staging'],
  ['helm uninstall shop -n staging', 'helm uninstall shop @context=dev @namespace=staging'],
  ['git push origin main', 'git push @branch=main @in=/w @remote=origin @url=git.example:shop.git'],
  ['git push --force origin main', 'git push --force @branch=main @in=/w @remote=origin @url=git.example:shop.git'],
  ['git push origin main 2>&1 | tail -5', 'git push @branch=main @in=/w @remote=origin @url=git.example:shop.git'],
  ['cd api && git push origin main', 'git push @branch=main @in=/w/api @remote=origin @url=git.example:shop.git'],
  ['git -C api push origin main', 'git push @branch=main @in=/w/api @remote=origin @url=git.example:shop.git'],
  ['git push', undefined],
  ['git checkout -- .', 'git checkout -- @in=/w'],
  ['git reset --hard HEAD~3', 'git reset --hard @in=/w'],
  ['git branch -D old', 'git branch -D @in=/w'],
  ['docker rm -f web', 'docker rm web -f @context=default'],
  ['docker -H tcp://prod:2375 rm -f web', 'docker rm web -f @host=tcp://prod:2375'],
  ['docker volume rm data', 'docker volume rm data @context=default'],
  ['docker run -v /:/host alpine', undefined],
  ['docker compose -p shop down --volumes', undefined],
  ['docker ps', 'docker ps @context=default'],
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
  ['aws s3 rm s3://logs/a --recursive --profile staging', 'aws s3 rm s3://logs/a --recursive @profile=staging @region=eu-west-1'],
  ['AWS_PROFILE=prod aws s3 ls', 'aws s3 ls @profile=prod @region=none'],
  [
    'gcloud compute instances delete vm1 --project shop-dev --zone a --quiet',
    'gcloud compute instances delete vm1 @project=shop-dev @zone=a',
  ],
  ['gcloud compute instances delete vm1', 'gcloud compute instances delete vm1 @project=shop-dev'],
  ['aws s3 rm s3://logs/a', 'aws s3 rm s3://logs/a @profile=default @region=us-east-1'],
  ['az group delete -n x', 'az group delete x -n @account=sub-1'],
  ['doctl compute droplet delete 1', undefined],
  ['KUBECONFIG=./k kubectl --context dev delete pod x -n staging', undefined],
  ['kubectl --kubeconfig /w/k --context dev delete pod x -n staging', undefined],
  ['gh pr merge 12', 'gh pr merge 12 @in=/w @repository=git.example:mirror.git,git.example:shop.git'],
  ['git push mirror main', 'git push @branch=main @in=/w @remote=mirror @url=ssh://push.example/mirror.git'],
  ['git push none main', undefined],
  ['terraform destroy -auto-approve', undefined],
  ['npm publish --tag beta', undefined],
  ['sudo systemctl restart nginx', 'sudo systemctl restart nginx'],
  ['sudo npm publish', undefined],
  ['sudo kubectl delete pod x -n staging', undefined],
  ['sudo kubectl --context dev delete pod x -n staging', 'sudo kubectl delete pod @context=dev @namespace=staging'],
  ['sudo -u me systemctl restart nginx', undefined],
  ['apt-get remove -y nginx', 'apt-get remove nginx'],
  ['echo done && systemctl reload nginx', 'systemctl reload nginx'],
  ['systemctl stop nginx && kubectl get pods -n staging', 'systemctl stop nginx; kubectl get pods @context=dev @namespace=staging'],
  ['systemctl stop nginx && ./clean.sh', undefined],
  ['systemctl stop nginx > /etc/x', undefined],
  ['systemctl stop $(cat unit)', undefined],
  ['my-tool deploy', undefined],
  ['./kubectl delete pod x -n staging', undefined],
  ['cat ~/.ssh/id_ed25519', undefined],
  ["docker rm '@host=x'", "docker rm '@host=x' @context=default"],
  ["systemctl restart '@host=x'", "systemctl restart '@host=x'"],
];
for (const [line, acts] of ACTS)
  test(`${line}: ${acts ?? 'only these very words'}`, () => assert.equal(findActs(line, '/w', settingsWith())?.join('; '), acts));

/** A line, and files that change between two uses of it: then it is another act. */
const MOVED: readonly (readonly [line: string, path: string, text: string])[] = [
  ['kubectl -n default delete pod a', '/home/me/.kube/config', 'current-context: production\n'],
  ['helm -n default uninstall shop', '/home/me/.kube/config', 'current-context: production\n'],
  ['docker rm -f web', '/home/me/.docker/config.json', '{"currentContext":"production"}'],
  ['podman rm -f web', '/home/me/.config/containers/podman-connections.json', '{"Connection":{"Default":"production"}}'],
  ['gcloud sql instances delete x', '/home/me/.config/gcloud/active_config', 'default'],
  ['aws ec2 terminate-instances --instance-ids i-1', '/home/me/.aws/config', '[default]\nregion=eu-central-1'],
  ['git push --force origin main', '/w/.git/config', '[remote "origin"]\nurl = git.example:other.git\n'],
  ['git push --force origin main', '/w/.git/config', `${FILES['/w/.git/config']}[remote "origin"]\npushurl = git.example:other.git\n`],
  ['git push --force origin main', '/home/me/.gitconfig', '[url "git.example:other"]\npushInsteadOf = git.example:shop\n'],
  ['gh pr merge 12', '/w/.git/config', '[remote "origin"]\nurl = git.example:other.git\n'],
];
for (const [line, path, text] of MOVED)
  test(`${line} is another act once ${path} says otherwise, and none where nothing can be read`, () => {
    const [before, after] = [findActs(line, '/w', settingsWith()), findActs(line, '/w', settingsWith({ [path]: text }))];
    assert.ok(before !== undefined);
    assert.notDeepEqual(after, before);
    assert.equal(findActs(line, '/w'), undefined);
  });

test('the table knows many programs', () => assert.ok(Object.keys(PROGRAM_ACTS).length >= 40));

/** Commands that run files of the project: as a line they are no act, their danger still has a place. */
const SCOPES: readonly (readonly [line: string, scope: string | undefined])[] = [
  ['docker run -v /:/host alpine', 'docker run /:/host alpine -v @context=default'],
  ['docker compose -p shop down --volumes', 'docker compose down --volumes @context=default @in=/w @project=shop'],
  ['terraform destroy -auto-approve', 'terraform destroy @in=/w'],
  ['terraform -chdir=prod destroy', 'terraform destroy @in=/w/prod'],
  ['npm publish --tag beta', 'npm publish @in=/w @tag=beta'],
  ['my-tool deploy', undefined],
];
for (const [line, scope] of SCOPES)
  test(`the scope of ${line} is ${scope ?? 'not known'}`, () => {
    const [name = '', ...args] = line.split(' ');
    assert.equal(scopeOfCommand({ name, args, cwd: '/w', standing: settingsWith() }), scope);
  });
