import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RULES } from '../../../../../src/parts/safety/command/rules/all.ts';
import { createRuleJudge } from '../../../../../src/parts/safety/command/judge.ts';
import { CLOUDS } from '../../../../../src/parts/safety/command/rules/vendors/clouds.ts';
import { CLUSTERS } from '../../../../../src/parts/safety/command/rules/vendors/clusters.ts';
import { ENGINES } from '../../../../../src/parts/safety/command/rules/vendors/containers.ts';
import { DEVICES } from '../../../../../src/parts/safety/command/rules/vendors/devices.ts';
import { FORGES } from '../../../../../src/parts/safety/command/rules/vendors/forges.ts';
import { HERMES } from '../../../../../src/parts/safety/command/rules/vendors/hermes.ts';
import { INFRASTRUCTURE, SERVICES } from '../../../../../src/parts/safety/command/rules/vendors/infrastructure.ts';
import { DISKS, FIREWALLS, MACHINE, MOUNTS } from '../../../../../src/parts/safety/command/rules/vendors/machine.ts';
import { PLATFORMS } from '../../../../../src/parts/safety/command/rules/vendors/platforms.ts';
import { SOFTWARE } from '../../../../../src/parts/safety/command/rules/vendors/software.ts';
import { STORAGE } from '../../../../../src/parts/safety/command/rules/vendors/storage.ts';
import { STORES } from '../../../../../src/parts/safety/command/rules/vendors/stores.ts';
import type { Vendors } from '../../../../../src/parts/safety/command/rules/vendors/vendor.ts';

const judge = createRuleJudge(RULES, true);
const PLACE = { cwd: '/home/ada/project', home: '/home/ada' };

/** Of each table one way that is fine and one that is asked about, with its class. */
const ROWS: readonly (readonly [table: Vendors, fine: string, asked: string, key: string])[] = [
  [CLOUDS, 'gcloud compute instances list', 'gcloud compute instances delete web', 'cloud_loss'],
  [CLUSTERS, 'kubectl get pods', 'kubectl delete ns shop', 'cloud_loss'],
  [ENGINES, 'docker ps -a', 'docker volume rm shop_data', 'container_loss'],
  [DEVICES, 'adb devices', 'fastboot flashing unlock', 'device_loss'],
  [FORGES, 'gh pr list', 'gh repo delete acme/shop', 'forge'],
  [HERMES, 'hermes approvals list', 'hermes approvals allow 3f2a', 'own_rules'],
  [INFRASTRUCTURE, 'terraform plan', 'terraform apply', 'cloud_loss'],
  [SERVICES, 'systemctl status nginx', 'systemctl stop nginx', 'services'],
  [FIREWALLS, 'ufw status', 'ufw disable', 'guard_off'],
  [MACHINE, 'ip addr show', 'ip link set eth0 down', 'network_settings'],
  [MOUNTS, 'mount -l', 'umount /srv/data', 'mounts'],
  [DISKS, 'hdparm -tT /dev/sda', 'hdparm -Y /dev/sda', 'disk_touched'],
  [PLATFORMS, 'heroku logs', 'heroku apps:destroy shop', 'cloud_loss'],
  [SOFTWARE, 'apt list --upgradable', 'apt remove nginx', 'package_removal'],
  [STORAGE, 'restic snapshots', 'restic forget --keep-last 1', 'cloud_loss'],
  [STORES, 'redis-cli get a', 'redis-cli flushall', 'database_loss'],
];

test('every table of vendors lets through what looks, and asks about the rest', () => {
  for (const [table, fine, asked, key] of ROWS) {
    for (const line of [fine, asked])
      assert.ok(
        Object.keys(table).some((names) => names.split(' ').includes(line.split(' ')[0] ?? '')),
        line,
      );
    assert.equal(judge(fine, PLACE).type, 'fine', fine);
    const verdict = judge(asked, PLACE);
    assert.ok(verdict.type === 'ask' && verdict.key.split('+').includes(key), `${asked}: ${JSON.stringify(verdict)}`);
  }
});

test('a tool stands once in a table, so that one set of ways holds for it', () => {
  for (const [table] of ROWS) {
    const names = Object.keys(table).flatMap((each) => each.split(' '));
    assert.deepEqual(
      names.filter((name, index) => names.indexOf(name) !== index),
      [],
    );
  }
});

test('help and dry runs of any tool are fine', () => {
  for (const line of ['kubectl delete pod x --dry-run=client', 'gh repo delete --help', 'docker rm --help', 'dropdb --help'])
    assert.equal(judge(line, PLACE).type, 'fine', line);
});
