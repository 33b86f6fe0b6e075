import { type Vendors } from './vendor.ts';

/** What watches over this machine: what only shows its state is fine. */
export const FIREWALLS: Vendors = {
  ufw: { fine: 'status show version app/list|info' },
  'iptables ip6tables iptables-nft ip6tables-nft iptables-legacy arptables ebtables': {
    fine: '',
    looks: '-L -S -C --list --list-rules --check',
    sharp: '-F -X -D -P -A -I -Z -N -E -R --flush --delete --policy --append --insert --zero --delete-chain',
    values: '-t --table',
  },
  'iptables-restore ip6tables-restore': { fine: '', looks: '-t --test', bare: 'sharp' },
  nft: { fine: 'list describe monitor', sharp: '-f --file' },
  'firewall-cmd': {
    fine: '',
    looks: '--state --list* --get-* --query-* --info-* --version',
    sharp: `--panic-on --reload --complete-reload --permanent --runtime-to-permanent`,
    bare: 'sharp',
  },
  pfctl: { fine: '*', looks: '-s -sr -sa -sn -si -v', sharp: '-d -F -f -e -Fa', bare: 'sharp' },
  ipset: { fine: 'list save test version help' },
  socketfilterfw: { fine: '', looks: '--getglobalstate --listapps --getblockall', bare: 'sharp' },
  auditctl: { fine: '', looks: '-l -s -v', bare: 'sharp', sharp: '-D -d -e -W' },
  'setenforce aa-disable aa-teardown aa-complain aa-remove-unknown semanage setsebool csrutil auditbeat rmmod insmod modprobe Set-MpPreference iptables-apply':
    { fine: ``, looks: `--show-depends -n --dry-run -l --list`, bare: 'sharp' },
  semodule: { fine: '', looks: '-l --list --list-modules', bare: 'sharp' },
  'fail2ban-client': { fine: 'status ping version get banned' },
  spctl: { fine: '', looks: '--status --assess -a', bare: 'sharp' },
  'update-crypto-policies': { fine: '', looks: '--show --is-applied --check', bare: 'sharp' },
  mokutil: { fine: '', looks: '--sb-state --list-* -l', bare: 'sharp' },
  'kmod dkms': { fine: 'list status static-nodes' },
  falcoctl: { fine: 'artifact/list|search|info index/list version registry/auth' },
  'crowdsec cscli wazuh-control ossec-control clamdscan freshclam falconctl falcon-sensor mdatp sophos': {
    fine: `
      list status metrics alerts/list|inspect decisions/list hub/list|update version health info -g parsers/list scenarios/list
      bouncers/list machines/list explain
    `,
  },
  ethtool: { fine: '*', sharp: '-s --reset -K -A -G -p --change --flash' },
  tailscale: { fine: 'status ip ping netcheck version whois dns cert bugreport licenses' },
  'op-guard sealert': { fine: '*' },
};

/** Network, clock and name of this machine. */
export const MACHINE: Vendors = {
  ip: {
    fine: `
      a/show|list|s|-* address/show|list addr/show|list|s link/show|list|ls l/show r/show|list|get|s route/show|list|get neigh/show|list
      n/show rule/show|list netns/list|show|identify maddress/show tunnel/show monitor -s help xfrm/state|policy tuntap/show vrf/show
      mroute/show token nexthop/show stats/show netconf
    `,
    values: '-n -netns -f -family',
  },
  ifconfig: { fine: '*', sharp: '', not: '*/*' },
  route: { fine: 'get', looks: '-n -e -ee --numeric' },
  nmcli: {
    fine: `
      general/status|permissions|logging|hostname device/status|show|wifi d/status|show connection/show c/show con/show radio/all
      networking/connectivity dev/status|show|wifi g n/connectivity monitor g/status agent/--help
    `,
    not: 'device|d|dev/wifi/connect|hotspot con|c|connection/show/--show-secrets general|g/hostname|logging/*',
    values: '-f --fields -c --colors -m --mode -e -g --get-values',
  },
  'ifdown ifup dhclient dhcpcd macchanger': { fine: '', looks: '-s --show -V', bare: 'sharp' },
  iwconfig: { fine: '*', not: '*/*' },
  iw: { fine: 'dev list phy reg/get event', not: 'dev/*/set|del|connect|disconnect|interface|add phy/*/set reg/set' },
  rfkill: { fine: 'list event' },
  networksetup: { fine: '', looks: '-list* -get* -show* -is*', bare: 'sharp' },
  resolvectl: { fine: 'status query statistics service openpgp tlsa show-cache show-server-state monitor', values: '-i --interface' },
  'hostnamectl timedatectl localectl': { fine: 'status show list-* timesync-status show-timesync chassis deployment location' },
  hostname: { fine: '', sharp: '-F --file -b --boot' },
  domainname: { fine: '' },
  hwclock: { fine: '', sharp: '-w --systohc --set -s --hctosys -a --adjust' },
  // `-Is` asks for seconds, `-s` sets the clock.
  date: { fine: '*', sharp: '--set', not: '[0-9]* -s=* -us=* -s[0-9]*', values: '-d --date -r --reference -f --file' },
  tc: { fine: 'qdisc/show|ls|list class/show|ls filter/show|ls monitor' },
  wg: { fine: 'show pubkey genkey genpsk showconf' },
  'wg-quick openvpn ifenslave brctl-set': { fine: 'strip save', looks: '--version --help --show-*', bare: 'sharp' },
  brctl: { fine: 'show showmacs showstp' },
  scutil: { fine: '', looks: '--dns --proxy --get --nwi --nc -r' },
  arp: { fine: '*', sharp: '-s -d -f' },
  'networkctl ovs-vsctl ovs-ofctl vtysh birdc': { fine: 'list status lldp show dump-* list-* get show/* -c' },
  pmset: { fine: '', looks: '-g', bare: 'sharp' },
  'ipmitool racadm bmc-tool redfishtool': {
    fine: `
      sdr sensor fru sel/list|info|elist mc/info lan/print user/list chassis/status power/status getsysinfo getsel getconfig
      chassis/power/status -*
    `,
    values: `-I -H -U -P -r -u -p`,
  },
  chronyc: { fine: 'tracking sources sourcestats activity ntpdata serverstats rtcdata' },
  'ntpdate ntpd sntp rdate': { fine: '', looks: '-q', bare: 'sharp' },
};

/** Disks as devices: what only shows or measures them is fine. */
export const DISKS: Vendors = {
  'hdparm sdparm': { fine: '', looks: '-I -i -t -T -g -C -v --all --inquiry', sharp: '-Y -y -S -B -M -W -E -Z -f -F --flush' },
  nvme: { fine: 'list list-subsys list-ns smart-log id-ctrl id-ns error-log fw-log show-regs get-log get-feature version help' },
};

/** File systems, made visible or taken away. */
export const MOUNTS: Vendors = {
  mount: {
    fine: '',
    looks: '-l -V --version -h',
    values: '-t --types',
    sharp: `-a --all -o --bind --rbind --move --make-private --make-shared`,
  },
  'umount fusermount fusermount3 pivot_root switch_root sshfs eject systemd-mount systemd-umount quotaoff swapoff swapon gocryptfs encfs s3fs gcsfuse rclone-mount veracrypt mount.cifs mount.nfs bindfs':
    { fine: ``, looks: `--show --list --noheadings -s --summary`, bare: 'sharp' },
  losetup: { fine: '', looks: '-a -l -j --list --all --associated' },
  cryptsetup: { fine: 'status isLuks luksDump luksUUID benchmark tcryptDump' },
  udisksctl: { fine: 'info status dump monitor' },
  exportfs: { fine: '', sharp: '-a -r -u -o', looks: '-v -s' },
  hdiutil: { fine: 'info imageinfo verify create convert isencrypted', sharp: '-ov' },
  quotacheck: { fine: '', bare: 'sharp' },
};
