import { LOOKING, type Vendors } from './vendor.ts';

/** What builds up whole machines from a text, and what commands many of them at once. */
export const INFRASTRUCTURE: Vendors = {
  'terraform tofu terraspace': {
    fine: `
      plan init validate fmt show output graph providers version console get workspace/list|show|select|new state/list|show|pull test
      modules metadata login logout query stacks/validate|init
    `,
    sharp: '-force-copy -migrate-state',
    values: '-chdir',
  },
  terragrunt: {
    fine: `
      plan init validate fmt hclfmt output show graph providers version state/list|show console hcl/* list find dag/* info/* render
      render-json scaffold catalog validate-inputs run-all/plan|validate|init|output run/plan|validate|init
    `,
    sharp: `-auto-approve --auto-approve -destroy`,
  },
  pulumi: {
    fine: `
      preview pre stack/ls|output|graph|history|select|init|export|tag config config/get|set|refresh whoami login logout logs new about
      version install plugin/* schema/* convert package/* console env/ls|get|open
    `,
    values: `-s --stack -C --cwd`,
    sharp: `--yes -y --force --skip-preview`,
  },
  'ansible-galaxy': {
    fine: `
      **/${LOOKING} install init collection/install|list|init|build|verify|download role/install|list|init|info|search
    `,
  },
  packer: { fine: 'validate fmt inspect init build console version plugins/* hcl2_upgrade fix', sharp: '-force' },
  vagrant: {
    fine: `
      status up halt ssh ssh-config provision reload suspend resume global-status init validate version
      box/list|add|outdated|update|repackage plugin/list|install|update port rsync rsync-auto snapshot/list|save|push login package upload
      winrm cloud/search
    `,
    sharp: '--force -f',
  },
  salt: { fine: '*/test.*|grains.*|pillar.*|sys.*|status.*|pkg.list_*|disk.usage|network.*|service.status' },
  'salt-key': { fine: '', sharp: '-d -D -A -a -r -R --delete --delete-all --accept-all --accept --reject' },
  'knife chef chef-client': { fine: `**/${LOOKING} ssl/check generate/* exec env cookbook/list|show|test` },
  puppet: { fine: 'module/list|search|install parser/* epp/* lookup facts help config/print describe doc strings' },
  'pdsh pssh clush dsh parallel-ssh mpssh rundeck rd': { fine: '', bare: 'sharp' },
  mco: { fine: 'ping find inventory facts plugin completion describe_filter' },
  bolt: { fine: `**/${LOOKING} module/install|show inventory/show guide/* project/init|migrate plan/show|new|convert task/show` },
  'mina shipit fab deployer dep capistrano': { fine: ' list', bare: 'sharp' },
  'gh-ost pt-online-schema-change': { fine: '' },
  virsh: {
    fine: `
      list dominfo domstate domblklist domifaddr domiflist dumpxml net-list net-info net-dumpxml pool-list pool-info vol-list vol-info
      nodeinfo version start resume suspend snapshot-list snapshot-info snapshot-create snapshot-create-as console uri vcpuinfo dommemstat
      domstats capabilities sysinfo freecell hostname net-dhcp-leases save pool-refresh vncdisplay domdisplay iface-list
    `,
    values: '-c --connect',
  },
  'VBoxManage vboxmanage': {
    fine: `
      list showvminfo showmediuminfo startvm guestproperty/get|enumerate snapshot/*/list|take|showvminfo metrics/* getextradata createvm
      import export clonevm guestcontrol
    `,
  },
  'qm pct pvesh pvecm pveum': {
    fine: `
      list status config showcmd pending listsnapshot start agent/*/ping|info df guest/exec-status console enter get ls nodes cpusets
      terminal
    `,
  },
  'lxc incus lxd lxc-ls lxc-info': {
    fine: `
      list ls info launch init start stop restart exec shell console config/show|get|set|device|trust file/pull|push|edit snapshot
      image/list|info|show|copy|import|export|alias network/list|show|info|create profile/list|show|create|get|set
      storage/list|show|info|create remote/list|add|switch|get-default cluster/list|show version monitor project/list|switch|create
      operation/list warning/list alias/list copy pause top query webui
    `,
    sharp: '--force -f',
  },
};

/** What keeps programs running. */
export const SERVICES: Vendors = {
  'pm2 pm2-runtime': {
    fine: `
      start list ls l status describe show desc logs log monit info prettylist jlist env ping report restart reload stop scale init
      ecosystem gracefulReload id pid serve ps sysmonit attach trigger startOrRestart startOrReload
    `,
    sharp: '--force',
  },
  supervisorctl: { fine: 'status tail maintail pid avail version help fg start restart reread update signal' },
  systemctl: {
    fine: `
      status show cat list-* is-active is-enabled is-failed is-system-running get-default help daemon-reload list-units list-unit-files
      list-timers list-jobs list-dependencies list-sockets reset-failed show-environment whoami log-level service-log-level
    `,
    values: '-p --property -t --type --state -n --lines -o --output -M --machine -H --host --root -s --signal',
  },
  'service rc-service': { fine: '*/status ', values: '' },
  launchctl: {
    fine: `
      list print print-* blame dumpstate version help managername manageruid managerpid hostinfo resolveport plist examine error variant
      procinfo
    `,
  },
  machinectl: { fine: 'list status show list-images image-status show-image' },
  loginctl: { fine: 'list-* session-status user-status seat-status show-* ' },
};
