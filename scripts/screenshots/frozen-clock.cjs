// Preloaded into the program that is photographed: its time is what a file says, so that two pictures of the same screen are the same.
const { readFileSync } = require('node:fs');
const RealDate = Date;
const now = () => Number(readFileSync(process.env.SCREENSHOT_CLOCK, 'utf8'));
globalThis.Date = class extends RealDate {
  constructor(...given) {
    super(...(given.length === 0 ? [now()] : given));
  }
  static now() {
    return now();
  }
};
