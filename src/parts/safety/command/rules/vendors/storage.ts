import { type Vendors } from './vendor.ts';

/** Buckets, backups and volumes: what is gone there is gone. */
export const STORAGE: Vendors = {
  mc: {
    fine: `
      ls cat head cp stat du tree find diff alias/list|ls|set|import|export mb ping ready version/info|enable
      admin/info|top|trace|console|prometheus admin/user|policy/list|info event/list tag/list policy/get|list anonymous/get|list|links
      ilm/ls|list share/download|list pipe get put sql watch od mirror support/* update quota/info retention/info legalhold/info
      encrypt/info license/info
    `,
    sharp: '--remove --force --purge --bypass',
    values: '--config-dir -C',
  },
  s3cmd: {
    fine: 'ls la get put info du sync mb cp signurl accesslog multipart ws-info dump cflist cfinfo',
    sharp: `--delete-removed --acl-public -P --force`,
    values: `-c --config --access_key --secret_key --host --region`,
  },
  s5cmd: {
    fine: 'ls cp cat du head pipe sync mb presign select version run',
    sharp: '--delete',
    values: `--endpoint-url --profile --credentials-file --numworkers`,
  },
  b2: {
    fine: `
      ls file/info|download|upload|cat|url bucket/list|get|create account/get|authorize version get-account-info list-* get-* download-*
      sync upload-file authorize-account make-url
    `,
    sharp: `--delete --deleteSkipped --allow-empty-source`,
  },
  rclone: {
    fine: `
      ls lsd lsl lsf lsjson cat copy copyto check cryptcheck size tree about version listremotes
      config/file|paths|show|dump|create|providers|update|touch md5sum sha1sum hashsum ncdu genautocomplete help mkdir touch obscure test
      checksum features rcat
    `,
    sharp: '--delete-after --delete-before --delete-during --delete-excluded --max-delete',
    values: '--config --transfers --checkers --log-file --filter-from --include --exclude',
  },
  restic: {
    fine: `
      snapshots ls find stats check diff backup cat/* list/* version dump init key/list|add self-update generate features tag copy options
      help
    `,
    sharp: `--delete --force`,
    values: `
      -r --repo -p --password-file --cache-dir -o --option --limit-upload --password-command --repository-file
    `,
  },
  borg: {
    fine: 'list info check create diff init key/export version mount umount export-tar help benchmark/* repo-list repo-info',
    sharp: `--repair --force --delete`,
    values: `-r --repo --remote-path --rsh --lock-wait`,
  },
  borgmatic: { fine: 'list info create check config/* validate repo-list repo-info version ', bare: 'sharp' },
  kopia: {
    fine: `
      snapshot/list|ls|create|verify|estimate repository/status|connect|create|validate-provider list ls show diff content/list|stats
      policy/list|show|get|set blob/list|stats mount server/status maintenance/info cache/info
    `,
  },
  'duplicacy duplicity rdiff-backup bup tarsnap attic snapraid duply rsnapshot': {
    fine: `
      list check backup init info collection-status list-current-files verify compare full incremental incr status diff smart configtest
      ls index save fsck alpha beta hourly daily
    `,
    sharp: `--force --remove-older-than --delete-older-than -d -f --nuke`,
  },
  zfs: { fine: 'list get snapshot create diff holds bookmark send userspace groupspace version hold clone project', sharp: '' },
  zpool: { fine: 'list status iostat get history events scrub version wait' },
  btrfs: {
    fine: `
      filesystem/show|df|usage|du|label|sync fi/show|df|usage|du subvolume/list|show|create|snapshot|get-default
      subvol/list|show|create|snapshot su/list scrub/status|start device/stats|usage|scan balance/status property/get|list qgroup/show
      inspect-internal/* version send
    `,
  },
  'snapper timeshift': { fine: 'list status diff create list-configs get-config ls', sharp: '--delete --delete-all --restore' },
  'ceph rados rbd radosgw-admin': {
    fine: `
      status health df osd/tree|df|status|stat|dump|ls osd/pool/ls|stats mon/stat|dump pg/stat|dump version versions fs/ls|status ls info
      log/last orch/ps|ls|status orch/host/ls features report bucket/list|stats user/list|info du snap/ls lspools time-sync-status
      auth/list mgr/module/ls crash/ls|info showmapped children diff export quorum_status
    `,
    sharp: `--yes-i-really-mean-it --yes-i-really-really-mean-it`,
  },
  'gluster drbdadm pcs crm corosync-cfgtool': {
    fine: `
      volume/info|status|list|heal peer/status|list pool/list status dstate cstate role sh-* dump show config/show property/show
      resource/show|status configure/show constraint/list|show cluster/status node/show
    `,
    sharp: `--force`,
  },
  'pvs vgs lvs pvdisplay vgdisplay lvdisplay pvscan vgscan lvscan': { fine: '*' },
  mdadm: { fine: '/dev/*', sharp: '--zero-superblock --stop --fail --remove -S --create -C --grow --manage -f -r --assemble', values: '' },
  'megacli MegaCli MegaCli64 storcli storcli64 perccli perccli64 ssacli hpssacli arcconf mvcli sas3ircu sas2ircu tw_cli': {
    fine: '**/show|display|getconfig|list|status ctrl/all/show',
    looks: '-*Info -*List -*Show* -*GetBbuStatus -v',
    bare: 'sharp',
  },
  smartctl: { fine: '*', not: '*/-s', sharp: '-s --smart --offlineauto' },
  'lvresize lvextend lvrename lvchange lvcreate vgchange vgrename vgsplit vgmerge vgcreate vgextend pvmove pvresize pvchange pvcreate': {
    fine: ``,
    looks: `-t --test`,
    bare: 'sharp',
  },
  dvc: {
    fine: `
      status pull fetch add push repro diff dag list metrics params plots init config remote/list|add stage/* exp/show|run|diff|list|apply
      version doctor get get-url import checkout data/status root check-ignore commit move freeze unfreeze queue/status
    `,
    sharp: `--force -f`,
  },
  'git-annex': { fine: 'add get status sync info whereis find init list version copy' },
};
