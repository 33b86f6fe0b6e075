import { type Vendors } from './vendor.ts';

/** Phones, boards and their simulators, at the end of a cable. What is put on them to try it is made again by the next build. */
export const DEVICES: Vendors = {
  adb: {
    fine: `
      devices shell logcat install install-multiple uninstall push pull reverse forward connect disconnect version start-server
      kill-server get-state get-serialno wait-for-device bugreport emu jdwp help exec-out features host-features track-devices usb
    `,
    values: '-s -t -H -P',
  },
  // On the device itself, behind `adb shell`.
  'pm cmd': { fine: 'list/* path/* dump/* grant/* install/* clear/*debug*|*.test* package/list' },
  am: { fine: 'start start-activity broadcast instrument force-stop startservice kill monitor' },
  fastboot: { fine: 'devices getvar help', sharp: '-w' },
  simctl: {
    fine: `
      list boot install uninstall launch terminate openurl io/* push status_bar/* ui/* spawn addmedia privacy/* get_app_container help
      getenv diagnose logverbose location/* create shutdown
    `,
  },
  'ideviceinstaller ideviceinfo idevicesyslog idevice_id ios-deploy': { fine: '*', sharp: '--uninstall -U --wipe' },
  'esptool.py esptool': {
    fine: `
      flash_id read_mac chip_id write_flash read_flash image_info elf2image verify_flash run version read_flash_status merge_bin load_ram
      flash-id read-mac chip-id write-flash read-flash image-info verify-flash merge-bin
    `,
    values: '-p --port -b --baud -c --chip --before --after',
  },
  espefuse: { fine: 'summary dump', values: '-p --port -c --chip' },
  'st-flash probe-rs': { fine: 'write read list run flash download attach info chip reset debug', sharp: '--erase --mass' },
};
